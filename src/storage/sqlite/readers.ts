// A few threads, each with a connection of its own, for statements that may be slow: the main thread stays free. They
// are started when they are first needed; what waits for one is bounded (fair-slots.ts), and every statement has its deadline.

import { Worker } from "node:worker_threads"
import { elapsed } from "../../base/clock.ts"
import { present } from "../../base/invariant.ts"
import { threadEntry } from "../../base/own-files.ts"
import type { Request } from "../../base/request.ts"
import type { Parameter } from "../../sql/statement.ts"
import { Lanes } from "../fair-slots.ts"
import { closed, goneSilent, readFault, tooSlow } from "../faults.ts"
import type { LaneUse, Row, StorageOptions } from "../storage.ts"
import type { ColumnMeanings } from "./column-meanings.ts"
import { threadFlags } from "./column-meanings.ts"
import { asRow } from "./connection.ts"
import type { ReaderData, ReaderReply, ReaderTask } from "./reader.ts"

/** Milliseconds that a statement is given to notice that its time is over. */
const grace = 500
/** Results are sent to the main thread at once: new objects need no 128 MB, which V8 might take. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 } as const
const entry = threadEntry("storage/sqlite/reader")

interface Job {
  readonly task: ReaderTask
  readonly resolve: (row: Row) => void
  readonly reject: (fault: unknown) => void
  /** Makes room for another. */
  readonly leave: () => void
  readonly ended: Promise<unknown>
  timer?: NodeJS.Timeout
}

interface Reader {
  readonly thread: Worker
  readonly gone: Int32Array
  job: Job | undefined
}

interface ReadersOptions extends StorageOptions {
  readonly meanings: ColumnMeanings
}

export class SqliteReaders {
  readonly #path: string
  readonly #options: ReadersOptions
  readonly #readers = new Set<Reader>()
  readonly #lanes: Lanes
  /** The number of the last task. */
  #last = 0
  #closed = false
  /** While no thread may read. */
  #pause: Promise<void> | undefined

  constructor(path: string, options: ReadersOptions) {
    this.#path = path
    this.#options = options
    this.#lanes = new Lanes({ lanes: options.slow, waiting: options.waiting })
  }

  get use(): LaneUse {
    return { lane: "slow", ...this.#lanes.use }
  }

  /** Rejects with a Refusal when too many wait, or the deadline passes first. */
  async read(text: string, parameters: readonly Parameter[], request?: Request): Promise<Row> {
    const until = (request?.since ?? elapsed()) + this.#options.deadline
    const leave = await this.#lanes.take(request, until)
    while (this.#pause) await this.#pause
    const { promise, resolve, reject } = Promise.withResolvers<Row>()
    const ended = promise.catch(() => {})
    this.#last = (this.#last % 2 ** 30) + 1
    const job: Job = { task: { number: this.#last, text, parameters, until }, resolve, reject, leave, ended }
    job.timer = setTimeout(() => this.#giveUp(job), Math.max(until - elapsed(), 0) + grace)
    this.#run(job)
    const unwatch = request?.whenGone?.(() => this.#abandon(job))
    const row = unwatch ? promise.finally(unwatch) : promise
    const { telemetry } = this.#options
    if (!telemetry) return row
    return telemetry.awaited({ kind: "read", commands: [{ text }], record: request?.record }, () => row)
  }

  /** Calls `use` when no thread has the file open. Statements under way end before, those that come meanwhile wait. */
  async without(use: () => void): Promise<void> {
    const pause = Promise.withResolvers<void>()
    this.#pause = pause.promise
    try {
      await Promise.all([...this.#readers].map((reader) => this.#end(reader)))
      use()
    } finally {
      this.#pause = undefined
      pause.resolve()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#lanes.close()
    await Promise.all([...this.#readers].map(({ thread }) => thread.terminate()))
  }

  async #end({ job, thread }: Reader): Promise<void> {
    await job?.ended
    await thread.terminate()
  }

  /** There is a thread for each place. */
  #run(job: Job): void {
    if (this.#closed) {
      this.#fail(job, closed())
      return
    }
    let reader: Reader
    try {
      reader = [...this.#readers].find((each) => each.job === undefined) ?? this.#start()
    } catch (fault) {
      this.#fail(job, fault)
      return
    }
    reader.job = job
    reader.thread.ref()
    reader.thread.postMessage(job.task)
  }

  #start(): Reader {
    const gone = new Int32Array(new SharedArrayBuffer(4))
    const { meanings } = this.#options
    const workerData: ReaderData = { path: this.#path, gone, meanings }
    const thread = new Worker(entry(), { workerData, execArgv: threadFlags, resourceLimits })
    const reader: Reader = { thread, gone, job: undefined }
    this.#readers.add(reader)
    thread.on("message", (reply: ReaderReply) => this.#finish(reader, reply))
    // Ending a thread ends its work; `exit` follows and makes room for another.
    thread.on("error", (fault) => reader.job?.reject(readFault(fault)))
    thread.on("exit", () => {
      this.#readers.delete(reader)
      if (reader.job) this.#fail(reader.job, goneSilent())
    })
    return reader
  }

  #finish(reader: Reader, reply: ReaderReply): void {
    const job = present(reader.job, "a reader answers what it was asked")
    reader.job = undefined
    reader.thread.unref()
    settle(job, () => {
      if (reply.kind === "row") job.resolve(asRow(reply.row))
      else if (reply.kind === "late") job.reject(tooSlow())
      else job.reject(readFault(faultOf(reply)))
    })
  }

  #fail(job: Job, fault: unknown): void {
    settle(job, () => job.reject(readFault(fault)))
  }

  /** No request waits for it: its statement ends when it looks at its time. */
  #abandon(job: Job): void {
    for (const reader of this.#readers) if (reader.job === job) Atomics.store(reader.gone, 0, job.task.number)
  }

  /** Its time is over, and its statement does not end: then its thread has to. */
  #giveUp(job: Job): void {
    job.reject(tooSlow())
    // The thread keeps its place until it has really ended: what does not end must not pile up.
    for (const reader of this.#readers) if (reader.job === job) void reader.thread.terminate()
  }
}

function settle(job: Job, outcome: () => void): void {
  clearTimeout(job.timer)
  outcome()
  job.leave()
}

const faultOf = ({ message, errcode }: Extract<ReaderReply, { kind: "fault" }>): Error =>
  Object.assign(new Error(message), errcode === undefined ? {} : { errcode })
