// Advisory locks of transactions that are in each other's way: those exclude each other when they are done again, in every process
// at the database. The session takes them before a transaction begins: a serializable transaction sees the database as of its
// first statement, and must not wait after that.
import type { PostgresQuery } from "./query.ts"

/**
 * `beside`: beside all others. `line`: beside transactions of other names. `alone`: no other transaction of user code is
 * under way.
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

/** Sent before BEGIN. */
export function retryLocks({ exclusion, names, left }: LockLimits): readonly PostgresQuery[] {
  if (exclusion === "alone") return taken([codeLock("", "")], left)
  const own = [...names].sort().map((name) => codeLock(exclusion === "line" ? "" : "_shared", name))
  return taken([codeLock("_shared", ""), ...own], left)
}

/** Sent before BEGIN: the line of each table. @param left milliseconds until it must have begun */
export function lineLocks(tables: readonly string[], left: number): readonly PostgresQuery[] {
  // All that write no known table are in one line.
  const names = tables.length === 0 ? [""] : [...tables].sort()
  return taken(names.map(tableLock), left)
}

interface Lock {
  readonly name: string
  readonly call: (parameter: string) => string
}

const codeLock = (how: "" | "_shared", name: string): Lock => ({
  name,
  call: (parameter) => `pg_advisory_lock${how}(hashtextextended(${parameter}, 7163384699739271168))`,
})

const tableLock = (name: string): Lock => ({
  name,
  call: (parameter) => `pg_advisory_lock(1667856239, hashtext(${parameter}))`,
})

/** All locks by one statement: its time limit covers them together. */
const taken = (locks: readonly Lock[], left: number): readonly PostgresQuery[] => [
  { text: "BEGIN", values: [] },
  { text: limit, values: [String(left)] },
  {
    text: `SELECT ${locks.map(({ call }, at) => call(`$${at + 1}`)).join(", ")}`,
    values: locks.map(({ name }) => name),
  },
  { text: "COMMIT", values: [] },
]

const limit = "SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', '0', true)"

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
