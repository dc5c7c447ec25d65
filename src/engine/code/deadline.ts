// Own code that may take so long, and no longer.

interface Limit {
  readonly milliseconds: number
  /** What it rejects with when the time is over. */
  readonly late: () => unknown
  /** Ends it before, with its reason. */
  readonly stop?: AbortSignal
}

/** Rejects when the time is over; what the code comes to afterwards is nobody's. */
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
