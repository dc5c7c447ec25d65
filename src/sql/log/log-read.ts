// The log as it is read by what follows it: the rows after a position, in their order. On PostgreSQL a row has no position
// until it is numbered, and it is numbered when it can be seen (docs/decisions/0147).
import { type ColumnType, plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, bound, type Fragment, name, render, sql, whole } from "../fragment.ts"
import { internalParameter, numeric, type Question, question } from "../internal-query.ts"
import { arrayText, concatenated, objectText, type TextMember } from "../json-text.ts"
import { epochTable } from "../schema/epoch-table.ts"
import { logTable } from "../schema/system-tables.ts"
import type { Parameter } from "../statement.ts"
import {
  beginEpoch,
  endOfEpoch,
  epochAt,
  type LogPlace,
  latestPosition,
  placeIn,
  removeBehind,
} from "./epochs.ts"

/** A filter on the log: everything when empty. */
export interface LogFilter {
  readonly resource?: string
  readonly resources?: readonly string[]
  /** A public id. */
  readonly record?: string
  /** Such as `order.paid`. */
  readonly types?: readonly string[]
}

const { columns } = logTable
const table = name(logTable.name)
const timestamp: ColumnType = { scalar: "timestamp", list: false, stored: "plain" }
const alias = name("entry")
const at = (column: string): Fragment => sql`${alias}.${name(column)}`

/** A JSON array of the first `most` rows after the position. */
export const rowsAfter = (dialect: Dialect, after: bigint, most: number, filter: LogFilter): Question =>
  question(dialect, rowsText(dialect, after, most, filter))

/**
 * The same; then the epoch that the log has at the place, the last position that was given, and that of the first row after
 * the place, whatever the filter.
 */
export function partAfter(
  dialect: Dialect,
  { position }: LogPlace,
  most: number,
  filter: LogFilter,
): Question {
  const after = numeric(dialect, position)
  const place = name(placeIn(dialect))
  const first = sql`(SELECT min(${place}) FROM ${table} WHERE ${place} > ${after})`
  return question(
    dialect,
    sql`SELECT (${rowsText(dialect, position, most, filter)}), ${epochAt(after)}, CAST(${latestPosition(dialect)} AS text), CAST(${first} AS text)`,
  )
}

/** The last position that was given with its epoch, and the epoch of another position. */
export function endWith(dialect: Dialect, position: bigint): Question {
  const last = latestPosition(dialect)
  return question(
    dialect,
    sql`SELECT CAST(${last} AS text), ${epochAt(last)}, ${epochAt(numeric(dialect, position))}`,
  )
}

/** The position where the log went another way after an epoch, and the epoch of that. */
export function forkAfter(dialect: Dialect, epoch: string): Question {
  const fork = sql`SELECT ${endOfEpoch(dialect, epoch)} AS "place"`
  return question(
    dialect,
    sql`SELECT CAST(${alias}."place" AS text), ${epochAt(sql`${alias}."place"`)} FROM (${fork}) AS ${alias}`,
  )
}

function rowsText(dialect: Dialect, after: bigint, most: number, filter: LogFilter): Fragment {
  const place = placeIn(dialect)
  const text = concatenated(dialect, arrayText(rowText(dialect, place), sql` ORDER BY ${at(place)}`))
  const tests = testsOf(dialect, after, filter)
  const page = sql`SELECT * FROM ${table} WHERE ${tests} ORDER BY ${name(place)} LIMIT ${numeric(dialect, BigInt(most))}`
  return sql`SELECT ${text} FROM (${page}) AS ${alias}`
}

/** How many rows there are after the position, as text. */
export const countAfter = (dialect: Dialect, after: bigint, filter: LogFilter): Question =>
  question(dialect, sql`SELECT CAST(count(*) AS text) FROM ${table} WHERE ${testsOf(dialect, after, filter)}`)

function testsOf(dialect: Dialect, after: bigint, filter: LogFilter): Fragment {
  const place = placeIn(dialect)
  return allOf([
    sql`${name(place)} > ${numeric(dialect, after)}`,
    ...(filter.resource === undefined
      ? []
      : [sql`${name(columns.resource)} = ${internalParameter(dialect, filter.resource)}`]),
    ...(filter.resources === undefined ? [] : [isOneOf(dialect, name(columns.resource), filter.resources)]),
    ...(filter.record === undefined
      ? []
      : [sql`${name(columns.record)} = ${internalParameter(dialect, filter.record)}`]),
    ...(filter.types === undefined ? [] : [isOneOf(dialect, name(columns.type), filter.types)]),
  ])
}

const isOneOf = (dialect: Dialect, column: Fragment, texts: readonly string[]): Fragment => {
  const encode = (): Parameter =>
    dialect.encodeSet(
      texts.map((text) => [text]),
      [plainText],
    )
  return dialect.isIn(column, bound({ slot: 0, encode }), plainText)
}

function rowText(dialect: Dialect, place: string): Fragment {
  const text = (column: string): TextMember => ({
    key: column,
    text: [sql`coalesce(${dialect.print(at(column), plainText).text}, 'null')`],
  })
  const json = (column: string): TextMember => ({
    key: column,
    text: [sql`coalesce(CAST(${at(column)} AS text), 'null')`],
  })
  const { resource, record, version, type, actor, transition, from, to, input, old, new: fresh } = columns
  const { trace } = columns
  return concatenated(
    dialect,
    objectText([
      { key: "position", text: ['"', sql`CAST(${at(place)} AS text)`, '"'] },
      { key: columns.seq, text: ['"', sql`CAST(${at(columns.seq)} AS text)`, '"'] },
      { key: "epoch", text: ['"', epochAt(at(place)), '"'] },
      ...[resource, record, version, type, actor].map(text),
      { key: columns.at, text: [sql`coalesce(${dialect.print(at(columns.at), timestamp).text}, 'null')`] },
      ...[transition, from, to, trace].map(text),
      ...[input, old, fresh].map(json),
    ]),
  )
}

/** The greatest position that was given, as text; no value where none was. */
export const lastPosition = (dialect: Dialect): Question =>
  question(dialect, sql`SELECT CAST(max(${name(placeIn(dialect))}) AS text) FROM ${table}`)

/** A row where something has no position yet; undefined where everything has. */
export const somethingUnnumbered = (dialect: Dialect): Question | undefined =>
  placeIn(dialect) === columns.seq
    ? undefined
    : question(dialect, sql`SELECT '1' FROM ${table} WHERE ${name(columns.position)} IS NULL LIMIT 1`)

/** Rows that get a position at once. */
const mostNumbered = 10_000
/** The lock of the process that numbers rows: "bifold log", as a number. */
const numberingLock = 7_092_173_581

/**
 * The commands of a transaction that gives positions to what can be seen, in the order of `seq`. One does so at a time: the
 * second command sees what the one before has committed. PostgreSQL.
 */
export function numberRows(dialect: Dialect): readonly string[] {
  const [seq, position] = [name(columns.seq), name(columns.position)]
  const free = sql`SELECT ${seq}, row_number() OVER (ORDER BY ${seq}) AS "place" FROM ${table} WHERE ${position} IS NULL ORDER BY ${seq} LIMIT ${whole(mostNumbered)}`
  const last = sql`SELECT coalesce(max(${position}), 0) AS "place" FROM ${table}`
  // In the statement that gives the first position after a start: none is of an epoch before.
  const behind = sql`(SELECT "place" FROM "last")`
  const epoch = beginEpoch(dialect, behind)
  return [
    sql`SELECT pg_advisory_xact_lock(${whole(numberingLock)})`,
    sql`WITH "free" AS MATERIALIZED (${free}), "last" AS MATERIALIZED (${last}), "begun" AS (${epoch}), "cut" AS (${removeBehind(behind)}) UPDATE ${table} AS ${alias} SET ${position} = "last"."place" + "free"."place" FROM "free", "last" WHERE ${at(columns.seq)} = "free".${seq}`,
  ].map((command) => render(command, dialect.placeholder).text)
}

/** A statement that fails where there is no log with epochs, or one of an earlier version. */
export const touchLog = (dialect: Dialect): string =>
  render(
    sql`SELECT ${table}.${name(columns.trace)} FROM ${table}, ${name(epochTable.name)} WHERE 1 = 0`,
    dialect.placeholder,
  ).text

/** Rows that may be removed. */
export interface ForgetBounds {
  /** A canonical timestamp: those of before. */
  readonly before: string
  /** Those at positions before it; wherever they are when absent. */
  readonly below?: bigint
}

/**
 * Removes what is old of the first rows that have a position; the last of all stays, so that no position is given twice. Only so
 * many are looked at: those behind them are younger, but for the clocks of several servers.
 */
export function forgetRows(dialect: Dialect, { before, below }: ForgetBounds, most: number): Question {
  const [seq, place, time] = [name(columns.seq), name(placeIn(dialect)), name(columns.at)] as const
  const free = allOf([
    sql`${place} < (SELECT max(${place}) FROM ${table})`,
    ...(below === undefined ? [] : [sql`${place} < ${numeric(dialect, below)}`]),
  ])
  const first = sql`SELECT ${seq}, ${time} FROM ${table} WHERE ${free} ORDER BY ${place} LIMIT ${numeric(dialect, BigInt(most))}`
  const old = sql`SELECT ${seq} FROM (${first}) AS ${alias} WHERE ${time} < ${internalParameter(dialect, before, timestamp)}`
  return question(dialect, sql`DELETE FROM ${table} WHERE ${seq} IN (${old}) RETURNING CAST(${seq} AS text)`)
}

/** The time of the first row that has a position, as JSON; no value where there is none. */
export function firstTime(dialect: Dialect): Question {
  const place = name(placeIn(dialect))
  const first = sql`SELECT * FROM ${table} WHERE ${place} IS NOT NULL ORDER BY ${place} LIMIT 1`
  const text = dialect.print(at(columns.at), timestamp).text
  return question(dialect, sql`SELECT ${text} FROM (${first}) AS ${alias}`)
}
