// The end of the log, read once for all who follow it in a process.
import type { LogPlace } from "../sql/log/epochs.ts"
import type { Log, LogPart } from "../storage/log-types.ts"

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

export function createLogTail({ log, look = usualLook }: LogTailOptions): LogTail {
  /** In the order of the log. */
  let kept: readonly Kept[] = []
  let reading: Promise<readonly Kept[]> | undefined
  let awake = Promise.withResolvers<void>()
  /** Was awaited when the read under way began, whose result may be older than what has been told since. */
  let awaited = awake.promise
  let followers = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const rouse = (): void => {
    awake.resolve()
    awake = Promise.withResolvers()
  }
  const attend = (change: 1 | -1): void => {
    followers += change
    if (followers > 0 && !timer) timer = setInterval(rouse, look).unref()
    else if (followers === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
  let rows: number = most.rows
  /** The first rows after a place that no kept batch begins at. */
  const readAfter = async (after: LogPlace): Promise<Kept | undefined> => {
    const part = await log.follow(after, rows)
    if (part.size > most.size) rows = Math.max(1, Math.floor((rows * most.size) / part.size))
    else rows = Math.min(most.rows, rows * 2)
    return part.rows.length > 0 || part.gap ? { after, ...part } : undefined
  }
  /** Followers at the end of the log share a read. */
  const extend = async (): Promise<readonly Kept[]> => {
    const end = kept.at(-1)?.through ?? (await log.end()).end
    const next = await readAfter(end)
    // Kept also where it is empty: the end is where the next read begins.
    if (!next) kept = kept.length > 0 ? kept : [emptyAt(end)]
    // The others are of a log that is no more.
    else kept = next.gap === "replaced" ? [next] : lastOf([...kept, next])
    return next ? [next] : []
  }
  const begin = (): Promise<readonly Kept[]> => {
    awaited = awake.promise
    return extend().finally(() => {
      reading = undefined
    })
  }
  const find = async (after: LogPlace): Promise<LogPart | undefined> => {
    const known = kept.find((one) => isSame(one.after, after) && !isSame(one.through, after))
    if (known) return known
    const end = kept.at(-1)?.through
    if (end === undefined || after.position >= end.position) {
      reading ??= begin()
      const [next] = await reading
      if (next && isSame(next.after, after)) return next
      if (next === undefined && isSame(kept.at(-1)?.through ?? after, after)) return undefined
    }
    return await readAfter(after)
  }
  return {
    async next(after, signal) {
      attend(1)
      try {
        while (!signal.aborted && !closed) {
          const promise = reading ? awaited : awake.promise
          const found = await find(after)
          if (found) return found
          await untilAborted(promise, signal)
        }
        return undefined
      } finally {
        attend(-1)
      }
    },
    wake: rouse,
    close() {
      closed = true
      rouse()
    },
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
