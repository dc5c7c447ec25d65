// The end of the log, read once for all who follow it in a process.
import type { LogPlace } from "../../sql/log/epochs.ts"
import type { Log, LogPart } from "../../storage/log-types.ts"

export interface LogTail {
  /** Resolves with the rows after a place, once there are any, or there is a gap; undefined when the signal aborts before. Rejects as a storage does. */
  next(after: LogPlace, signal: AbortSignal): Promise<LogPart | undefined>
  /** Something may have been written. */
  wake(): void
  close(): void
}

export interface LogTailOptions {
  readonly log: Pick<Log, "follow" | "end">
  /** Milliseconds between looks for what other processes wrote; a second when absent. */
  readonly look?: number
}

/** Rows that are read at a time, and characters of them, more or less: fewer rows are read after larger ones. */
const most = { rows: 100, size: 2_000_000 } as const
/** Batches at the end of the log that are kept for followers a little behind. */
const mostKept = { batches: 50, size: 8_000_000 } as const
const usualLook = 1_000

interface Kept extends LogPart {
  readonly after: LogPlace
}

const isSame = (one: LogPlace, other: LogPlace): boolean =>
  one.position === other.position && one.epoch === other.epoch

export const createLogTail = (options: LogTailOptions): LogTail => new SharedTail(options)

class SharedTail implements LogTail {
  readonly #log: LogTailOptions["log"]
  readonly #look: number
  /** In the order of the log. */
  #kept: readonly Kept[] = []
  #reading: Promise<readonly Kept[]> | undefined
  #awake = Promise.withResolvers<void>()
  /** Was awaited when the read under way began, whose result may be older than what has been told since. */
  #awaited = this.#awake.promise
  #followers = 0
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #rows: number = most.rows

  constructor({ log, look = usualLook }: LogTailOptions) {
    this.#log = log
    this.#look = look
  }

  async next(after: LogPlace, signal: AbortSignal): Promise<LogPart | undefined> {
    this.#attend(1)
    try {
      while (!signal.aborted && !this.#closed) {
        const promise = this.#reading ? this.#awaited : this.#awake.promise
        const found = await this.#find(after)
        if (found) return found
        await untilAborted(promise, signal)
      }
      return undefined
    } finally {
      this.#attend(-1)
    }
  }

  wake(): void {
    this.#awake.resolve()
    this.#awake = Promise.withResolvers()
  }

  close(): void {
    this.#closed = true
    this.wake()
  }

  #attend(change: 1 | -1): void {
    this.#followers += change
    if (this.#followers > 0 && !this.#timer) this.#timer = setInterval(() => this.wake(), this.#look).unref()
    else if (this.#followers === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  async #find(after: LogPlace): Promise<LogPart | undefined> {
    const known = this.#kept.find((one) => isSame(one.after, after) && !isSame(one.through, after))
    if (known) return known
    const end = this.#kept.at(-1)?.through
    if (end === undefined || after.position >= end.position) {
      this.#reading ??= this.#begin()
      const [next] = await this.#reading
      if (next && isSame(next.after, after)) return next
      if (next === undefined && isSame(this.#kept.at(-1)?.through ?? after, after)) return undefined
    }
    return await this.#readAfter(after)
  }

  #begin(): Promise<readonly Kept[]> {
    this.#awaited = this.#awake.promise
    return this.#extend().finally(() => {
      this.#reading = undefined
    })
  }

  /** Followers at the end of the log share a read. */
  async #extend(): Promise<readonly Kept[]> {
    const end = this.#kept.at(-1)?.through ?? (await this.#log.end()).end
    const next = await this.#readAfter(end)
    // Kept also where it is empty: the end is where the next read begins.
    if (!next) this.#kept = this.#kept.length > 0 ? this.#kept : [emptyAt(end)]
    // The others are of a log that is no more.
    else this.#kept = next.gap === "replaced" ? [next] : lastOf([...this.#kept, next])
    return next ? [next] : []
  }

  /** The first rows after a place that no kept batch begins at. */
  async #readAfter(after: LogPlace): Promise<Kept | undefined> {
    const part = await this.#log.follow(after, this.#rows)
    if (part.size > most.size) this.#rows = Math.max(1, Math.floor((this.#rows * most.size) / part.size))
    else this.#rows = Math.min(most.rows, this.#rows * 2)
    return part.rows.length > 0 || part.gap ? { after, ...part } : undefined
  }
}

const emptyAt = (place: LogPlace): Kept => ({ after: place, rows: [], through: place, size: 0 })

/** As many as are kept, the last of them always. */
function lastOf(batches: readonly Kept[]): readonly Kept[] {
  let size = 0
  const first = batches.findLastIndex((one) => {
    size += one.size
    return size > mostKept.size
  })
  const begin = Math.max(first + 1, batches.length - mostKept.batches)
  return batches.slice(Math.min(begin, batches.length - 1))
}

/** Resolves with the promise, or when the signal aborts. */
async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const abort = (): void => resolve()
  signal.addEventListener("abort", abort, { once: true })
  try {
    await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
