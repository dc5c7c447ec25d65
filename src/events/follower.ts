// One handler on its way along the log. Records are handled side by side, each record's events one after the other. Where
// one fails its record is left to wait, with a position of its own, and the others go on.

import type { Handler } from "../model/model.ts"
import type { WaitingRecord } from "../sql/handler-state.ts"
import type { LogFilter } from "../sql/log-read.ts"
import type { Log, LogRow } from "../storage/log-types.ts"
import { pauseAfter } from "./backoff.ts"
import type { CallHandler } from "./call.ts"
import { eventId } from "./event.ts"
import type { AskedRecord, KeptByHolder } from "./kept.ts"
import type { TellHandlers } from "./told.ts"

export interface FollowerOptions {
  readonly handler: Handler
  readonly log: Log
  readonly kept: KeptByHolder
  readonly call: CallHandler
  readonly tell: TellHandlers
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Of a moment from which nothing more is begun, and what runs is given up. */
  readonly stop: AbortSignal
  /** Something has ended. Called with a fault where nothing more can be done until all is begun anew. */
  readonly moved: (fault?: { readonly of: unknown }) => void
}

/** Records that are handled at the same time. */
const mostAtOnce = 8
/** Rows that are asked for at a time. */
const mostRead = 100
/** Events that have been read and are not done yet; no further ones are read. */
const mostOpen = 400
/** Records that wait; with more of them the handler goes no further. */
const mostWaiting = 1_000
/** Characters of what was thrown that are kept. */
const longestError = 1_000

interface Waiting {
  readonly record: string
  position: bigint
  attempts: number
  due: number | null
  error: string | null
  /** Of the last event that was passed over because the record waits. */
  last: bigint
  /** What was thrown the last time, of this process. */
  thrown?: unknown
  running: boolean
}

interface Open {
  readonly row: LogRow
  done: boolean
}

export class Follower {
  readonly #options: FollowerOptions
  readonly #filter: LogFilter
  /** Everything up to it has been read. */
  #read: bigint
  /** As it is kept, or is being kept. */
  #kept: bigint
  /** What has been read and is not done yet, and what is done behind that, in the order of the log. */
  readonly #open: Open[] = []
  /** By record: what is to be done, the event that is being done first. */
  readonly #queues = new Map<string, Open[]>()
  readonly #waiting = new Map<string, Waiting>()
  readonly #jobs: (() => Promise<void>)[] = []
  #running = 0
  /** What is kept is kept in the order in which it happened. */
  #keeping: Promise<void> = Promise.resolve()
  #moving = false
  /** What is still to be kept. */
  #unkept = 0
  /** There is more to read than there is room for. */
  #full = false
  #paused = false
  readonly #whenIdle: (() => void)[] = []

  constructor(options: FollowerOptions, position: bigint, waiting: readonly WaitingRecord[]) {
    const { resource, types } = options.handler
    this.#options = options
    this.#filter = { resource, ...(types && { types }) }
    this.#read = position
    this.#kept = position
    for (const { record, position: from, attempts, due, error } of waiting)
      this.#waiting.set(record, {
        record,
        position: from,
        attempts,
        due,
        error,
        last: position,
        running: false,
      })
  }

  /** Begins what there is to do. @param latest the position of the last row that can be read */
  async look(latest: bigint): Promise<void> {
    this.#retry()
    while (this.#read < latest && this.#hasRoom()) {
      const rows = await this.#options.log.read(this.#read, mostRead, this.#filter)
      const last = rows.at(-1)?.position ?? this.#read
      // The rest of what could be read was not for this handler.
      this.#read = rows.length < mostRead && latest > last ? latest : last
      for (const row of rows) this.#take(row)
      this.#move()
    }
    this.#full = this.#read < latest
  }

  /** Whether there is something that could be begun. @param latest as of `look` */
  wants(latest: bigint): boolean {
    const due = this.#nextDue()
    return (this.#read < latest && this.#hasRoom()) || (due !== undefined && due <= this.#options.now())
  }

  /** Whether it could go on reading where it could not before. */
  get hasRoomAgain(): boolean {
    return this.#full && this.#hasRoom()
  }

  /** Does what somebody asked; false where that has to wait for what is being done. */
  answer({ record, asked }: Pick<AskedRecord, "record" | "asked">): boolean {
    const waiting = this.#waiting.get(record)
    if (!waiting) return true
    if (waiting.running) return false
    if (asked === "skip") waiting.position += 1n
    if (asked === "skip") waiting.error = null
    waiting.attempts = 0
    waiting.due = this.#options.now()
    this.#keep(waiting)
    return true
  }

  /** Whether there is nothing to do before the clock moves on. @param latest as of `look` */
  isThrough(latest: bigint): boolean {
    const due = this.#nextDue()
    return (
      this.#read >= latest &&
      this.#open.length === 0 &&
      this.#running === 0 &&
      this.#unkept === 0 &&
      (due === undefined || due > this.#options.now())
    )
  }

  /** When a record is to be tried again, the first of all. */
  #nextDue(): number | undefined {
    const all = [...this.#waiting.values()].flatMap(({ due, running }) =>
      due === null || running ? [] : [due],
    )
    return all.length === 0 ? undefined : all.reduce((least, due) => Math.min(least, due))
  }

  /** The records that wait, with what was thrown. */
  get failures(): readonly {
    readonly record: string
    readonly error: unknown
    readonly due: number | null
  }[] {
    return [...this.#waiting.values()].map(({ record, thrown, error, due }) => ({
      record,
      error: thrown ?? error,
      due,
    }))
  }

  /** Begins nothing more. */
  pause(): void {
    this.#paused = true
  }

  /** Resolves when nothing runs any more, and all is kept. */
  async ended(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
    await this.#keeping
  }

  #hasRoom(): boolean {
    return this.#open.length < mostOpen && this.#waiting.size < mostWaiting && !this.#paused
  }

  #take(row: LogRow): void {
    const waiting = this.#waiting.get(row.record)
    const one: Open = { row, done: waiting !== undefined }
    this.#open.push(one)
    if (waiting) {
      waiting.last = row.position
      return
    }
    const queue = this.#queues.get(row.record)
    if (queue) queue.push(one)
    else {
      this.#queues.set(row.record, [one])
      this.#job(() => this.#runQueue(row.record))
    }
  }

  #job(work: () => Promise<void>): void {
    this.#jobs.push(work)
    this.#pump()
  }

  #pump(): void {
    while (this.#running < mostAtOnce && !this.#paused) {
      const work = this.#jobs.shift()
      if (!work) return
      this.#running += 1
      void work()
        .catch((of: unknown) => this.#options.moved({ of }))
        .finally(() => {
          this.#running -= 1
          this.#pump()
          if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
          this.#options.moved()
        })
    }
  }

  /** Undefined when it went well; `stopped` where it was given up, and is neither done nor has failed. */
  async #attempt(row: LogRow): Promise<undefined | "stopped" | { readonly thrown: unknown }> {
    const { call, stop } = this.#options
    if (stop.aborted || this.#paused) return "stopped"
    try {
      await call(row, stop)
      return undefined
    } catch (thrown) {
      return stop.aborted ? "stopped" : { thrown }
    }
  }

  async #runQueue(record: string): Promise<void> {
    const queue = this.#queues.get(record) ?? []
    for (let first = queue[0]; first; first = queue[0]) {
      const failed = await this.#attempt(first.row)
      if (failed === "stopped") return
      if (failed) {
        const { position } = first.row
        const last = queue.at(-1)?.row.position ?? position
        const waiting: Waiting = {
          record,
          position,
          attempts: 0,
          due: null,
          error: null,
          last,
          running: false,
        }
        this.#waiting.set(record, waiting)
        this.#queues.delete(record)
        this.#failed(waiting, first.row, failed.thrown)
        // The record's own position is kept before that of the handler passes it.
        await this.#keeping
        for (const one of queue) one.done = true
        this.#move()
        return
      }
      queue.shift()
      first.done = true
      this.#move()
    }
    this.#queues.delete(record)
  }

  /** Records that are due go on from where they are. */
  #retry(): void {
    const now = this.#options.now()
    for (const waiting of this.#waiting.values()) {
      if (waiting.running || waiting.due === null || waiting.due > now) continue
      waiting.running = true
      this.#job(() =>
        this.#catchUp(waiting).finally(() => {
          waiting.running = false
        }),
      )
    }
  }

  /** Until nothing of the record was passed over that is not done. */
  async #catchUp(waiting: Waiting): Promise<void> {
    const { log } = this.#options
    const { record } = waiting
    while (waiting.position <= waiting.last) {
      const read = this.#read
      const rows = await log.read(waiting.position - 1n, mostRead, { ...this.#filter, record })
      // What has not been read yet for all records is not the record's own business.
      const passed = rows.filter(({ position }) => position <= read)
      if (passed.length === 0) waiting.position = read + 1n
      for (const row of passed) {
        const failed = await this.#attempt(row)
        if (failed === "stopped") return
        if (failed) {
          if (row.position !== waiting.position) waiting.attempts = 0
          waiting.position = row.position
          this.#failed(waiting, row, failed.thrown)
          return
        }
        Object.assign(waiting, { position: row.position + 1n, attempts: 0, error: null, thrown: undefined })
        this.#keep(waiting)
      }
    }
    this.#waiting.delete(record)
    this.#inOrder((kept) => kept.forget(this.#options.handler.name, record))
  }

  #failed(waiting: Waiting, row: LogRow, thrown: unknown): void {
    const { handler, now, tell } = this.#options
    waiting.attempts += 1
    waiting.thrown = thrown
    waiting.error = errorText(thrown)
    waiting.due =
      waiting.attempts > handler.retries ? null : now() + pauseAfter(waiting.attempts, Math.random())
    this.#keep(waiting)
    tell({
      kind: "unhandled",
      handler: handler.name,
      event: eventId(row.position),
      record: row.record,
      error: thrown,
      attempts: waiting.attempts,
      due: waiting.due,
    })
  }

  #keep({ record, position, attempts, due, error }: Waiting): void {
    const handler = this.#options.handler.name
    this.#inOrder((kept) => kept.keep({ handler, record, position, attempts, due, error }))
  }

  /** A fault ends this follower: another one begins with what was kept. */
  #inOrder(work: (kept: KeptByHolder) => Promise<void>): void {
    this.#unkept += 1
    this.#keeping = this.#keeping.then(() => work(this.#options.kept))
    this.#keeping.then(
      () => {
        this.#unkept -= 1
        this.#options.moved()
      },
      (of: unknown) => this.#options.moved({ of }),
    )
  }

  /** What is done is kept, and one time for as much as has been done when that begins. */
  #move(): void {
    while (this.#open[0]?.done) this.#open.shift()
    if (this.#moving || this.#position() <= this.#kept) return
    this.#moving = true
    this.#inOrder(async (kept) => {
      this.#kept = this.#position()
      await kept.move(this.#options.handler.name, this.#kept)
      this.#moving = false
      this.#move()
    })
  }

  /** Before the first that is not done. */
  #position(): bigint {
    const [first] = this.#open
    return first ? first.row.position - 1n : this.#read
  }
}

/** No NUL, which PostgreSQL does not keep. */
const errorText = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown))
    .replaceAll("\0", "")
    .toWellFormed()
    .slice(0, longestError)
