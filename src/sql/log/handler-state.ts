// Statements for the state of handlers: positions, records that wait, and the process that runs them.
import type { Value } from "../../plan/read-plan.ts"
import { type ColumnType, plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, commas, type Fragment, name, sql } from "../fragment.ts"
import { internalParameter, numeric, type Question, question } from "../internal-query.ts"
import { arrayText, concatenated, objectText, type TextMember } from "../json-text.ts"
import { handlerRecordTable, handlerTable, leaseTable } from "../schema/handler-tables.ts"

const int64: ColumnType = { scalar: "int64", list: false, stored: "plain" }
const [handlers, records, leases] = [handlerTable, handlerRecordTable, leaseTable].map((one) =>
  name(one.name),
) as [Fragment, Fragment, Fragment]
const { columns: of } = handlerTable
const { columns } = handlerRecordTable
const { columns: lease } = leaseTable
/** The one lease there is. */
const running = "handlers"

/** A record that waits: what is kept of it. */
export interface WaitingRecord {
  readonly handler: string
  readonly record: string
  readonly position: bigint
  readonly attempts: number
  /** Milliseconds since 1970; null where it is left to people. */
  readonly due: number | null
  readonly error: string | null
}

export type HandlerStatement = "retry" | "skip"

/** Where it is new; one that is known stays where it is. */
export const addHandler = (dialect: Dialect, handler: string, position: bigint): Question =>
  question(
    dialect,
    sql`INSERT INTO ${handlers} (${name(of.name)}, ${name(of.position)}) VALUES (${internalParameter(dialect, handler)}, ${numeric(dialect, position)}) ON CONFLICT (${name(of.name)}) DO NOTHING`,
  )

/** A JSON array of `{ name, position }`. */
export const allHandlers = (dialect: Dialect): Question =>
  rowsAsJson(dialect, handlers, [textMember(dialect, of.name), numberMember(of.position)], [of.name])

/** A JSON array of records that wait, with what is asked of them. */
export function waitingRecords(
  dialect: Dialect,
  wanted: { readonly handler?: string; readonly asked?: true } = {},
): Question {
  const { handler, record, position, attempts, due, error, asked } = columns
  const members = [
    ...[handler, record, error, asked].map((column) => textMember(dialect, column)),
    ...[position, attempts, due].map(numberMember),
  ]
  const tests = [
    ...(wanted.handler === undefined
      ? []
      : [sql`${name(handler)} = ${internalParameter(dialect, wanted.handler)}`]),
    ...(wanted.asked ? [sql`${name(asked)} IS NOT NULL`] : []),
  ]
  return rowsAsJson(dialect, records, members, [handler, position], tests)
}

function rowsAsJson(
  dialect: Dialect,
  table: Fragment,
  members: readonly TextMember[],
  order: readonly string[],
  tests: readonly Fragment[] = [],
): Question {
  const by = commas(order.map(name))
  const row = concatenated(dialect, objectText(members))
  const text = concatenated(dialect, arrayText(row, sql` ORDER BY ${by}`))
  const where = tests.length === 0 ? sql`` : sql` WHERE ${allOf(tests)}`
  return question(dialect, sql`SELECT ${text} FROM ${table}${where}`)
}

const textMember = (dialect: Dialect, column: string): TextMember => ({
  key: column,
  text: [sql`coalesce(${dialect.print(name(column), plainText).text}, 'null')`],
})

/** As a text, since JSON's numbers are smaller. */
const numberMember = (column: string): TextMember => ({
  key: column,
  text: [sql`coalesce('"' || CAST(${name(column)} AS text) || '"', 'null')`],
})

/** Writes nothing once the lease is lost. */
const holds = (dialect: Dialect, holder: string): Fragment =>
  sql`EXISTS (SELECT 1 FROM ${leases} WHERE ${name(lease.name)} = ${internalParameter(dialect, running)} AND ${name(lease.holder)} = ${internalParameter(dialect, holder)})`

/** Forward only. */
export const moveHandler = (dialect: Dialect, holder: string, handler: string, position: bigint): Question =>
  question(
    dialect,
    sql`UPDATE ${handlers} SET ${name(of.position)} = ${numeric(dialect, position)} WHERE ${name(of.name)} = ${internalParameter(dialect, handler)} AND ${name(of.position)} < ${numeric(dialect, position)} AND ${holds(dialect, holder)}`,
  )

/** With its records that wait. */
export const removeHandler = (dialect: Dialect, holder: string, handler: string): readonly Question[] => {
  const remove = (table: Fragment, column: string): Question =>
    question(
      dialect,
      sql`DELETE FROM ${table} WHERE ${name(column)} = ${internalParameter(dialect, handler)} AND ${holds(dialect, holder)}`,
    )
  return [remove(records, columns.handler), remove(handlers, of.name)]
}

/** A command that arrived meanwhile is kept. */
export function keepRecord(dialect: Dialect, holder: string, waiting: WaitingRecord): Question {
  const { handler, record, position, attempts, due, error } = columns
  const values: readonly (readonly [column: string, value: Value, type: ColumnType])[] = [
    [handler, waiting.handler, plainText],
    [record, waiting.record, plainText],
    [position, waiting.position, int64],
    [attempts, BigInt(waiting.attempts), int64],
    [due, waiting.due === null ? null : BigInt(waiting.due), int64],
    [error, waiting.error, plainText],
  ]
  const changed = [position, attempts, due, error].map(
    (column) => sql`${name(column)} = excluded.${name(column)}`,
  )
  return question(
    dialect,
    sql`INSERT INTO ${records} (${commas(values.map(([column]) => name(column)))}) SELECT ${commas(values.map(([, value, type]) => internalParameter(dialect, value, type)))} WHERE ${holds(dialect, holder)} ON CONFLICT (${name(handler)}, ${name(record)}) DO UPDATE SET ${commas(changed)}`,
  )
}

export const forgetRecord = (dialect: Dialect, holder: string, handler: string, record: string): Question =>
  question(
    dialect,
    sql`DELETE FROM ${records} WHERE ${isRecord(dialect, handler, record)} AND ${holds(dialect, holder)}`,
  )

const isRecord = (dialect: Dialect, handler: string, record: string): Fragment =>
  sql`${name(columns.handler)} = ${internalParameter(dialect, handler)} AND ${name(columns.record)} = ${internalParameter(dialect, record)}`

/** By the process that runs the handlers, for one record. */
export const askFor = (
  dialect: Dialect,
  handler: string,
  record: string,
  asked: HandlerStatement,
): Question =>
  question(
    dialect,
    sql`UPDATE ${records} SET ${name(columns.asked)} = ${internalParameter(dialect, asked)} WHERE ${isRecord(dialect, handler, record)}`,
  )

/** The command is being done; one that came since then stays. */
export const takeAsked = (
  dialect: Dialect,
  handler: string,
  record: string,
  asked: HandlerStatement,
): Question =>
  question(
    dialect,
    sql`UPDATE ${records} SET ${name(columns.asked)} = NULL WHERE ${isRecord(dialect, handler, record)} AND ${name(columns.asked)} = ${internalParameter(dialect, asked)}`,
  )

/** Milliseconds since 1970, by the clock that all processes have in common. */
const now = ({ name: called }: Dialect): Fragment =>
  called === "postgres"
    ? sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`
    : sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`

/**
 * A row where the holder has it now: it was free, or theirs already, or that of a holder that is gone.
 * @param length milliseconds
 */
export const takeLease = (
  dialect: Dialect,
  holder: string,
  { length, gone = holder }: { readonly length: number; readonly gone?: string },
): Question =>
  question(
    dialect,
    sql`INSERT INTO ${leases} (${commas([lease.name, lease.holder, lease.until].map(name))}) VALUES (${internalParameter(dialect, running)}, ${internalParameter(dialect, holder)}, ${now(dialect)} + ${numeric(dialect, BigInt(length))}) ON CONFLICT (${name(lease.name)}) DO UPDATE SET ${name(lease.holder)} = excluded.${name(lease.holder)}, ${name(lease.until)} = excluded.${name(lease.until)} WHERE ${leases}.${name(lease.holder)} IN (excluded.${name(lease.holder)}, ${internalParameter(dialect, gone)}) OR ${leases}.${name(lease.until)} < ${now(dialect)} RETURNING ${name(lease.holder)}`,
  )

/** A JSON array of one `{ holder }`, or of none. */
export const leaseHolder = (dialect: Dialect): Question =>
  rowsAsJson(
    dialect,
    leases,
    [textMember(dialect, lease.holder)],
    [lease.name],
    [sql`${name(lease.name)} = ${internalParameter(dialect, running)}`],
  )

export const leaveLease = (dialect: Dialect, holder: string): Question =>
  question(
    dialect,
    sql`DELETE FROM ${leases} WHERE ${name(lease.name)} = ${internalParameter(dialect, running)} AND ${name(lease.holder)} = ${internalParameter(dialect, holder)}`,
  )

/** Statements that fail where the tables are not there. */
export const touchHandlers = (dialect: Dialect): readonly Question[] =>
  [handlers, records, leases].map((table) => question(dialect, sql`SELECT 1 FROM ${table} WHERE 1 = 0`))
