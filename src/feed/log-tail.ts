// The end of the log, read once for all who follow it in a process.
import type { Log, LogRow } from "../storage/log-types.ts"

/** Rows that follow one another. */
interface LogBatch {
  readonly rows: readonly LogRow[]
  /** The position behind which to go on. */
  readonly through: bigint
  /** Rows before the first one have been removed from the log. */
  readonly gap: boolean
}

export interface LogTail {
  /** Resolves with the rows after a position, once there are any; undefined when the signal aborts before. Rejects as a storage does. */
  next(after: bigint, signal: AbortSignal): Promise<LogBatch | undefined>
  /** Something may have been written. */
  wake(): void
  close(): void
}

export interface LogTailOptions {
  readonly log: Pick<Log, "read" | "latest">
  /** Milliseconds between looks for what other processes wrote; a second when absent. */
  readonly look?: number
}

/** Rows that are read at a time. */
const most = 100
/** Batches at the end of the log that are kept for followers a little behind. */
const mostKept = 50
const usualLook = 1_000

interface Kept extends LogBatch {
  readonly after: bigint
}

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
  /** The first rows after a position that no kept batch begins at. */
  const readAfter = async (after: bigint): Promise<Kept | undefined> => {
    const rows = await log.read(after, most)
    const [first] = rows
    const last = rows.at(-1)
    return first && last && { after, rows, through: last.position, gap: first.position > after + 1n }
  }
  /** Followers at the end of the log share a read. */
  const extend = async (): Promise<readonly Kept[]> => {
    const end = kept.at(-1)?.through ?? (await log.latest())
    const next = await readAfter(end)
    // Kept also where it is empty: the end is where the next read begins.
    kept = next ? [...kept, next].slice(-mostKept) : kept.length > 0 ? kept : [emptyAt(end)]
    return next ? [next] : []
  }
  const begin = (): Promise<readonly Kept[]> => {
    awaited = awake.promise
    return extend().finally(() => {
      reading = undefined
    })
  }
  const find = async (after: bigint): Promise<LogBatch | undefined> => {
    const known = kept.find((one) => one.after === after && one.rows.length > 0)
    if (known) return known
    const end = kept.at(-1)?.through
    if (end === undefined || after >= end) {
      reading ??= begin()
      const [next] = await reading
      if (next?.after === after) return next
      if (next === undefined && after >= (kept.at(-1)?.through ?? after)) return undefined
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

const emptyAt = (position: bigint): Kept => ({ after: position, rows: [], through: position, gap: false })

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
