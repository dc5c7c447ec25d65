// One thread of user code: its start, calls, watch and end. The call that ends it fails, and no other.

import { getHeapStatistics } from "node:v8"
import { Worker } from "node:worker_threads"
import { handleEnded } from "../../storage/faults.ts"
import { excuse } from "./deadline.ts"
import { askDb, crashOf, type Job } from "./job.ts"
import {
  current,
  type DbShape,
  type FromThread,
  marked,
  mostCalls,
  packError,
  type ThreadData,
  type ToThread,
  unpackError,
} from "./messages.ts"
import { CallInterrupted, CodeCrash } from "./user-code-error.ts"

export interface ThreadOptions {
  /** The service file. */
  readonly file: string
  /** The thread's entry module. */
  readonly entry: () => URL
  /** Milliseconds after a handler has returned in which work that it has begun may still fail it. */
  readonly settle: number
  /** Calls that it has not begun and does not come to. */
  readonly lost: (jobs: readonly Job[]) => void
  /** An error of a call that has ended, or of none. */
  readonly stray: (error: unknown, call: number | undefined) => void
  /** The service file cannot be run in a thread. */
  readonly unstarted: (error: unknown) => void
  readonly ready: () => void
  readonly ended: (thread: CodeThread) => void
}

/** Milliseconds between two looks at whether it still answers. */
const look = 150
/** Unanswered pings: after the first number the thread gets no new calls, after the second its overdue call is ended. */
const silent = { stuck: 2, blocked: 14 } as const
/** Milliseconds in which the service file has to be loaded. */
const patience = 60_000

const serviceFile = { kind: "service file" } as const

type State = "starting" | "ready" | "retiring" | "ended"

/** A call with the mark by which it is claimed. */
interface Held {
  readonly job: Job
  readonly slot: number
  readonly unwatch: () => void
  overdue: boolean
}

export class CodeThread {
  readonly #options: ThreadOptions
  readonly #worker: Worker
  readonly #marks = new Int32Array(new SharedArrayBuffer(4 * (mostCalls + 1)))
  readonly #free = Array.from({ length: mostCalls }, (_, index) => mostCalls - index)
  readonly #held = new Map<number, Held>()
  readonly #began = performance.now()
  #state: State = "starting"
  /** Ended by this side. */
  #ending = false
  #shape = ""
  /** Looks since it was asked whether it answers; undefined where it was not asked. */
  #missed: number | undefined
  #watch: NodeJS.Timeout | undefined
  /** The cause of its end, if known. */
  #fault: { readonly how?: string; readonly of?: unknown; readonly call?: number } | undefined
  /** Waiters for the end, and errors thrown meanwhile. */
  #draining: PromiseWithResolvers<void> | undefined
  readonly #loaded: PromiseWithResolvers<void> = Promise.withResolvers()

  constructor(options: ThreadOptions) {
    this.#options = options
    const workerData: ThreadData = { file: options.file, marks: this.#marks.buffer }
    // The same limit as the process; exceeding it ends the thread alone.
    const maxOldGenerationSizeMb = Math.ceil(getHeapStatistics().heap_size_limit / 2 ** 20)
    this.#worker = new Worker(options.entry(), { workerData, resourceLimits: { maxOldGenerationSizeMb } })
    this.#worker.unref()
    this.#worker.on("message", (message: FromThread) => this.#hear(message))
    this.#worker.on("error", (of) => this.#faulted(of))
    this.#worker.on("exit", () => this.#exited())
  }

  get isRetiring(): boolean {
    return this.#state === "retiring" || this.#state === "ended"
  }

  /** Whether it can be given a call. */
  get hasRoom(): boolean {
    return !this.isRetiring && this.#free.length > 0
  }

  /** Whether the thread has not answered for a while. */
  get isStuck(): boolean {
    return (this.#missed ?? 0) >= silent.stuck
  }

  /** Resolves when the service file is loaded or has failed; undefined once it is. */
  get loading(): Promise<void> | undefined {
    if (this.#state !== "starting") return undefined
    this.#worker.ref()
    this.#watch ??= setInterval(() => this.#look(), look).unref()
    return this.#loaded.promise
  }

  take(job: Job): void {
    const { call, place, given, db, emit, signal, trace } = job
    const slot = this.#free.pop()
    if (slot === undefined) {
      job.reject(new CallInterrupted("Too many calls of user code are running."))
      return
    }
    Atomics.store(this.#marks, slot, marked.sent)
    const over = (): void => this.#giveUp(call)
    signal.addEventListener("abort", over, { once: true })
    excuse(signal, () => this.#excuseOf(call))
    const unwatch = (): void => signal.removeEventListener("abort", over)
    this.#held.set(call, { job, slot, unwatch, overdue: false })
    this.#worker.ref()
    this.#watch ??= setInterval(() => this.#look(), look).unref()
    const shape = db && shapeOf(db)
    const key = shape ? JSON.stringify(shape) : this.#shape
    const isKnown = key === this.#shape
    this.#shape = key
    const { path, handler } = place
    const settle = handler === undefined ? 0 : this.#options.settle
    const hasDb = db !== undefined
    this.#tell({
      kind: "call",
      call,
      slot,
      path,
      given,
      hasDb,
      emits: emit !== undefined,
      settle,
      ...(trace !== undefined && { trace }),
      ...(!isKnown && shape && { db: shape }),
    })
  }

  /** Ends when the thread has no work left. Rejects with an error thrown in it meanwhile. @param most milliseconds */
  async drained(most: number): Promise<void> {
    if (this.#state === "ended") return
    this.#state = "retiring"
    this.#draining ??= Promise.withResolvers()
    this.#tell({ kind: "end" })
    this.#worker.ref()
    const cut = setTimeout(() => this.#end(), most)
    await this.#draining.promise.finally(() => clearTimeout(cut))
  }

  async close(): Promise<void> {
    this.#ending = true
    this.#state = "retiring"
    await this.#worker.terminate()
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #end(fault?: { readonly how: string; readonly call?: number }): void {
    this.#fault ??= fault
    this.#ending = true
    if (this.#state !== "ended") this.#state = "retiring"
    void this.#worker.terminate()
  }

  #hear(message: FromThread): void {
    this.#missed = undefined
    if (message.kind === "ready") this.#ready()
    else if (message.kind === "unready") this.#unstarted(unrunnable(unpackError(message.error)))
    else if (message.kind === "passed") this.#free.push(message.slot)
    else if (message.kind === "crashed") this.#crashed(unpackError(message.error), message.call)
    else if (message.kind === "exited") this.#leaves(message)
    else if (message.kind === "asked") void this.#answer(message)
    else if (message.kind === "aborted") this.#letGo(message.call)
    else if (message.kind === "gave") this.#drop(message.call)?.resolve(givenIn(message))
    else if (message.kind === "threw") {
      const job = this.#drop(message.call)
      job?.reject(unpackError(message.error, job.refused))
    }
  }

  #ready(): void {
    if (this.#state === "starting") this.#state = "ready"
    this.#loaded.resolve()
    if (this.#held.size === 0) this.#idle()
    this.#options.ready()
  }

  /** The code has called `process.exit`, or the thread had no work left. */
  #leaves({ call, code }: Extract<FromThread, { readonly kind: "exited" }>): void {
    if (this.#ending || (this.#draining && code === 0)) return
    this.#fault ??= { how: `process.exit(${code})`, ...(call !== undefined && { call }) }
  }

  async #answer(asked: Extract<FromThread, { readonly kind: "asked" }>): Promise<void> {
    const { call, ask } = asked
    const held = this.#held.get(call)
    try {
      if (!held) throw handleEnded()
      const given = await held.job.within(() => askDb(held.job, asked))
      this.#tell({ kind: "answered", call, ask, given })
    } catch (error) {
      held?.job.refused.set(ask, error)
      this.#tell({ kind: "refused", call, ask, error: packError(error) })
    }
  }

  /** Another call had the thread when this one's time ran out. */
  #excuseOf(call: number): CallInterrupted | undefined {
    const running = this.#running()
    const isHeldUp = this.isStuck && this.#held.has(call) && running !== undefined && running !== call
    return isHeldUp ? heldUp() : undefined
  }

  /** The call's time is over, or the service ends. The thread receives the signal, and keeps the call until it answers. */
  #giveUp(call: number): void {
    const held = this.#held.get(call)
    if (!held) return
    held.overdue = true
    if (this.#claim(held)) this.#letGo(call)
    else this.#tell({ kind: "abort", call, reason: packError(held.job.signal.reason) })
  }

  #letGo(call: number): void {
    const job = this.#drop(call)
    job?.reject(job.signal.reason)
  }

  /** Takes the call back where the thread has not begun it. */
  #claim({ slot }: Held): boolean {
    return Atomics.compareExchange(this.#marks, slot, marked.sent, marked.withdrawn) === marked.sent
  }

  #drop(call: number): Job | undefined {
    const held = this.#held.get(call)
    if (!held) return undefined
    this.#held.delete(call)
    held.unwatch()
    // One that was taken back is free when the thread has passed over it.
    if (Atomics.load(this.#marks, held.slot) === marked.begun) this.#free.push(held.slot)
    if (this.#held.size === 0) this.#idle()
    return held.job
  }

  #idle(): void {
    if (this.#draining) return
    this.#worker.unref()
    if (this.#state === "retiring") this.#end()
  }

  /** After an uncaught error, other calls in the thread go on, and the thread accepts no new ones. */
  #crashed(error: unknown, call: number | undefined): void {
    const job = call === undefined ? undefined : this.#drop(call)
    if (job) job.reject(crashOf(job.place, error))
    else if (this.#draining) this.#draining.reject(error)
    else if (this.#state === "starting") this.#unstarted(crashOf(serviceFile, error))
    else this.#options.stray(error, call)
    if (this.#state === "ended") return
    this.#state = "retiring"
    this.#withdraw()
    if (this.#held.size === 0) this.#end()
  }

  #faulted(of: unknown): void {
    const isMemory = of instanceof Error && "code" in of && of.code === "ERR_WORKER_OUT_OF_MEMORY"
    this.#fault ??= { of, ...(isMemory && { how: "it used all the memory that a thread may have" }) }
  }

  #unstarted(error: unknown): void {
    this.#options.unstarted(error)
    this.#loaded.resolve()
    for (const { job } of [...this.#held.values()]) this.#drop(job.call)?.reject(error)
    this.#end()
  }

  #exited(): void {
    this.#loaded.resolve()
    const before = this.#state
    this.#state = "ended"
    clearInterval(this.#watch)
    const fault = this.#fault
    if (before === "starting") this.#unstarted(crashOf(serviceFile, fault?.of, fault?.how ?? "it ended"))
    this.#withdraw()
    const all = [...this.#held.values()].map(({ job }) => job)
    const guilty = fault?.call ?? this.#running() ?? (all.length === 1 ? all[0]?.call : undefined)
    const error = (job: Job): unknown =>
      job.call === guilty
        ? crashOf(job.place, fault?.of, fault?.how)
        : new CallInterrupted(`Another call has ended its thread: ${fault?.how ?? "it ended"}.`)
    for (const job of all) this.#drop(job.call)?.reject(error(job))
    if (this.#draining) {
      if (fault) this.#draining.reject(new Error(fault.how, { cause: fault.of }))
      else this.#draining.resolve()
    } else if (fault && guilty !== undefined && !all.some(({ call }) => call === guilty))
      this.#options.stray(new Error(fault.how), guilty)
    this.#options.ended(this)
  }

  /** The call that runs now, as the thread has marked it; undefined where that is not known. */
  #running(): number | undefined {
    return Atomics.load(this.#marks, current) || undefined
  }

  #withdraw(): void {
    const all = [...this.#held.values()].filter((held) => this.#claim(held))
    if (all.length > 0) this.#options.lost(all.flatMap(({ job }) => this.#drop(job.call) ?? []))
  }

  #look(): void {
    if (this.#state === "starting") {
      if (performance.now() - this.#began > patience)
        this.#unstarted(crashOf(serviceFile, undefined, `it was not loaded within ${patience} ms`))
      return
    }
    if (this.#missed === undefined) {
      if (this.#held.size === 0) this.#rest()
      else {
        this.#missed = 0
        this.#tell({ kind: "ping" })
      }
      return
    }
    this.#missed += 1
    if (this.#missed >= silent.stuck) this.#withdraw()
    if (this.#missed >= silent.blocked) this.#unblock()
  }

  #rest(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  /** Some call does not give the thread a turn. Waiting calls leave; the running one has its time. */
  #unblock(): void {
    const running = this.#running()
    const guilty = running === undefined ? undefined : this.#held.get(running)
    if (guilty)
      for (const { job, overdue } of [...this.#held.values()])
        if (job !== guilty.job && !overdue) this.#drop(job.call)?.reject(heldUp())
    const isOver = guilty ? guilty.overdue : [...this.#held.values()].every(({ overdue }) => overdue)
    const isStray = running !== undefined && !guilty
    if (isOver || isStray)
      this.#end({ how: "it gave the thread no turn", ...(running !== undefined && { call: running }) })
  }
}

const heldUp = (): CallInterrupted => new CallInterrupted("Another call holds up its thread.")

/** Reported as an internal fault, which hides the error from the client. */
const unrunnable = (thrown: unknown): CodeCrash => {
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  return new CodeCrash(`The service file cannot be run in a thread: ${said}`, { cause: thrown })
}

const shapeOf = (db: object): DbShape => {
  const all = Object.entries(db).filter(([, of]) => typeof of === "object")
  const [first] = all
  return {
    resources: all.map(([name]) => name),
    methods: Object.keys(first?.[1] ?? {}),
    attempts: all.length < Object.keys(db).length,
  }
}

function givenIn({ given, errors }: Extract<FromThread, { readonly kind: "gave" }>): unknown {
  if (!errors || !Array.isArray(given)) return given
  return given.map((one: unknown, index) => {
    const error = errors.get(index)
    return error ? unpackError(error) : one
  })
}
