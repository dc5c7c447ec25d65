// A few threads, each with a connection of its own, for statements that may be slow: the main thread stays free. They
// are started when they are first needed; what waits for one is bounded, and every statement has its deadline.
import { Worker } from "node:worker_threads"
import type { Parameter } from "../sql/statement.ts"
import { overloaded, readFault, tooSlow } from "./faults.ts"
import { asRow } from "./sqlite-connection.ts"
import type { ReaderReply, ReaderTask } from "./sqlite-reader.ts"
import type { Row, StorageOptions } from "./storage.ts"

/** Milliseconds that a statement is given to notice that its time is over. */
const grace = 500
/** What it reads is on its way to the main thread at once: new objects need no 128 MB, which is what V8 might take. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 } as const
const file = new URL(
  import.meta.url.endsWith(".ts") ? "./sqlite-reader.ts" : "./sqlite-reader.js",
  import.meta.url,
)

interface Job {
  readonly task: ReaderTask
  readonly resolve: (row: Row) => void
  readonly reject: (fault: unknown) => void
  timer?: NodeJS.Timeout
}

interface Reader {
  readonly thread: Worker
  job: Job | undefined
}

export class SqliteReaders {
  readonly #path: string
  readonly #options: StorageOptions
  readonly #readers = new Set<Reader>()
  readonly #waiting: Job[] = []
  #closed = false

  constructor(path: string, options: StorageOptions) {
    this.#path = path
    this.#options = options
  }

  /** Rejects with a Refusal when too many wait, or the deadline passes first. */
  read(text: string, parameters: readonly Parameter[]): Promise<Row> {
    if (this.#closed || this.#waiting.length >= this.#options.waiting) return Promise.reject(overloaded())
    const until = Date.now() + this.#options.deadline
    const { promise, resolve, reject } = Promise.withResolvers<Row>()
    const job: Job = { task: { text, parameters, until }, resolve, reject }
    job.timer = setTimeout(() => this.#giveUp(job), this.#options.deadline + grace)
    this.#waiting.push(job)
    this.#next()
    return promise
  }

  /** Ends the threads that do nothing, which hold the file as they found it. */
  rest(): void {
    for (const reader of this.#readers) {
      if (reader.job) continue
      this.#readers.delete(reader)
      void reader.thread.terminate()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) settle(job, () => job.reject(overloaded()))
    await Promise.all([...this.#readers].map(({ thread }) => thread.terminate()))
  }

  #next(): void {
    const [job] = this.#waiting
    if (!job) return
    const reader = [...this.#readers].find((each) => each.job === undefined) ?? this.#start()
    if (!reader) return
    this.#waiting.shift()
    reader.job = job
    reader.thread.ref()
    reader.thread.postMessage(job.task)
  }

  #start(): Reader | undefined {
    if (this.#closed || this.#readers.size >= this.#options.slow) return undefined
    // Not those of the process: a thread refuses some of them, and the reader needs none.
    const execArgv = ["--disable-warning=ExperimentalWarning"]
    const thread = new Worker(file, { workerData: this.#path, execArgv, resourceLimits })
    const reader: Reader = { thread, job: undefined }
    this.#readers.add(reader)
    thread.on("message", (reply: ReaderReply) => this.#finish(reader, reply))
    // What ends a thread ends what it was doing; `exit` follows and makes room for another.
    thread.on("error", (fault) => this.#fail(reader, fault))
    thread.on("exit", () => {
      this.#readers.delete(reader)
      this.#fail(reader, overloaded())
      this.#next()
    })
    return reader
  }

  #finish(reader: Reader, reply: ReaderReply): void {
    const { job } = reader
    reader.job = undefined
    reader.thread.unref()
    if (job)
      settle(job, () => {
        if (reply.kind === "row") job.resolve(asRow(reply.row))
        else if (reply.kind === "late") job.reject(tooSlow())
        else job.reject(readFault(faultOf(reply)))
      })
    this.#next()
  }

  #fail(reader: Reader, fault: unknown): void {
    const { job } = reader
    reader.job = undefined
    if (job) settle(job, () => job.reject(readFault(fault)))
  }

  /** Its time is over, and it is still waiting, or does not end by itself: then its thread has to. */
  #giveUp(job: Job): void {
    const place = this.#waiting.indexOf(job)
    if (place >= 0) this.#waiting.splice(place, 1)
    job.reject(tooSlow())
    // The thread keeps its place until it has really ended: what does not end must not pile up.
    for (const reader of this.#readers) if (reader.job === job) void reader.thread.terminate()
  }
}

function settle(job: Job, outcome: () => void): void {
  clearTimeout(job.timer)
  outcome()
}

const faultOf = ({ message, errcode }: Extract<ReaderReply, { kind: "fault" }>): Error =>
  Object.assign(new Error(message), errcode === undefined ? {} : { errcode })
