// Turns of serializable transactions. Transactions that fail because of each other have a turn of their own when they are
// done again, in every process at the database. Locks of the session are taken before a transaction begins: a serializable
// one sees the database as of its first statement, and must not wait after that.
import type { PostgresQuery } from "./query.ts"

/**
 * `beside`: beside all others. `line`: beside those of other names. `alone`: no other transaction of user code is under way.
 */
export type Turn = "beside" | "line" | "alone"

/** Milliseconds that it may wait for a lock of a row: whoever waits is likely to fail as soon as it has it. */
const beside = 50
const inLine = 500

interface TurnLimits {
  readonly turn: Turn
  readonly names: readonly string[]
  /** Milliseconds until its deadline. */
  readonly left: number
}

/** Sent before BEGIN. Those that fail have waited until the deadline. */
export function takeTurn({ turn, names, left }: TurnLimits): readonly PostgresQuery[] {
  const wait = { text: "SELECT set_config('lock_timeout', $1, false)", values: [String(left)] }
  const everybody = lock(turn === "alone" ? "" : "_shared", "")
  if (turn === "alone") return [wait, everybody]
  const own = [...names].sort().map((name) => lock(turn === "line" ? "" : "_shared", name))
  return [wait, everybody, ...own]
}

const lock = (how: "" | "_shared", name: string): PostgresQuery => ({
  text: `SELECT pg_advisory_lock${how}(hashtextextended($1, 7163384699739271168))`,
  values: [name],
})

/** Sent when the transaction has ended. */
export const leaveTurn: PostgresQuery = { text: "SELECT pg_advisory_unlock_all()", values: [] }

/** Milliseconds for a lock of a row; 0 for all that is left. */
export function waitOf(turn: Turn, isBlocked: boolean): number {
  if (turn === "beside") return beside
  return isBlocked ? 0 : inLine
}
