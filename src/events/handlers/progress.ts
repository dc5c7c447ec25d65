// The progress of a handler: its open events, and the stored position up to which all events are done.
import { performance } from "node:perf_hooks"
import type { LogRow } from "../../storage/log-types.ts"
import type { CheckpointsByHolder } from "./checkpoints.ts"

/** An event that has been read. */
export interface OpenEvent {
  readonly row: LogRow
  done: boolean
}

interface ProgressOptions {
  readonly handler: string
  /** Partitions that are held now. */
  readonly partitions: () => readonly number[]
  readonly kept: CheckpointsByHolder
  /** As it is kept. */
  readonly position: bigint
  /** Something has been kept; with a fault where it was not: then nothing more is. */
  readonly moved: (fault?: { readonly of: unknown }) => void
}

/** Milliseconds. */
const seldom = 1_000

export class Progress {
  readonly #options: ProgressOptions
  /** Everything up to it has been read. */
  read: bigint
  /** As it is kept, or is being kept. */
  #kept: bigint
  /** Events that are not done, and those done behind them, in the order of the log. */
  readonly #open: OpenEvent[] = []
  /** Checkpoints are kept in the order in which they happened. */
  #keeping: Promise<void> = Promise.resolve()
  /** Checkpoints that are still to be kept. */
  #unkept = 0
  #moving = false
  /** As of `performance.now()`. */
  #movedAt = -Infinity
  /** Something was done since the progress was kept the last time. */
  #worked = false

  constructor(options: ProgressOptions) {
    this.#options = options
    this.read = options.position
    this.#kept = options.position
  }

  /** Events that are open. */
  get size(): number {
    return this.#open.length
  }

  /** Whether all that was read is done, and kept. */
  get isThrough(): boolean {
    return this.#open.length === 0 && this.#unkept === 0
  }

  open(one: OpenEvent): void {
    this.#open.push(one)
    this.#worked = true
  }

  /** Up to where all events that are chosen are done. @param read where none is open */
  doneOf(isChosen: (row: LogRow) => boolean, read: bigint): bigint {
    const first = this.#open.find((one) => !one.done && isChosen(one.row))
    return first ? first.row.position - 1n : read
  }

  /** Forgets events that are another's to do. */
  drop(isDropped: (row: LogRow) => boolean): void {
    const left = this.#open.filter(({ row }) => !isDropped(row))
    this.#open.splice(0, this.#open.length, ...left)
  }

  /** Resolves when all that was to be kept so far is. */
  get kept(): Promise<void> {
    return this.#keeping
  }

  inOrder(work: (kept: CheckpointsByHolder) => Promise<void>): void {
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

  /** Keeps the progress: once for all events that are done when it begins; seldom where only others' events went by. */
  move(): void {
    while (this.#open[0]?.done) this.#open.shift()
    if (this.#moving || this.#position() <= this.#kept) return
    if (!this.#worked && performance.now() - this.#movedAt < seldom) return
    this.#moving = true
    this.inOrder(async (kept) => {
      const { handler, partitions } = this.#options
      this.#kept = this.#position()
      this.#movedAt = performance.now()
      this.#worked = this.#open.length > 0
      const held = partitions()
      if (held.length > 0) await kept.move({ handler, partitions: held, position: this.#kept })
      this.#moving = false
      this.move()
    })
  }

  /** Before the first that is not done. */
  #position(): bigint {
    const [first] = this.#open
    return first ? first.row.position - 1n : this.read
  }
}

// Work that is done at the same time, as much of it as may be; the rest waits for its turn.
type Work = () => Promise<void>

export class Jobs {
  readonly #most: number
  /** Called when one has ended: with the fault, where it rejected. */
  readonly #ended: (fault?: { readonly of: unknown }) => void
  readonly #waiting: Work[] = []
  readonly #whenIdle: (() => void)[] = []
  #running = 0
  #paused = false

  constructor(most: number, ended: (fault?: { readonly of: unknown }) => void) {
    this.#most = most
    this.#ended = ended
  }

  get running(): number {
    return this.#running
  }

  get paused(): boolean {
    return this.#paused
  }

  add(work: Work): void {
    this.#waiting.push(work)
    this.#pump()
  }

  /** Begins nothing more. */
  pause(): void {
    this.#paused = true
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  #pump(): void {
    while (this.#running < this.#most && !this.#paused) {
      const work = this.#waiting.shift()
      if (!work) return
      this.#running += 1
      void work()
        .catch((of: unknown) => this.#ended({ of }))
        .finally(() => {
          this.#running -= 1
          this.#pump()
          if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
          this.#ended()
        })
    }
  }
}
