// The threads for one kind of calls: usually one shared thread, and another where the first answers nothing. A call during
// which a thread ended before has a thread of its own.

import type { Job } from "./job.ts"
import { crashOf } from "./job.ts"
import { CodeThread, type ThreadOptions } from "./thread.ts"

type LaneOptions = Pick<ThreadOptions, "file" | "entry" | "settle"> & {
  readonly stray: (error: unknown, call?: number) => void
}

/** Threads in use, and all threads with those that are ending. */
const most = { taking: 4, alive: 8 } as const
/** Milliseconds before a service file that could not be loaded is tried again: doubled each time, up to the longest. */
const pauses = { first: 100, longest: 10_000 } as const
/** Milliseconds that an isolated call waits for promises left behind. */
const patience = 5_000

export class CodeLane {
  readonly #options: LaneOptions
  readonly #threads = new Set<CodeThread>()
  /** Threads for all calls, without those for one call. */
  readonly #shared = new Set<CodeThread>()
  /** Calls that wait for a thread of their own. */
  readonly #waiting: (() => void)[] = []
  #alone = 0
  #pause: number = pauses.first
  #failed: { readonly error: unknown; readonly until: number } | undefined
  #closed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  run(job: Job): void {
    if (this.#ready(job)) this.#attempt(job, () => this.#choose())?.take(job)
  }

  /** Has a thread ready for the first call, whose time does not wait for it. */
  warm(): void {
    if (!this.#closed) this.#choose()
  }

  /** Resolves when a thread can begin a call, or none can be loaded; undefined without a wait. */
  loading(): Promise<void> | undefined {
    if (this.#closed || (this.#failed && this.#failed.until > performance.now())) return undefined
    try {
      return this.#choose().loading
    } catch {
      // The call itself meets the error.
      return undefined
    }
  }

  /** Runs the call in a thread of its own, so that whatever ends the thread is the call's fault. */
  async runAlone(job: Job): Promise<void> {
    if (this.#alone >= most.alive) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#alone += 1
    try {
      const thread = this.#ready(job) ? this.#attempt(job, () => this.#start()) : undefined
      if (!thread) return
      const outcome = await new Promise<() => void>((resolve) =>
        thread.take({
          ...job,
          resolve: (given) => resolve(() => job.resolve(given)),
          reject: (error) => resolve(() => job.reject(error)),
        }),
      )
      await thread.drained(patience).then(outcome, (error) => job.reject(crashOf(job.place, error)))
    } finally {
      this.#alone -= 1
      this.#waiting.shift()?.()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  /** Rejects it where there is no use in a thread. */
  #ready(job: Job): boolean {
    if (job.signal.aborted) job.reject(job.signal.reason)
    else if (this.#closed) job.reject(new Error("The service ends."))
    else if (this.#failed && this.#failed.until > performance.now()) job.reject(this.#failed.error)
    else return true
    return false
  }

  /** Rejects the job if no thread can be started. */
  #attempt(job: Job, begin: () => CodeThread): CodeThread | undefined {
    try {
      return begin()
    } catch (error) {
      job.reject(error)
      return undefined
    }
  }

  #choose(): CodeThread {
    const taking = [...this.#shared].filter((thread) => thread.hasRoom)
    const free = taking.find((thread) => !thread.isStuck)
    if (free) return free
    const [first] = taking
    if (first && taking.length >= most.taking) return first
    const [oldest] = this.#shared
    if (oldest && this.#shared.size >= most.alive) void oldest.close()
    const thread = this.#start()
    this.#shared.add(thread)
    return thread
  }

  #start(): CodeThread {
    const { stray, ...options } = this.#options
    const thread: CodeThread = new CodeThread({
      ...options,
      stray,
      lost: (jobs) => {
        for (const job of jobs) this.run(job)
      },
      unstarted: (error) => {
        this.#failed = { error, until: performance.now() + this.#pause }
        this.#pause = Math.min(this.#pause * 2, pauses.longest)
      },
      ready: () => {
        this.#pause = pauses.first
        this.#failed = undefined
      },
      ended: (ended) => {
        this.#threads.delete(ended)
        this.#shared.delete(ended)
      },
    })
    this.#threads.add(thread)
    return thread
  }
}
