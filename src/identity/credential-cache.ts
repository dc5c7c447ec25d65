// A short-lived cache of callers by credential. A caller is not looked up for every request, and is looked up again before
// a revoked credential could be used for long.
import { createRecent } from "../base/caches.ts"

export interface CredentialCache<Value> {
  /** Undefined when nothing is known any more. */
  get(key: string): Value | undefined
  /** @param asked when what is known was found out, in milliseconds: before it was asked for, not after */
  set(key: string, value: Value, asked: number): void
}

/** @param lifetime milliseconds @param count values that are kept; the least recently used go */
export function createCredentialCache<Value>(
  now: () => number,
  { lifetime, count }: { readonly lifetime: number; readonly count: number },
): CredentialCache<Value> {
  const known = createRecent<string, { readonly value: Value; readonly asked: number }>({
    count,
    weight: count,
  })
  return {
    get(key) {
      const found = known.get(key)
      // A clock that was set back must not make it last.
      const age = found && now() - found.asked
      return age !== undefined && age >= 0 && age < lifetime ? found?.value : undefined
    },
    set: (key, value, asked) => known.set(key, { value, asked }, 1),
  }
}
