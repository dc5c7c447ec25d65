// Advisory locks of serializable transactions: those that fail because of each other exclude each other when they are done
// again, in every process at the database. The session takes them before a transaction begins: a serializable transaction
// sees the database as of its first statement, and must not wait after that.
import type { PostgresQuery } from "./query.ts"

/**
 * `beside`: beside all others. `line`: beside those of other names. `alone`: no other transaction of user code is under way.
 */
export type Exclusion = "beside" | "line" | "alone"

/** Milliseconds for a lock of a row: a transaction that waits for a writer is likely to fail as soon as it has the lock. */
const beside = 50
const inLine = 500

interface LockLimits {
  readonly exclusion: Exclusion
  readonly names: readonly string[]
  /** Milliseconds until it must have begun. */
  readonly left: number
}

/** Sent before BEGIN. Those that fail have waited until the deadline. */
export function retryLocks({ exclusion, names, left }: LockLimits): readonly PostgresQuery[] {
  const wait = { text: "SELECT set_config('lock_timeout', $1, false)", values: [String(left)] }
  const everybody = lock(exclusion === "alone" ? "" : "_shared", "")
  if (exclusion === "alone") return [wait, everybody]
  const own = [...names].sort().map((name) => lock(exclusion === "line" ? "" : "_shared", name))
  return [wait, everybody, ...own]
}

const lock = (how: "" | "_shared", name: string): PostgresQuery => ({
  text: `SELECT pg_advisory_lock${how}(hashtextextended($1, 7163384699739271168))`,
  values: [name],
})

/** Sent when the transaction has ended. */
export const unlockAll: PostgresQuery = { text: "SELECT pg_advisory_unlock_all()", values: [] }

/**
 * Milliseconds for a lock of a row. Half of those that a transaction may take leave time for its code.
 * @param isBlocked one before has waited in vain
 */
export function rowLockWait(exclusion: Exclusion, isBlocked: boolean, lasts: number): number {
  const most = Math.ceil(lasts / 2)
  if (exclusion === "beside") return Math.min(beside, most)
  return isBlocked ? most : Math.min(inLine, most)
}
