// Settings that a session of Bifold begins with. Each is a statement by itself: poolers refuse what they do not know at a
// connection's start.
import { ownWrites } from "../../sql/log/capture.ts"
import type { StorageOptions } from "../storage.ts"

/** The SQL of postgres.ts relies on them, whatever the database or the role has set: they decide the text of values. */
const forms = "SET TIME ZONE 'UTC'; SET datestyle = 'ISO'; SET extra_float_digits = 1"

/** Does nothing in an engine that speaks PostgreSQL's protocol and has no such setting. */
export const setWhereKnown = (name: string, value: string): string =>
  `SELECT set_config('${name}', '${value}', false) WHERE current_setting('${name}', true) IS NOT NULL`

/** Rules that lead through relations look expensive to the planner, and compiling them takes seconds that nothing can end. */
const compiling = (jit: StorageOptions["jit"]): string =>
  jit === "server" ? "" : `; ${setWhereKnown("jit", "off")}`

type Given = Pick<StorageOptions, "deadline" | "jit" | "serializable">

/**
 * PostgreSQL looks for conflicts among serializable transactions only, and takes a table that is read from its beginning for
 * read as a whole: an index is worth more than its pages. A standby refuses all statements of such a session; when it
 * is promoted, its sessions must not be of another kind.
 */
const besideCode = `; ${setWhereKnown("random_page_cost", "0.1")}; SET default_transaction_isolation = 'serializable'`

/** Nothing is written. */
export const readSettings = ({ deadline, jit }: Given): string =>
  `${forms}; SET statement_timeout = ${deadline}; SET default_transaction_read_only = on${compiling(jit)}`

/** `remote_apply` waits for more than `on`: for standbys that show what was written. */
const synced =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') <> 'remote_apply'"

/**
 * A commit is acknowledged when it is on disk, whatever the database says it does by itself. Triggers that capture changes by
 * other programs pass over what these sessions write.
 * @param wait milliseconds for a lock; 0 for as long as a statement may take
 */
export const writeSettings = ({ deadline, jit, serializable = false }: Given, wait: number): string =>
  `${forms}; SET statement_timeout = ${deadline}; SET idle_in_transaction_session_timeout = ${deadline}; SET lock_timeout = ${wait}; ${synced}; ${ownWrites}${compiling(jit)}${serializable ? besideCode : ""}`
