// Places in the log: an epoch with a position. A restore, or a failover that lost writes, makes the database give
// positions again. So each start of the database begins an epoch behind the last row (docs/decisions/0147).
import type { Dialect } from "../dialect.ts"
import { type Fragment, literal, name, render, sql } from "../fragment.ts"
import { type Places, prepareQuestion } from "../internal-query.ts"
import { epochTable, firstEpoch, insertEpoch, logTable } from "../schema/system-tables.ts"

/** A row's place in the log, or one behind which to go on. */
export interface LogPlace {
  /** The name of the epoch in which the position was given. */
  readonly epoch: string
  /** Greater than the position of every row that could be read before. */
  readonly position: bigint
}

/** Before the first row of any log. */
export const logStart: LogPlace = { epoch: firstEpoch, position: 0n }

const table = name(epochTable.name)
const log = name(logTable.name)
const { columns } = epochTable
const [begins, called, start] = [name(columns.begins), name(columns.name), name(columns.start)]

/** The column of the log that has the order. */
export const placeIn = ({ made }: Dialect): string => logTable.columns[made.logOrder]

/** The name of the epoch of a position. */
export const epochAt = (position: Fragment): Fragment =>
  sql`coalesce((SELECT ${called} FROM ${table} WHERE ${begins} < ${position} ORDER BY ${begins} DESC LIMIT 1), ${literal(firstEpoch)})`

/** The greatest position that was given; NULL where none was. */
export const latestPosition = (dialect: Dialect): Fragment =>
  sql`(SELECT max(${name(placeIn(dialect))}) FROM ${log})`

/** Where a statement has a place of the log. */
export interface PlaceParameters {
  readonly epoch: Fragment
  readonly position: Fragment
}

export const placeParameters = <Given>(
  places: Places<Given>,
  pick: (of: Given) => LogPlace,
): PlaceParameters => ({
  epoch: places.value((of) => pick(of).epoch),
  position: places.int64((of) => pick(of).position),
})

/** Whether the log has the place. */
export const isInLog = (dialect: Dialect, { epoch, position }: PlaceParameters): Fragment =>
  sql`(${position} = 0 OR ${epochAt(position)} = ${epoch} AND ${position} <= ${latestPosition(dialect)})`

/**
 * Whether the log lacks a kept place: it is behind the end, or its epoch is another one in the log. A place before the
 * first row is not lost: a reader behind it misses nothing.
 */
export const isLost = (dialect: Dialect, epoch: Fragment, position: Fragment): Fragment => {
  const first = sql`(SELECT min(${name(placeIn(dialect))}) FROM ${log})`
  return sql`(${position} > 0 AND (${position} > coalesce(${latestPosition(dialect)}, 0) OR ${position} >= ${first} AND ${epochAt(position)} <> ${epoch}))`
}

/** Where the log took another course after an epoch: at its end. For an unknown epoch: at the start of the last one. */
export const endOfEpoch = (dialect: Dialect, epoch: Fragment): Fragment => {
  const known = sql`(SELECT max(${begins}) FROM ${table} WHERE ${called} = ${epoch})`
  const next = sql`(SELECT min(${begins}) FROM ${table} WHERE ${begins} > ${known})`
  const newest = sql`(SELECT max(${begins}) FROM ${table} WHERE ${known} IS NULL)`
  return sql`coalesce(${next}, ${newest}, ${latestPosition(dialect)}, 0)`
}

/** Removes epochs that neither a row has nor the place before the first row, where a cursor may still be good. */
export const removeEpochs = prepareQuestion((dialect) => {
  const first = sql`(SELECT min(${name(placeIn(dialect))}) FROM ${log})`
  const needed = sql`(SELECT max(${begins}) FROM ${table} WHERE ${begins} < ${first} - 1)`
  return sql`DELETE FROM ${table} WHERE ${begins} < ${needed}`
})

const startOf = (dialect: Dialect): Fragment =>
  dialect.made.start?.(literal(`"${logTable.name}"`)) ?? dialect.made.randomEpoch

/**
 * Begins an epoch, unless this start has one and the log is as it was. An emptied log, or one whose end is gone, gives
 * positions again.
 * @param behind the last position that was given
 */
export const beginEpoch = (dialect: Dialect, behind: Fragment): Fragment =>
  insertEpoch({
    position: behind,
    name: dialect.made.randomEpoch,
    start: startOf(dialect),
    condition: sql`${behind} = 0 OR EXISTS (SELECT 1 FROM ${table} WHERE ${begins} > ${behind}) OR NOT EXISTS (SELECT 1 FROM ${table} WHERE ${start} = ${startOf(dialect)})`,
  })

/** Removes epochs that begin behind the last position: the rows before them are gone. */
export const removeBehind = (behind: Fragment): Fragment =>
  sql`DELETE FROM ${table} WHERE ${begins} > ${behind}`

/** The last position that was given; 0 where none was. */
const end = (dialect: Dialect): Fragment => sql`coalesce(${latestPosition(dialect)}, 0)`

/** For the process that opens a SQLite file. */
export const beginEpochNow = (dialect: Dialect): readonly string[] =>
  [beginEpoch(dialect, end(dialect)), removeBehind(end(dialect))].map(
    (command) => render(command, dialect.placeholder).text,
  )

/**
 * The last epoch gets another name where the log has lost its end, since positions are given again. Rows may have been written
 * since. Nothing where the log has the place, or went another way before it.
 */
export const renameLost = prepareQuestion<LogPlace>((dialect, places) => {
  const { epoch, position } = placeParameters(places, (of) => of)
  return insertEpoch({
    position: sql`coalesce((SELECT max(${begins}) FROM ${table} WHERE ${begins} <= ${end(dialect)}), 0)`,
    name: dialect.made.randomEpoch,
    start: startOf(dialect),
    condition: sql`${position} > ${end(dialect)} AND ${epochAt(position)} = ${epoch}`,
  })
})

/** Removes epochs that begin behind the end of the log. */
export const removeLost = prepareQuestion((dialect) => removeBehind(end(dialect)))

/**
 * The same as `renameLost` for a place kept beside the log, whose epoch reached farther than the log now has it.
 * Another process may have begun an epoch behind rows that were written since.
 */
export const renameKept = prepareQuestion<LogPlace>((dialect, places) => {
  const place = placeParameters(places, (of) => of)
  return sql`UPDATE ${table} SET ${called} = ${dialect.made.randomEpoch} WHERE ${called} = ${place.epoch} AND NOT ${isInLog(dialect, place)}`
})
