// One who follows the log, on the way along it, with the partitions of this process. Records are handled side by side, each record's events one after the other. Where
// one fails its record is left to wait, with a position of its own, and the others go on.

import type { Clock } from "../../base/clock.ts"
import { thrownMessage } from "../../base/thrown.ts"
import { readTraceparent, type Tracer, withTrace } from "../../base/tracing.ts"
import type { WaitingRecord } from "../../sql/log/handler-state.ts"
import type { Log, LogRow } from "../../storage/log-types.ts"
import type { AskedRecord, CheckpointsByHolder } from "./checkpoints.ts"
import { leastOf, partitionOf } from "./checkpoints.ts"
import { eventId } from "./event.ts"
import type { Followed, TellHandlers } from "./followed.ts"
import { Jobs, type OpenEvent, Progress } from "./progress.ts"

export interface FollowerOptions {
  readonly followed: Followed
  readonly log: Log
  readonly kept: CheckpointsByHolder
  /** Up to where each partition is done; of others nothing is handled. */
  readonly begins: ReadonlyMap<number, bigint>
  readonly tell: TellHandlers
  readonly clock: Clock
  /** Aborted when nothing more is begun, and running calls are given up. */
  readonly stop: AbortSignal
  /** Absent where spans are not collected. */
  readonly tracer?: Tracer | undefined
  /** False once another process may have the partitions. */
  readonly isHeld: () => boolean
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
  /** The same by the clock that is not set back. */
  dueAt: number | null
  error: string | null
  /** The position of the last event that was passed over because the record waits. */
  last: bigint
  /** The last error that a call in this process threw. */
  thrown?: unknown
  running: boolean
}

/** An event by its place in the log and its record. */
interface FailedEvent extends Pick<LogRow, "record" | "position"> {
  readonly id: string
}

const failedEvent = (row: LogRow): FailedEvent => ({ ...row, id: eventId(row) })

const waitingAt = (record: string, position: bigint, last: bigint): Waiting => ({
  record,
  position,
  attempts: 0,
  due: null,
  dueAt: null,
  error: null,
  last,
  running: false,
})

export class Follower {
  readonly #options: FollowerOptions
  /** Open events by record, the running one first. */
  readonly #queues = new Map<string, OpenEvent[]>()
  readonly #waiting = new Map<string, Waiting>()
  /** By record: what has failed after it was done, and is to be done again. */
  readonly #late = new Map<string, FailedEvent & { readonly thrown: unknown }>()
  readonly #progress: Progress
  readonly #jobs: Jobs
  /** Partitions that it has. */
  readonly #own: Set<number>
  /** Records with a running event. */
  readonly #underWay = new Set<string>()
  #ended: PromiseWithResolvers<void> = Promise.withResolvers()
  /** There is more to read than there is room for. */
  #full = false

  constructor(options: FollowerOptions, waiting: readonly WaitingRecord[]) {
    this.#options = options
    const { kept, moved, begins } = options
    this.#own = new Set(begins.keys())
    const position = leastOf(begins.values())
    const partitions = (): readonly number[] => [...this.#own]
    this.#progress = new Progress({ handler: options.followed.name, partitions, kept, position, moved })
    this.#jobs = new Jobs(mostAtOnce, moved)
    for (const { record, position: from, attempts, due, error } of waiting) {
      const last = begins.get(partitionOf(record))
      if (last === undefined) continue
      const own = { record, position: from, attempts, due, dueAt: this.#elapsedAt(due), error, last }
      this.#waiting.set(record, { ...own, running: false })
    }
  }

  /** A retry that was kept by a calendar that has been set back since comes after the longest pause. */
  #elapsedAt(due: number | null): number | null {
    const { clock, followed } = this.#options
    if (due === null) return null
    return clock.elapsed() + Math.min(Math.max(due - clock.now(), 0), followed.longestPause)
  }

  has(partition: number): boolean {
    return this.#own.has(partition)
  }

  /** Begins nothing more of the partitions. Resolves when they can be another's. */
  async release(partitions: ReadonlySet<number>): Promise<void> {
    // Behind it, events of theirs are passed over.
    const { read } = this.#progress
    for (const one of partitions) this.#own.delete(one)
    const isOf = (record: string): boolean => partitions.has(partitionOf(record))
    for (const record of [...this.#waiting.keys(), ...this.#late.keys()].filter(isOf)) {
      this.#waiting.delete(record)
      this.#late.delete(record)
    }
    while ([...this.#underWay].some(isOf)) await this.#ended.promise
    for (const record of [...this.#queues.keys()].filter(isOf)) this.#queues.delete(record)
    // An event that failed meanwhile.
    for (const record of [...this.#waiting.keys()].filter(isOf)) this.#waiting.delete(record)
    const handler = this.#options.followed.name
    const position = this.#progress.doneOf(({ record }) => isOf(record), read)
    this.#progress.drop(({ record }) => isOf(record))
    this.#progress.inOrder((kept) => kept.move({ handler, partitions: [...partitions], position }))
    this.#progress.move()
    await this.#progress.kept
  }

  /** While a release waits for it. */
  async #run(record: string, work: () => Promise<void>): Promise<void> {
    this.#underWay.add(record)
    try {
      await work()
    } finally {
      this.#underWay.delete(record)
      this.#ended.resolve()
      this.#ended = Promise.withResolvers()
    }
  }

  /** Begins what there is to do. @param latest the position of the last row that can be read */
  async look(latest: bigint): Promise<void> {
    this.#retry()
    while (this.#progress.read < latest && this.#hasRoom()) {
      const { log, followed } = this.#options
      const read = await log.read(this.#progress.read, mostRead, followed.filter)
      // Later entries are read the next time: they may not follow the entries read before.
      const rows = read.filter(({ position }) => position <= latest)
      const last = rows.at(-1)?.position ?? this.#progress.read
      // The rest of what could be read was not for this handler.
      this.#progress.read = rows.length < mostRead && latest > last ? latest : last
      for (const row of rows) this.#take(row)
      this.#progress.move()
    }
    // Where others' events went by it was too soon to keep that; nothing need come after them.
    this.#progress.move()
    this.#full = this.#progress.read < latest
  }

  /** Whether there is something that could be begun. @param latest as of `look` */
  wants(latest: bigint): boolean {
    const due = this.#nextDue()
    return (
      (this.#progress.read < latest && this.#hasRoom()) ||
      (due !== undefined && due <= this.#options.clock.elapsed())
    )
  }

  /** Whether it could go on reading where it could not before. */
  get hasRoomAgain(): boolean {
    return this.#full && this.#hasRoom()
  }

  /** Carries out a command; false if it must wait for the running event. */
  answer({ record, asked }: Pick<AskedRecord, "record" | "asked">): boolean {
    const waiting = this.#waiting.get(record)
    if (!waiting) return true
    if (waiting.running) return false
    if (asked === "skip") this.#passOver(waiting)
    else this.#goOn(waiting)
    return true
  }

  #passOver(waiting: Waiting): void {
    Object.assign(waiting, { position: waiting.position + 1n, error: null, thrown: undefined })
    this.#goOn(waiting)
  }

  #goOn(waiting: Waiting): void {
    waiting.attempts = 0
    const { now, elapsed } = this.#options.clock
    Object.assign(waiting, { due: now(), dueAt: elapsed() })
    this.#keep(waiting)
  }

  /** Whether there is nothing to do before the clock moves on. @param latest as of `look` */
  isThrough(latest: bigint): boolean {
    const due = this.#nextDue()
    return (
      this.#progress.read >= latest &&
      this.#progress.isThrough &&
      this.#jobs.running === 0 &&
      (due === undefined || due > this.#options.clock.elapsed())
    )
  }

  /** When a record is to be tried again, the first of all. */
  #nextDue(): number | undefined {
    const all = [...this.#waiting.values()].flatMap(({ dueAt, running }) =>
      dueAt === null || running ? [] : [dueAt],
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

  /** An event that was done has failed after all: its record waits with it, once what runs for the record has ended. */
  failLate(event: FailedEvent, thrown: unknown): void {
    const { record, position } = event
    if (!this.#own.has(partitionOf(record))) return
    const known = this.#late.get(record)
    // An earlier one is followed by all later ones.
    if (known && known.position <= position) return
    this.#late.set(record, { ...event, thrown })
    this.#jobs.add(async () => this.#returnTo(record))
  }

  #returnTo(record: string): void {
    const late = this.#late.get(record)
    const known = this.#waiting.get(record)
    // A running call of the record comes here again when it ends.
    if (!late || this.#queues.has(record) || known?.running) return
    this.#late.delete(record)
    // The event is not done yet, or is to be done again anyway.
    if (known && known.position <= late.position) return
    const waiting = known ?? waitingAt(record, late.position, this.#progress.read)
    Object.assign(waiting, { position: late.position, attempts: 0 })
    this.#waiting.set(record, waiting)
    this.#failed(waiting, late, late.thrown)
  }

  get followed(): Followed {
    return this.#options.followed
  }

  /** Up to where everything is done; undefined while something is not. */
  get position(): bigint | undefined {
    return this.#progress.isThrough && this.#waiting.size === 0 ? this.#progress.read : undefined
  }

  /** Begins nothing more. */
  pause(): void {
    this.#jobs.pause()
  }

  /** Resolves when nothing runs any more, and all is kept. */
  async ended(): Promise<void> {
    await this.#jobs.idle()
    await this.#progress.kept
  }

  #hasRoom(): boolean {
    return this.#progress.size < mostOpen && this.#waiting.size < mostWaiting && !this.#jobs.paused
  }

  #take(row: LogRow): void {
    const partition = partitionOf(row.record)
    const begin = this.#options.begins.get(partition)
    if (begin === undefined || row.position <= begin || !this.#own.has(partition)) return
    const waiting = this.#waiting.get(row.record)
    const one: OpenEvent = { row, done: waiting !== undefined }
    this.#progress.open(one)
    if (waiting) {
      waiting.last = row.position
      return
    }
    const queue = this.#queues.get(row.record)
    if (queue) queue.push(one)
    else {
      this.#queues.set(row.record, [one])
      this.#jobs.add(() => this.#run(row.record, () => this.#runQueue(row.record)))
    }
  }

  /** Undefined when it went well; `stopped` where it was given up, and is neither done nor has failed. */
  async #attempt(
    row: LogRow,
    isRetry = false,
  ): Promise<undefined | "stopped" | { readonly thrown: unknown }> {
    const { followed, stop, isHeld, tracer } = this.#options
    if (stop.aborted || !isHeld() || this.#jobs.paused || !this.#own.has(partitionOf(row.record)))
      return "stopped"
    try {
      await withTrace(readTraceparent(row.trace), tracer, () => followed.call(row, stop, isRetry))
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
        const waiting = waitingAt(record, position, last)
        this.#waiting.set(record, waiting)
        this.#queues.delete(record)
        this.#failed(waiting, failedEvent(first.row), failed.thrown)
        // The record's own position is stored before the handler's position passes it.
        await this.#progress.kept
        for (const one of queue) one.done = true
        this.#progress.move()
        this.#returnTo(record)
        return
      }
      queue.shift()
      first.done = true
      this.#progress.move()
    }
    this.#queues.delete(record)
    this.#returnTo(record)
  }

  /** Records that are due go on from where they are. */
  #retry(): void {
    const elapsed = this.#options.clock.elapsed()
    for (const waiting of this.#waiting.values()) {
      if (waiting.running || waiting.dueAt === null || waiting.dueAt > elapsed) continue
      waiting.running = true
      this.#jobs.add(() =>
        this.#run(waiting.record, () => this.#catchUp(waiting)).finally(() => {
          waiting.running = false
          this.#returnTo(waiting.record)
        }),
      )
    }
  }

  /** Until nothing of the record was passed over that is not done. */
  async #catchUp(waiting: Waiting): Promise<void> {
    const { log, followed } = this.#options
    const { record } = waiting
    while (waiting.position <= waiting.last) {
      // Events that were not read yet for all records come later.
      let known = this.#progress.read
      if (waiting.last > known) known = waiting.last
      const rows = await log.read(waiting.position - 1n, mostRead, { ...followed.filter, record })
      const passed = rows.filter(({ position }) => position <= known)
      if (passed.length === 0) waiting.position = known + 1n
      for (const row of passed) {
        const isRetry = waiting.attempts > 0 && row.position === waiting.position
        const failed = await this.#attempt(row, isRetry)
        if (failed === "stopped") return
        if (failed) {
          if (row.position !== waiting.position) waiting.attempts = 0
          waiting.position = row.position
          this.#failed(waiting, failedEvent(row), failed.thrown)
          return
        }
        Object.assign(waiting, { position: row.position + 1n, attempts: 0, error: null, thrown: undefined })
        this.#keep(waiting)
      }
    }
    this.#waiting.delete(record)
    this.#progress.inOrder((kept) => kept.forget(followed.name, record))
  }

  #failed(waiting: Waiting, event: FailedEvent, thrown: unknown): void {
    const { followed, clock, tell } = this.#options
    waiting.attempts += 1
    const retry = followed.retry(waiting.attempts, thrown)
    const due = typeof retry === "number" ? clock.now() + retry : null
    if (!followed.quiet?.(thrown))
      tell({
        kind: followed.quiet ? "undelivered" : "unhandled",
        handler: followed.name,
        event: event.id,
        record: event.record,
        error: thrown,
        attempts: waiting.attempts,
        due,
      })
    if (retry === "passed") {
      this.#passOver(waiting)
      return
    }
    waiting.thrown = thrown
    waiting.error = errorText(thrown)
    waiting.due = due
    waiting.dueAt = retry === "people" ? null : clock.elapsed() + retry
    this.#keep(waiting)
  }

  #keep({ record, position, attempts, due, error }: Waiting): void {
    const handler = this.#options.followed.name
    this.#progress.inOrder((kept) => kept.keep({ handler, record, position, attempts, due, error }))
  }
}

/** No NUL, which PostgreSQL does not keep. */
const errorText = (thrown: unknown): string =>
  thrownMessage(thrown).replaceAll("\0", "").toWellFormed().slice(0, longestError)
