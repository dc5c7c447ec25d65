// A deadline for user code.

interface Limit {
  readonly milliseconds: number
  /** The rejection after the deadline. */
  readonly late: () => unknown
  /** Ends it before, with its reason. */
  readonly stop?: AbortSignal
}

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
  const timer = setTimeout(() => end(late()), milliseconds)
  stop?.addEventListener("abort", stopped, { once: true })
  try {
    return await Promise.race([ended, (async () => work(over.signal))()])
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener("abort", stopped)
  }
}
