// The engine's interface to a database, with two implementations: sqlite.ts and postgres.ts.

import type { JsonText } from "../base/json.ts"
import type { Request } from "../base/request.ts"
import type { Telemetry } from "../base/telemetry.ts"
import type { Statistics } from "../plan/cost/access-paths.ts"
import type { CostEstimate } from "../plan/cost/cost.ts"
import type { ConstraintViolation } from "../plan/write/problems.ts"
import type { Dialect } from "../sql/dialect.ts"
import type { Parameter, Statement } from "../sql/statement.ts"
import type { Log } from "./log-types.ts"
import type { Outcome, TransactOptions, Use, Work } from "./write-request.ts"

export type Lane = CostEstimate["pace"]

export interface Storage {
  /**
   * Dialects for statements of either pace, for generic prompt ones, and for writes. They change when traits of tables have
   * changed.
   */
  readonly dialects: Readonly<Record<Lane | "usual" | "write", Dialect>>
  /** Statistics for a plan's cost; refreshed from time to time. */
  readonly statistics: Statistics
  /**
   * The result's only row: per column a text, bytes where a long one is expected, or null. Faults are Refusals
   * (`storage_unavailable`, `overloaded` when too many wait already, `deadline_exceeded`) or our bugs.
   * @param outlook prompt and short unless said otherwise
   */
  read(
    statement: Statement,
    parameters: readonly Parameter[],
    outlook?: CostEstimate,
    request?: Request,
  ): Promise<Row>
  /**
   * Where a prompt read holds the process until it is done, so that nothing else is asked meanwhile. Takes as many
   * reads as one turn of the event loop has time for, and leaves the others. Returns the rows of the taken reads.
   * Several reads share one snapshot, for which the database is asked once. A row that is a promise may reject, as in
   * `read`.
   */
  readonly readTogether?: (
    reads: Iterable<Read>,
    options: { readonly isSeveral: boolean },
  ) => readonly (Row | Promise<Row>)[]
  /** Absent where nothing can be written. Rejects as `read` does; what was not done is an Outcome. */
  readonly write?: (work: Work, request?: Request) => Promise<Outcome>
  /** The log of changes; absent where nothing can be written. */
  readonly log?: Log
  /** By which processes at one database wake each other; absent where they have to look. */
  readonly signal?: WriteSignal
  /**
   * One transaction for as long as `use` takes; it is on disk when this resolves. Where others were in the way `use` is
   * called again. Rejects with what `use` rejects with, or as `write` does. Absent where nothing can be written.
   */
  readonly transact?: (use: Use, options: TransactOptions) => Promise<Outcome>
  /** The places where statements wait, as they are now. */
  lanes(): readonly LaneUse[]
  /** Statements sent since the start, for tests that count them. */
  readonly sent: number
  close(): Promise<void>
}

/**
 * Places for statements of one kind. `prompt`: reads on shared connections (PostgreSQL). `slow`: reads that may take long.
 * `write`: writes. `code`: transactions of user code.
 */
export interface LaneUse {
  readonly lane: "prompt" | "slow" | "write" | "code"
  /** Places in use, and those that there are. */
  readonly used: number
  readonly most: number
  readonly waiting: number
}

/** A hint that may be lost: followers of the log look for what others write, too. */
export interface WriteSignal {
  /** Something was committed. Several times in a short while are one. */
  tell(): void
  /** Calls the listener when another process has told something, or may have. */
  hear(listener: () => void): void
}

/** Options of `read`. */
export interface Read {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
  readonly outlook: CostEstimate | undefined
  /** A key of the parameters, where it is known. */
  readonly values?: string
  readonly request?: Request | undefined
}

export type Row = readonly (JsonText | Buffer | null)[]

/** The default expectation of a read. */
export const unremarkable: CostEstimate = { pace: "prompt", long: false, usual: false }

export interface StorageOptions {
  /** Milliseconds until a statement is ended. */
  readonly deadline: number
  /** SQLite: threads for what may be slow. PostgreSQL: connections for it. */
  readonly slow: number
  /** Reads that may wait for one of those; more are refused. */
  readonly waiting: number
  /**
   * `durable`: an acknowledged write is on disk, and a database that does not promise so is refused; `unsafe`: any
   * promise of the database will do.
   */
  readonly writes: "none" | "durable" | "unsafe"
  /** Writes beside user code, whose transactions see to it that what they have read is still true when they commit. */
  readonly serializable?: boolean
  /** Milliseconds that a statement may wait behind statements of other clients; a longer wait is refused at once. */
  readonly patience: number
  /** A missing log is made, in an unmanaged database. In a managed one, which Bifold made, the log was lost. */
  readonly makesLog: boolean
  /** PostgreSQL: `server` compiles statements that look expensive where the server has it so; `off` compiles none. */
  readonly jit: "off" | "server"
  /** Receives each statement; absent without watchers. */
  readonly telemetry?: Telemetry
}

export const defaultStorageOptions: StorageOptions = {
  deadline: 10_000,
  slow: 2,
  waiting: 100,
  writes: "none",
  makesLog: true,
  patience: 2_000,
  jit: "off",
}

// Constraint violations as data: the rule, and its columns. The database's own words go no further.

/** The table that the refused statement writes, of links the join table, and what it does there. */
export interface Attempt {
  readonly table: string
  readonly kind: "insert" | "update" | "delete"
}

/** A rule without any further details. */
export const violation = (rule: ConstraintViolation["rule"]): ConstraintViolation => ({ rule, columns: [] })
