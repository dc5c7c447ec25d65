// Writes to a SQLite file in a thread of its own. Writes that arrive together are committed together, and the main
// thread never waits for the disk. Clients take turns.

import { AsyncLocalStorage } from "node:async_hooks"
import { Worker } from "node:worker_threads"
import { elapsed } from "../../base/clock.ts"
import { FairQueue } from "../../base/fair-queue.ts"
import { threadEntry } from "../../base/own-files.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { RequestRecord } from "../../base/telemetry.ts"
import { currentTrace } from "../../base/tracing.ts"
import type { Bound } from "../../sql/deferred-parameter.ts"
import {
  closed,
  goneSilent,
  isReadOnlyFile,
  readFault,
  readWriteFault,
  tooSlow,
  waitsTooLong,
} from "../faults.ts"
import type { LaneUse, StorageOptions } from "../storage.ts"
import type { Outcome, TransactOptions, Use, Work, WorkShape } from "../write-request.ts"
import { tellOutcomes } from "../write-request.ts"
import { threadFlags } from "./column-meanings.ts"
import type { SessionRequest } from "./session.ts"
import { type SendToThread, TransactionQueue } from "./transaction-queue.ts"
import {
  leave,
  type SentReply,
  type SentWorks,
  type SessionReply,
  type WriterReady,
  type WriterReply,
  type WriterSettings,
} from "./writer-thread.ts"

/** Milliseconds to wait for another process that writes. */
const patience = 5_000
/** Writes that may wait; more are refused. */
const mostWaiting = 10_000
/** Writes that the thread may have at a time, under way and for the next commit: a write of another client is behind them. */
const mostSent = 512
const entry = threadEntry("storage/sqlite/writer-thread")

type Traced = ReturnType<typeof AsyncLocalStorage.snapshot>

interface Job {
  readonly work: Work
  /** As of `elapsed()`. */
  readonly until: number
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (fault: unknown) => void
  readonly record: RequestRecord | undefined
  /** Runs work in the trace that asked for it; absent where a record has the trace, or without an SDK that collects spans. */
  readonly traced: Traced | undefined
  /** When it was sent, if it is observed; as of `performance.now()`. */
  sentAt: number
}

interface Thread {
  readonly worker: Worker
  /** In the order in which they were sent, as the replies come. */
  readonly sent: Job[]
  readonly shapes: Shapes
  /** Callers that wait for answers of the transaction for user code. */
  asking?: PromiseWithResolvers<Told>
}

type Told = Awaited<ReturnType<SendToThread>>

/** The numbers of the shapes that a thread knows. */
interface Shapes {
  numbers: WeakMap<WorkShape, number>
  count: number
}

const noShapes = (): Shapes => ({ numbers: new WeakMap(), count: 0 })

/** Shapes that a thread knows before their numbers begin anew. */
const mostShapes = 5_000

function numberOf(shapes: Shapes, shape: WorkShape, fresh: [number, WorkShape][]): number {
  const known = shapes.numbers.get(shape)
  if (known !== undefined) return known
  const number = shapes.count++
  shapes.numbers.set(shape, number)
  fresh.push([number, shape])
  return number
}

function packed(shapes: Shapes, jobs: readonly Job[]): SentWorks {
  // Between two packets only: a packet may use any of its numbers.
  if (shapes.count >= mostShapes) {
    Object.assign(shapes, noShapes())
  }
  const numbers: number[] = []
  const fresh: [number, WorkShape][] = []
  const parameters: Bound[] = []
  const rest = new Map<number, Pick<Work, "most" | "once">>()
  const untils: number[] = []
  for (const [index, { work, until }] of jobs.entries()) {
    const { shape, parameters: own, most, once } = work
    numbers.push(numberOf(shapes, shape, fresh))
    untils.push(until)
    for (const parameter of own) parameters.push(parameter)
    if (most || once) rest.set(index, { ...(most && { most }), ...(once && { once }) })
  }
  return { untils, numbers, shapes: fresh, parameters, rest }
}

export class SqliteWriter {
  readonly #path: string
  readonly #options: StorageOptions
  readonly #waiting = new FairQueue<Job>()
  #sending: NodeJS.Immediate | undefined
  #thread: Thread | undefined
  /** Set until the thread runs: writes that arrive meanwhile wait for the same one. */
  #starting: Promise<Thread> | undefined
  readonly #turns = new TransactionQueue()
  /** User code has a transaction: other writes wait. */
  #held = false
  #closed = false
  /** Called when nothing is under way any more. */
  #drained = (): void => {}

  private constructor(path: string, options: StorageOptions) {
    this.#path = path
    this.#options = options
  }

  /** Throws what keeps the file from being written; one that can only be read now is tried again with each write. */
  static async open(path: string, options: StorageOptions): Promise<SqliteWriter> {
    const writer = new SqliteWriter(path, options)
    try {
      await writer.#running()
    } catch (fault) {
      if (!(fault instanceof Refusal) || !isReadOnlyFile(fault.cause)) throw fault
    }
    return writer
  }

  /** There is one thread, and one transaction of user code. */
  get use(): readonly LaneUse[] {
    const sent = this.#thread?.sent.length ?? 0
    return [
      {
        lane: "write",
        used: Math.min(sent, 1),
        most: 1,
        waiting: this.#waiting.length + Math.max(sent - 1, 0),
      },
      { lane: "code", ...this.#turns.use },
    ]
  }

  /** Resolves when it is on disk, or was refused. Rejects with a Refusal, or what the driver reports. */
  write(work: Work, request?: Request): Promise<Outcome> {
    const client = request?.client ?? ""
    const until = (request?.since ?? elapsed()) + this.#options.deadline
    if (this.#closed) return Promise.reject(closed())
    if (!this.#mayWait(client, until)) return Promise.reject(waitsTooLong())
    return new Promise((resolve, reject) => {
      const record = request?.record
      // Its end is seen outside the trace: a handler's writes share a commit with other writes.
      const traced =
        this.#options.telemetry && !record && currentTrace() ? AsyncLocalStorage.snapshot() : undefined
      this.#waiting.push(client, { work, until, resolve, reject, record, traced, sentAt: 0 })
      // Works of one turn of the event loop are sent at once.
      this.#sending ??= setImmediate(() => {
        this.#sending = undefined
        void this.#send()
      })
    })
  }

  #mayWait(client: string, until: number): boolean {
    if (this.#waiting.length + (this.#thread?.sent.length ?? 0) >= mostWaiting) return false
    const { whole, others } = this.#waiting.waitOf(client)
    return others <= this.#options.patience && whole <= Math.max(until - elapsed(), 0)
  }

  /** As `Storage.transact`. */
  async transact(use: Use, options: TransactOptions): Promise<Outcome> {
    if (this.#closed) throw closed()
    // The transaction belongs to the thread that begins it.
    let thread: Thread | undefined
    const ask = async (asked: SessionRequest): Promise<Told> => {
      thread ??= this.#thread ?? (await this.#running())
      return this.#ask(thread, asked)
    }
    const hold = (held: boolean): void => {
      this.#held = held
      if (held) return
      if (thread?.sent.length === 0) thread.worker.unref()
      if (this.#waiting.length > 0) void this.#send()
    }
    const until = (options.request?.since ?? elapsed()) + Math.max(this.#options.deadline, options.lasts)
    return this.#turns.take(ask, hold, use, { ...options, until })
  }

  async #ask(thread: Thread, asked: SessionRequest): Promise<Told> {
    if (this.#thread !== thread) throw goneSilent()
    const asking = Promise.withResolvers<Told>()
    thread.asking = asking
    thread.worker.ref()
    thread.worker.postMessage(asked)
    return asking.promise
  }

  #tell(thread: Thread, { told }: SessionReply): void {
    const { asking } = thread
    delete thread.asking
    if (told.kind === "fault") asking?.reject(readFault(asError(told)))
    else asking?.resolve(told)
  }

  /** Takes nothing more; resolves when what was asked for is on disk. */
  async drain(): Promise<void> {
    this.#closed = true
    await this.#turns.ended()
    if (this.#waiting.length > 0 || (this.#thread?.sent.length ?? 0) > 0)
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
  }

  /** Moves the log into the file, as far as no other process needs it. */
  async close(): Promise<void> {
    await this.drain()
    const { worker } = this.#thread ?? {}
    if (!worker) return
    const ended = new Promise((resolve) => worker.once("exit", resolve))
    worker.ref()
    worker.postMessage(leave)
    await ended
  }

  async #send(): Promise<void> {
    if (this.#held || this.#waiting.length === 0) return
    let jobs: readonly Job[] = []
    try {
      const { worker, sent, shapes } = this.#thread ?? (await this.#running())
      jobs = this.#held ? [] : this.#next(mostSent - sent.length)
      if (jobs.length === 0) return
      sent.push(...jobs)
      if (this.#options.telemetry) for (const job of jobs) job.sentAt = performance.now()
      worker.ref()
      worker.postMessage(packed(shapes, jobs))
    } catch (fault) {
      for (const job of [...jobs, ...this.#waiting.clear()]) job.reject(readFault(fault))
      this.#drained()
    }
  }

  #next(most: number): readonly Job[] {
    const jobs: Job[] = []
    while (jobs.length < most) {
      const job = this.#waiting.shift()
      if (!job) break
      jobs.push(job)
    }
    return jobs
  }

  #running(): Promise<Thread> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async #start(): Promise<Thread> {
    const { deadline, makesLog } = this.#options
    const workerData: WriterSettings = {
      path: this.#path,
      patience: Math.min(deadline, patience),
      makesLog,
    }
    const worker = new Worker(entry(), { workerData, execArgv: threadFlags })
    const thread: Thread = { worker, sent: [], shapes: noShapes() }
    const ready = new Promise<WriterReady>((resolve, reject) => {
      worker.once("message", resolve)
      worker.once("error", reject)
    })
    worker.on("error", (fault) => this.#end(thread, fault))
    worker.on("exit", () => this.#end(thread, goneSilent()))
    const said = await ready
    if (said.kind === "fault") {
      await worker.terminate()
      throw unwritable(this.#path, asError(said))
    }
    worker.on("message", (replies: readonly SentReply[] | SessionReply) =>
      "told" in replies ? this.#tell(thread, replies) : this.#settle(thread, replies),
    )
    worker.unref()
    this.#thread = thread
    return thread
  }

  #settle(thread: Thread, replies: readonly SentReply[]): void {
    const jobs = thread.sent.splice(0, replies.length)
    if (thread.sent.length === 0 && !this.#held) thread.worker.unref()
    this.#observe(jobs)
    tellOutcomes(
      jobs.map((job, index) => () => {
        tell(job, replies[index])
      }),
    )
    void this.#send()
    if (thread.sent.length === 0 && this.#waiting.length === 0) this.#drained()
  }

  #observe(jobs: readonly Job[]): void {
    const { telemetry } = this.#options
    if (!telemetry) return
    telemetry.committed(jobs.length)
    for (const { work, record, traced, sentAt } of jobs) {
      const ended = { kind: "write", commands: work.shape.commands, record } as const
      if (traced) traced(() => telemetry.statementEnded(ended, sentAt))
      else telemetry.statementEnded(ended, sentAt)
    }
  }

  /** Its work may or may not be on disk. */
  #end(thread: Thread, fault: unknown): void {
    if (this.#thread === thread) this.#thread = undefined
    for (const job of thread.sent.splice(0)) job.reject(readFault(fault))
    thread.asking?.reject(readFault(fault))
    delete thread.asking
    if (this.#waiting.length > 0) void this.#send()
    else this.#drained()
  }
}

function tell({ resolve, reject }: Job, reply: SentReply | undefined): void {
  if (typeof reply === "string") resolve({ kind: "done", rows: [[reply]] })
  else if (reply === undefined || reply.kind === "late") reject(tooSlow())
  else if (reply.kind === "fault") reject(readFault(asError(reply)))
  else resolve(reply)
}

function unwritable(path: string, said: Error): Refusal {
  const told = readWriteFault(said)
  if (isReadOnlyFile(said) && told instanceof Refusal) return told
  return refusal("storage_unavailable", `The SQLite file ${path} cannot be written.`, {
    hint: `Check that this user may write it and the folder it is in, and that it is on a disk of this machine. It says: ${said.message}`,
  })
}

const asError = ({ message, errcode }: Extract<WriterReply, { readonly kind: "fault" }>): Error =>
  Object.assign(new Error(message), errcode === undefined ? {} : { errcode })
