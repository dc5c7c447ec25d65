// Values that are loaded at their first use.

/** Concurrent callers share one load. A failed load is tried again by the next call. */
export function lazily<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
