// Rows of Bifold's own tables for a renamed resource, or one with another id prefix. They follow the rename: a record
// keeps its history and handlers go on where they were. A further rename works the same way.
import type { Dialect } from "../dialect.ts"
import { literal, name, plain, quoted, sql } from "../fragment.ts"
import {
  allPartitions,
  handlerRecordTable,
  handlerTable,
  leaseTable,
  logTable,
  partitionMark,
  systemTableNames,
} from "../schema/system-tables.ts"
import type { KeptResource } from "../schema/tables.ts"
import { textOf } from "./renamed.ts"
import type { Beginning, FoundTable, KeptOf } from "./steps.ts"

/** Undefined where nothing is kept. */
export function keptOf(resource: KeptResource | undefined, found: readonly FoundTable[]): KeptOf | undefined {
  const tables = (["log", "handler", "handlerRecord", "lease"] as const).filter((own) =>
    found.some(({ name, visible }) => visible && name.name === systemTableNames[own]),
  )
  return resource && tables.length > 0 ? { resource, tables } : undefined
}

/** Beginnings that the ids of a resource had, and have no more. */
export const formerBeginnings = (
  { name, prefix }: KeptResource,
  found: readonly FoundTable[],
): readonly string[] =>
  found.flatMap(({ beginnings = [] }) =>
    beginnings.flatMap((one) => (one.resource === name && one.prefix !== prefix ? [one.prefix] : [])),
  )

/**
 * Finds one `record` of each id prefix in the log, and its `resource`. The index is read from one prefix to the next,
 * however many entries there are.
 */
export function beginningsIn({ indexOf }: Dialect): string {
  const [table, record] = [quoted(logTable.name), quoted(logTable.columns.record)]
  const place = plain(indexOf(sql`f.record`, literal("_")))
  // The character after "_".
  const behind = `CASE WHEN ${place} > 0 THEN substr(f.record, 1, ${place} - 1) || '\`' ELSE f.record END`
  const next = `SELECT min(${record}) FROM ${table} WHERE ${record} > ${behind}`
  const first = `SELECT ${quoted(logTable.columns.resource)} FROM ${table} WHERE ${record} = f.record LIMIT 1`
  return `WITH RECURSIVE f (record) AS (SELECT min(${record}) FROM ${table} UNION ALL SELECT (${next}) FROM f WHERE f.record IS NOT NULL) SELECT f.record, (${first}) AS resource FROM f WHERE f.record IS NOT NULL`
}

/** @param row as `beginningsIn` found it */
export const readBeginning = (row: Readonly<Record<string, unknown>>): Beginning => ({
  resource: String(row["resource"]),
  prefix: String(row["record"]).split("_", 1)[0] ?? "",
})

/** The log follows, and the records that wait. */
export const renameIds = (dialect: Dialect, kept: KeptOf, from: readonly string[]): readonly string[] => [
  ...renameIdsInLog(dialect, kept, from),
  ...renameWaiting(dialect, kept),
]

/** @param batch how many rows at once; all when absent. PostgreSQL */
export function renameIdsInLog(
  dialect: Dialect,
  { resource: { name, prefix }, tables }: KeptOf,
  from: readonly string[],
  batch?: number,
): readonly string[] {
  if (!tables.includes("log")) return []
  const { resource: of, record } = logTable.columns
  const set = `${quoted(record)} = ${withBeginning(dialect, record, { beginning: prefix, mark: "_" })}`
  return from.map((former) => {
    const within = `${quoted(record)} > ${textOf(`${former}_`)} AND ${quoted(record)} < ${textOf(`${former}\``)}`
    return updateLog(set, `${quoted(of)} = ${textOf(name)} AND ${within}`, batch)
  })
}

/** One after the other, and again wherever it was cut short. */
export const renameKept = (dialect: Dialect, kept: KeptOf): readonly string[] => [
  ...renameLog(dialect, kept),
  ...renameHandlers(kept),
  ...renameWaiting(dialect, kept),
  ...endLeases(dialect, kept),
]

/** Processes that know the former name would pass over events of the new one: they look at the tables before they begin anew. */
function endLeases({ made }: Dialect, { tables }: KeptOf): readonly string[] {
  if (!tables.includes("lease")) return []
  const table = quoted(leaseTable.name)
  // A lease that is being taken meanwhile is taken after this.
  const lock = made.lock?.(table)
  return [...(lock === undefined ? [] : [lock]), `DELETE FROM ${table}`]
}

/** @param batch how many rows at once; all when absent. PostgreSQL */
export function renameLog(dialect: Dialect, { resource, tables }: KeptOf, batch?: number): readonly string[] {
  if (!tables.includes("log")) return []
  const { name, was, prefix } = resource
  const { resource: of, record, type } = logTable.columns
  const old = `${quoted(of)} IN (${was.map(textOf).join(", ")})`
  const sets = [
    `${quoted(of)} = ${textOf(name)}`,
    `${quoted(record)} = ${withBeginning(dialect, record, { beginning: prefix, mark: "_" })}`,
    `${quoted(type)} = ${withBeginning(dialect, type, { beginning: name, mark: "." })}`,
  ]
  return [updateLog(sets.join(", "), old, batch)]
}

function updateLog(sets: string, old: string, batch?: number): string {
  const [table, seq] = [quoted(logTable.name), quoted(logTable.columns.seq)]
  if (batch === undefined) return `UPDATE ${table} SET ${sets} WHERE ${old}`
  // The last rows, which those who follow the log may have before them, are renamed with the table.
  const earlier = `${seq} <= (SELECT max(${seq}) FROM ${table}) - ${batch}`
  const some = `SELECT ctid FROM ${table} WHERE ${old} AND ${earlier} LIMIT ${batch}`
  return `UPDATE ${table} SET ${sets} WHERE ctid = ANY (ARRAY(${some})) AND ${old}`
}

/** The column's text with another beginning before the first mark. */
function withBeginning(
  { indexOf }: Dialect,
  column: string,
  { beginning, mark, of }: { readonly beginning: string; readonly mark: string; readonly of?: string },
): string {
  const text = of === undefined ? name(column) : sql`${name(of)}.${name(column)}`
  return `${textOf(beginning)} || ${plain(sql`substr(${text}, ${indexOf(text, literal(mark))})`)}`
}

/** Handlers that are called by their events are called by these still. */
export function renameHandlers({ resource: { handlers }, tables }: KeptOf): readonly string[] {
  if (!tables.includes("handler") || !tables.includes("handlerRecord")) return []
  const [table, records] = [quoted(handlerTable.name), quoted(handlerRecordTable.name)]
  const [called, handler] = [quoted(handlerTable.columns.name), quoted(handlerRecordTable.columns.handler)]
  return handlers.flatMap(({ name: now, was }) =>
    was.flatMap((before) => {
      const marks = ["", ...allPartitions.map(partitionMark)]
      const isThere = (names: readonly string[]): string =>
        `EXISTS (SELECT 1 FROM ${table} WHERE ${called} IN (${names.map(textOf).join(", ")}))`
      return [
        `UPDATE ${records} SET ${handler} = ${textOf(now)} WHERE ${handler} = ${textOf(before)} AND NOT ${isThere(marks.map((mark) => now + mark))}`,
        ...marks.map(
          (mark) =>
            `UPDATE ${table} SET ${called} = ${textOf(now + mark)} WHERE ${called} = ${textOf(before + mark)} AND NOT ${isThere([now + mark])}`,
        ),
      ]
    }),
  )
}

/** Records that wait are known by their public ids, which begin like all of the resource. */
function renameWaiting(
  dialect: Dialect,
  { resource: { prefix, handlers }, tables }: KeptOf,
): readonly string[] {
  if (!tables.includes("handlerRecord") || handlers.length === 0) return []
  const { handler, record, position } = handlerRecordTable.columns
  const table = quoted(handlerRecordTable.name)
  const fresh = (of: string): string => withBeginning(dialect, record, { beginning: prefix, mark: "_", of })
  const own = `${table}.${quoted(handler)} IN (${handlers.map(({ name }) => textOf(name)).join(", ")})`
  const [mine, theirs] = [table, "o"].map((of) => `(${of}.${quoted(position)}, ${of}.${quoted(record)})`)
  return [
    // Where one waits under both ids it goes on from the earlier event.
    `DELETE FROM ${table} WHERE ${own} AND EXISTS (SELECT 1 FROM ${table} AS o WHERE o.${quoted(handler)} = ${table}.${quoted(handler)} AND ${fresh("o")} = ${fresh(handlerRecordTable.name)} AND ${theirs} < ${mine})`,
    `UPDATE ${table} SET ${quoted(record)} = ${fresh(handlerRecordTable.name)} WHERE ${own}`,
  ]
}
