// Which of what goes may be what comes by another name. A person is asked, and nothing is guessed.

import { isNear } from "../../base/suggest.ts"
import { versionColumn } from "../../model/declaration/default-names.ts"
import type { TableName } from "../../model/model.ts"
import { camelCase, snakeCase } from "../../model/names.ts"
import type { TableColumn, TableForeignKey, WantedColumn, WantedTable } from "../schema/tables.ts"
import { isCalled, type Taken } from "./match-tables.ts"
import type { Beginning, FoundTable, KeptLinks, Renamed } from "./steps.ts"

interface Compared {
  readonly table: WantedTable
  readonly source: FoundTable
  readonly taken: readonly Taken[]
}

/** More than a person would look through. */
const mostNames = 3

/** @param tables the one compared, and all with what they were found as */
export function renamedColumns(
  tables: Compared,
  gone: readonly TableColumn[],
  come: readonly WantedColumn[],
): ReadonlyMap<TableColumn, Renamed> {
  const { table, source } = tables
  // Columns of a join table, of a key, and the count of writes are named by nobody.
  const named = table.kept
    ? come.filter(({ name }) => !table.key.includes(name) && name !== versionColumn)
    : []
  return pairs(gone, named, {
    rank: (was, now) => {
      if (was.type !== now.type || !leadTheSame(tables, was, now)) return undefined
      return isNear(was.name, now.name) ? 0 : was.nullable === now.nullable ? 1 : 2
    },
    was: ({ name }) => formerName(isReference(source, name) ? name.replace(/_id$/, "") : name),
    now: ({ called }) => called,
  })
}

/**
 * @param gone tables of resources, and others, which no resource was
 * @param logged how ids in the log begin
 */
export function renamedTables(
  gone: readonly FoundTable[],
  come: readonly WantedTable[],
  logged: readonly Beginning[],
): ReadonlyMap<FoundTable, Renamed> {
  const resources = gone.filter(({ columns }) => columns.some(({ name }) => name === versionColumn))
  return pairs(
    resources,
    come.filter(({ kept }) => kept !== undefined),
    {
      rank: (was, now) => {
        if (!isCalled(was, { ...now.name, name: was.name.name })) return undefined
        const hasIds = logged.some(
          ({ resource, prefix }) => snakeCase(resource) === was.name.name && prefix === now.kept?.prefix,
        )
        if (hasIds || isNear(was.name.name, now.name.name)) return 0
        return likeness(was, now) > leastLikeness ? 1 : undefined
      },
      was: ({ name }) => formerName(name.name),
      now: ({ called }) => called,
    },
  )
}

interface Likeness<Gone, Come> {
  /** How alike they are: 0 is most; undefined of those that are not. */
  readonly rank: (gone: Gone, come: Come) => number | undefined
  /** The former name as `was` has it; undefined where `was` cannot name it. */
  readonly was: (gone: Gone) => string | undefined
  readonly now: (come: Come) => string
}

/** Pairs of removed and added names where neither is more alike to anything else. */
function pairs<Gone, Come>(
  gone: readonly Gone[],
  come: readonly Come[],
  { rank, was, now }: Likeness<Gone, Come>,
): ReadonlyMap<Gone, Renamed> {
  const ranks = gone.map((each) => come.map((other) => rank(each, other) ?? Number.POSITIVE_INFINITY))
  const best = come.map((_, at) => Math.min(...ranks.map((row) => row[at] ?? Number.POSITIVE_INFINITY)))
  return new Map(
    gone.flatMap((each, index): readonly (readonly [Gone, Renamed])[] => {
      const row = ranks[index] ?? []
      const least = Math.min(...row)
      const alike = come.filter((_, at) => row[at] === least && best[at] === least && Number.isFinite(least))
      const former = was(each)
      if (former === undefined || alike.length === 0 || alike.length > mostNames) return []
      return [[each, { was: former, now: alike.map(now) }]]
    }),
  )
}

/** The name that a declaration gives by which it would be found again. */
function formerName(found: string): string | undefined {
  const name = camelCase(found)
  return snakeCase(name) === found ? name : undefined
}

const isReference = ({ foreignKeys }: FoundTable, column: string): boolean =>
  foreignKeys.some(({ columns }) => columns.includes(column))

/** Neither is a reference, or both are, by one column and to the same table. */
function leadTheSame({ table, source, taken }: Compared, was: TableColumn, now: WantedColumn): boolean {
  const [before, after] = [keysOf(source, was.name), keysOf(table, now.name)]
  if (before.length === 0 || after.length === 0) return before.length === after.length
  return before.some((one) => after.some((other) => isSource(taken, one.target, other.target)))
}

/** The statement by which a join table gets the references of a column that goes; of one of its kind alone. */
export function keptLinks({ source, table, taken }: Compared, column: string): KeptLinks | undefined {
  const [lost, ...more] = keysOf(source, column)
  const links = taken.flatMap(({ table: join }) => {
    const [near, far] = join.foreignKeys
    const leads = (one: TableForeignKey | undefined, target: TableName): one is TableForeignKey =>
      one !== undefined && isSource(taken, target, one.target) && one.columns.length === 1
    if (join.kept || !lost || join.foreignKeys.length !== 2) return []
    const ways = [
      [near, far],
      [far, near],
    ] as const
    const way = ways.find(([from, to]) => leads(from, source.name) && leads(to, lost.target))
    return way ? [{ join, from: way[0], to: way[1] }] : []
  })
  const [link, ...others] = links
  if (!link?.from || !link.to || more.length + others.length > 0) return undefined
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ")
  const { join, from, to } = link
  const columns = quoted([...from.columns, ...to.columns])
  return {
    table: join.name.name,
    text: `INSERT INTO "${join.name.name}" (${columns}) SELECT ${quoted([...from.targetColumns, column])} FROM "${table.name.name}" WHERE "${column}" IS NOT NULL ON CONFLICT DO NOTHING;`,
  }
}

const keysOf = ({ foreignKeys }: Pick<WantedTable, "foreignKeys">, column: string) =>
  foreignKeys.filter(({ columns }) => columns.includes(column) && columns.length === 1)

const isSource = (taken: readonly Taken[], found: TableName, wanted: TableName): boolean =>
  taken.some(
    ({ table, source }) =>
      source !== undefined &&
      table.name.name === wanted.name &&
      table.name.schema === wanted.schema &&
      isCalled(source, found),
  )

/** Two fields of four and of five; one of a single field and of four may be chance. */
const leastLikeness = 0.4

/** Which part the columns that both have are of all, from 0 to 1; of those that not every table has (Sørensen and Dice). */
function likeness(was: FoundTable, now: WantedTable): number {
  const own = ({ columns, key }: FoundTable | WantedTable): readonly TableColumn[] =>
    columns.filter(({ name }) => !key.includes(name) && name !== versionColumn)
  const [before, after] = [own(was), own(now)]
  const shared = before.filter((one) =>
    after.some(({ name, type }) => name === one.name && type === one.type),
  )
  return (2 * shared.length) / Math.max(before.length + after.length, 1)
}
