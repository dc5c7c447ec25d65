// A deadline for user code.

interface Limit {
  readonly milliseconds: number
  /** The rejection after the deadline. */
  readonly late: () => unknown
  /** Ends it before, with its reason. */
  readonly stop?: AbortSignal
}

/** Asked at the deadline of a call, by its signal. */
const excuses = new WeakMap<AbortSignal, () => unknown>()

/** @param found the rejection in place of `late` where others had the call's time; undefined where they had not */
export const excuse = (signal: AbortSignal, found: () => unknown): void => void excuses.set(signal, found)

/** Code that runs in threads, with the start of its thread. */
const starts = new WeakMap<object, () => Promise<void> | undefined>()

export const startsWith = (code: object, loading: () => Promise<void> | undefined): void =>
  void starts.set(code, loading)

/** Resolves when a thread can begin the code, whose time counts from then; undefined where it can, or needs none. */
export const untilStarted = (code: object): Promise<void> | undefined => starts.get(code)?.()

/** Rejects after the deadline; a later result is ignored. */
export async function inTime<Result>(
  { milliseconds, late, stop }: Limit,
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  stop?.throwIfAborted()
  const over = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = (reason: unknown): void => {
    reject(reason)
    over.abort(reason)
  }
  const stopped = (): void => end(stop?.reason)
  const timer = setTimeout(() => end(excuses.get(over.signal)?.() ?? late()), milliseconds)
  stop?.addEventListener("abort", stopped, { once: true })
  try {
    return await Promise.race([ended, (async () => work(over.signal))()])
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener("abort", stopped)
  }
}
