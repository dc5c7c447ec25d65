// The log as it is read by what follows it: the rows after a position, in their order. On PostgreSQL a row has no position
// until it is numbered, and it is numbered when it can be seen (docs/decisions/0147).
import { type ColumnType, plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { allOf, type Fragment, name, sql, whole } from "../fragment.ts"
import { type Places, prepareQuestion } from "../internal-query.ts"
import { arrayText, concatenated, objectText, type TextMember } from "../json-text.ts"
import { epochTable, logTable } from "../schema/system-tables.ts"
import { beginEpoch, endOfEpoch, epochAt, latestPosition, placeIn, removeBehind } from "./epochs.ts"

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

/** Rows of the log that are asked for. */
export interface RowsAsked {
  /** A position. */
  readonly after: bigint
  readonly most: number
  readonly filter: LogFilter
}

/** Which filters there are. */
const filtersOf = ({ filter }: Pick<RowsAsked, "filter">): string =>
  (["resource", "resources", "record", "types"] as const).filter((one) => filter[one] !== undefined).join(" ")

/** A JSON array of the first `most` rows after the position. */
export const rowsAfter = prepareQuestion<RowsAsked>(rowsText, filtersOf)

/**
 * The same; then the log's epoch at the place and the last position given. The position of the first row after the place
 * follows, whatever the filter.
 */
export const partAfter = prepareQuestion<RowsAsked>((dialect, places, asked) => {
  const after = places.int64((of) => of.after)
  const place = name(placeIn(dialect))
  const first = sql`(SELECT min(${place}) FROM ${table} WHERE ${place} > ${after})`
  return sql`SELECT (${rowsText(dialect, places, asked)}), ${epochAt(after)}, CAST(${latestPosition(dialect)} AS text), CAST(${first} AS text)`
}, filtersOf)

/** The last position that was given with its epoch, and the epoch of another position. */
export const endWith = prepareQuestion<bigint>((dialect, places) => {
  const last = latestPosition(dialect)
  return sql`SELECT CAST(${last} AS text), ${epochAt(last)}, ${epochAt(places.int64((position) => position))}`
})

/** The position where the log went another way after an epoch, and the epoch of that. */
export const forkAfter = prepareQuestion<string>((dialect, places) => {
  const fork = sql`SELECT ${endOfEpoch(
    dialect,
    places.value((epoch) => epoch),
  )} AS "place"`
  return sql`SELECT CAST(${alias}."place" AS text), ${epochAt(sql`${alias}."place"`)} FROM (${fork}) AS ${alias}`
})

function rowsText(dialect: Dialect, places: Places<RowsAsked>, asked: RowsAsked): Fragment {
  const place = placeIn(dialect)
  const text = concatenated(dialect, arrayText(rowText(dialect, place), sql` ORDER BY ${at(place)}`))
  const tests = testsOf(dialect, places, asked)
  const most = places.int64((of) => of.most)
  const page = sql`SELECT * FROM ${table} WHERE ${tests} ORDER BY ${name(place)} LIMIT ${most}`
  return sql`SELECT ${text} FROM (${page}) AS ${alias}`
}

/** How many rows there are after the position, as text. */
export const countAfter = prepareQuestion<Counted>(
  (dialect, places, asked) =>
    sql`SELECT CAST(count(*) AS text) FROM ${table} WHERE ${testsOf(dialect, places, asked)}`,
  filtersOf,
)

type Counted = Omit<RowsAsked, "most">

function testsOf<Given extends Counted>(
  dialect: Dialect,
  { value, int64, isIn }: Places<Given>,
  { filter }: Counted,
): Fragment {
  const { resource, record, type } = columns
  return allOf([
    sql`${name(placeIn(dialect))} > ${int64((of) => of.after)}`,
    ...(filter.resource === undefined
      ? []
      : [sql`${name(resource)} = ${value((of) => of.filter.resource ?? null)}`]),
    ...(filter.resources === undefined ? [] : [isIn(name(resource), (of) => of.filter.resources ?? [])]),
    ...(filter.record === undefined
      ? []
      : [sql`${name(record)} = ${value((of) => of.filter.record ?? null)}`]),
    ...(filter.types === undefined ? [] : [isIn(name(type), (of) => of.filter.types ?? [])]),
  ])
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
export const lastPosition = prepareQuestion(
  (dialect) => sql`SELECT CAST(max(${name(placeIn(dialect))}) AS text) FROM ${table}`,
)

/** Whether rows get their positions later than they are written. */
export const numbersRows = (dialect: Dialect): boolean => placeIn(dialect) !== columns.seq

/** A row where something has no position yet. */
export const somethingUnnumbered = prepareQuestion(
  () => sql`SELECT '1' FROM ${table} WHERE ${name(columns.position)} IS NULL LIMIT 1`,
)

/** Rows that get a position at once. */
const mostNumbered = 10_000
/** The lock of the process that numbers rows: "bifold log", as a number. */
const numberingLock = 7_092_173_581

/**
 * Begins the transaction that gives positions to what can be seen, in the order of `seq`. One does so at a time: `numberRows`
 * sees what the one before has committed. PostgreSQL.
 */
export const lockNumbering = prepareQuestion(() => sql`SELECT pg_advisory_xact_lock(${whole(numberingLock)})`)

export const numberRows = prepareQuestion((dialect) => {
  const [seq, position] = [name(columns.seq), name(columns.position)]
  const free = sql`SELECT ${seq}, row_number() OVER (ORDER BY ${seq}) AS "place" FROM ${table} WHERE ${position} IS NULL ORDER BY ${seq} LIMIT ${whole(mostNumbered)}`
  const last = sql`SELECT coalesce(max(${position}), 0) AS "place" FROM ${table}`
  // In the statement that gives the first position after a start: none is of an epoch before.
  const behind = sql`(SELECT "place" FROM "last")`
  const epoch = beginEpoch(dialect, behind)
  return sql`WITH "free" AS MATERIALIZED (${free}), "last" AS MATERIALIZED (${last}), "begun" AS (${epoch}), "cut" AS (${removeBehind(behind)}) UPDATE ${table} AS ${alias} SET ${position} = "last"."place" + "free"."place" FROM "free", "last" WHERE ${at(columns.seq)} = "free".${seq}`
})

/** Fails where there is no log with epochs, or one of an earlier version. */
export const touchLog = prepareQuestion(
  () => sql`SELECT ${table}.${name(columns.trace)} FROM ${table}, ${name(epochTable.name)} WHERE 1 = 0`,
)

/** Rows that may be removed. */
export interface ForgetBounds {
  /** A canonical timestamp: removes earlier rows. */
  readonly before: string
  /** Those at positions before it; wherever they are when absent. */
  readonly below?: bigint
}

/**
 * Removes old rows among the first that have a position. The very last row stays, so that no position is given twice.
 * Only the first `most` rows are read: later ones are younger, but for the clocks of several servers.
 */
export const forgetRows = prepareQuestion<ForgetBounds & { readonly most: number }>(
  (dialect, { value, int64 }, bounds) => {
    const [seq, place, time] = [name(columns.seq), name(placeIn(dialect)), name(columns.at)] as const
    const free = allOf([
      sql`${place} < (SELECT max(${place}) FROM ${table})`,
      ...(bounds.below === undefined ? [] : [sql`${place} < ${int64(({ below = null }) => below)}`]),
    ])
    const first = sql`SELECT ${seq}, ${time} FROM ${table} WHERE ${free} ORDER BY ${place} LIMIT ${int64(({ most }) => most)}`
    const old = sql`SELECT ${seq} FROM (${first}) AS ${alias} WHERE ${time} < ${value(({ before }) => before, timestamp)}`
    return sql`DELETE FROM ${table} WHERE ${seq} IN (${old}) RETURNING CAST(${seq} AS text)`
  },
  ({ below }) => (below === undefined ? "" : "below"),
)

/** The time of the first row that has a position, as JSON; no value without such a row. */
export const firstTime = prepareQuestion((dialect) => {
  const place = name(placeIn(dialect))
  const first = sql`SELECT * FROM ${table} WHERE ${place} IS NOT NULL ORDER BY ${place} LIMIT 1`
  const text = dialect.print(at(columns.at), timestamp).text
  return sql`SELECT ${text} FROM (${first}) AS ${alias}`
})
