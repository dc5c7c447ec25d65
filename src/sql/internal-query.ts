// Statements of Bifold's own with their values: what is asked of its own tables, apart from any plan.
import type { Value } from "../plan/read-plan.ts"
import { type ColumnType, plainText } from "./column-type.ts"
import type { Dialect } from "./dialect.ts"
import { bound, type Fragment, render } from "./fragment.ts"
import type { Parameter, Statement } from "./statement.ts"

export interface Question {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
}

/** A value, where it stands. */
export const internalParameter = (dialect: Dialect, value: Value, type = plainText): Fragment =>
  dialect.parameter(bound({ slot: 0, encode: () => dialect.encode(value, type) }), type)

const int64: ColumnType = { scalar: "int64", list: false, stored: "plain" }
export const numeric = (dialect: Dialect, value: bigint): Fragment => internalParameter(dialect, value, int64)

/** @param query with a row of one column at the most */
export function question(dialect: Dialect, query: Fragment): Question {
  const { text, binds } = render(query, dialect.placeholder)
  const parameters = binds.map(({ encode }) => encode(null))
  return { statement: { text, binds, columns: [0], cursors: [], flaws: false }, parameters }
}
