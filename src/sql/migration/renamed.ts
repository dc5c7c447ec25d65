// Which of what goes may be what comes by another name. A person is asked, and nothing is guessed.
import { isNear } from "../../base/suggest.ts"
import { versionColumn } from "../../model/declaration/default-names.ts"
import type { TableName } from "../../model/model.ts"
import { camelCase, snakeCase } from "../../model/names.ts"
import { literal, render } from "../fragment.ts"
import { systemTableNames } from "../schema/system-tables.ts"
import type {
  RenamedValue,
  TableColumn,
  TableForeignKey,
  WantedColumn,
  WantedTable,
} from "../schema/tables.ts"
import type { Beginning, FoundTable, KeptLinks, Renamed, Step } from "./steps.ts"

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
  // No declaration names the columns of a join table, of a key, or the count of writes.
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

// Whole tables of a migration: which one was which, and which of those that no resource has are Bifold's to remove.

/** A table with what it was found as. */
export interface Taken {
  readonly table: WantedTable
  readonly source: FoundTable | undefined
}

export const named = ({ schema, name }: TableName): string =>
  schema === undefined ? name : `${schema}.${name}`

/** As a person calls it: without the schema where it is found without. */
export const displayName = ({ name, visible }: FoundTable): string => (visible ? name.name : named(name))

export const isCalled = (found: FoundTable, { schema, name }: TableName): boolean =>
  found.name.name === name && (schema === undefined ? found.visible : found.name.schema === schema)

/** The table of that name, or the first that it was. */
export function takeTable(
  wanted: WantedTable,
  found: readonly FoundTable[],
): { readonly source: FoundTable | undefined } {
  const names = [wanted.name, ...wanted.was]
  const at = (name: TableName) => found.find((table) => isCalled(table, name))
  return { source: names.map(at).find((table) => table !== undefined) }
}

/** Made by Bifold: it counts its records' writes, or is nothing but a link between two such tables. */
export function isOurs(table: FoundTable, found: readonly FoundTable[]): boolean {
  if (Object.values(systemTableNames).includes(table.name.name)) return false
  if (counts(table)) return true
  const linked = table.foreignKeys.map(({ target }) => found.find((other) => isCalled(other, target)))
  const inKeys = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  return (
    linked.length === 2 &&
    linked.every((other) => other !== undefined && counts(other)) &&
    table.columns.every(({ name }) => inKeys.has(name) && table.key.includes(name))
  )
}

const counts = ({ columns }: FoundTable): boolean => columns.some(({ name }) => name === versionColumn)

export const targetsOf = (keys: readonly TableForeignKey[]): readonly string[] => [
  ...new Set(keys.map(({ target }) => target.name)),
]

/** @param rest `needs`: the steps without which something would lead to nowhere */
export function dropTable(table: FoundTable, rest: Pick<Step, "needs" | "questions" | "renamed">): Step {
  return {
    name: `drop:${camelCase(table.name.name)}`,
    says: `remove the table ${displayName(table)} and all of its records`,
    loses: true,
    leftover: true,
    holds: targetsOf(table.foreignKeys),
    ...rest,
    changes: [{ kind: "dropTable", table }],
  }
}

// Values of texts in the commands and questions of migrations, which are sent without parameters.
export const textOf = (value: string): string => render(literal(value), () => "?").text

/** The column's value under the name that it has now. @param column quoted */
export const renamedText = (column: string, renames: readonly RenamedValue[]): string =>
  `CASE ${column} ${renames.map(({ from, to }) => `WHEN ${textOf(from)} THEN ${textOf(to)}`).join(" ")} ELSE ${column} END`
