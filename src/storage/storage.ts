// What the engine needs of a database. sqlite.ts and postgres.ts are the two there are.
import type { Dialect } from "../sql/dialect.ts"
import type { Parameter, Statement } from "../sql/statement.ts"

export interface Storage {
  readonly dialect: Dialect
  /** The result's only row: one text, or null, per column. Faults are Refusals (`storage_unavailable`) or our bugs. */
  read(statement: Statement, parameters: readonly Parameter[]): Promise<readonly (string | null)[]>
  /** Statements sent since the start, for tests that count them. */
  readonly sent: number
  close(): Promise<void>
}
