// Foreign keys that lead to served tables, and tables that only join two others.

import { compareText, memberName } from "./api-names.ts"
import type { CatalogForeignKey, Note } from "./catalog.ts"
import { type Draft, placeOf, sameColumns } from "./draft-tables.ts"

/** A foreign key between two tables that are served. */
export interface Link {
  readonly from: Draft
  readonly to: Draft
  readonly columns: readonly string[]
  readonly targetColumns: readonly string[]
  /** The foreign key names the target's key, so that a reference scalar comes with the relation. */
  readonly namesKey: boolean
  /** At most one record leads to the same target. */
  readonly unique: boolean
  readonly optional: boolean
  readonly comment?: string
}

/** A table with only two foreign keys, which are its key. */
export interface Join {
  readonly table: Draft
  readonly sides: readonly [Link, Link]
}

/** The links of all tables, by the table they start from, without repetition. */
export function findLinks(drafts: readonly Draft[], notes: Note[]): ReadonlyMap<Draft, readonly Link[]> {
  return new Map(drafts.map((draft) => [draft, linksOf(draft, drafts, notes)]))
}

function linksOf(from: Draft, drafts: readonly Draft[], notes: Note[]): readonly Link[] {
  const order = from.table.columns.map(({ name }) => name)
  const links: Link[] = []
  for (const declared of from.table.foreignKeys) {
    const { name, schema } = declared.target
    const to = drafts.find(({ table }) => table.name === name && table.schema === schema)
    const key = to ? withinKey(to, declared) : declared
    const place = [...placeOf(from.table), key.columns.join(", ")]
    const reason = faultOf(from, to, key) ?? (to && lacking(to, declared))
    if (to === undefined || reason !== undefined) {
      const hint = "Its columns are served as fields."
      notes.push({ place, what: "no relation", reason: reason ?? "", hint })
      continue
    }
    if (key.dangling) {
      const missing = "some of its rows lead to records that are not there, or may do so"
      notes.push({ place, what: "served as a relation that may be without a target", reason: missing })
    }
    if (!links.some((link) => link.to === to && samePairs(link, key))) links.push(describe(from, to, key))
  }
  const rank = (link: Link) => order.indexOf(link.columns[0] ?? "")
  const target = ({ to }: Link) => memberName(to.table.name, "table")
  return links.toSorted(
    (a, b) => a.columns.length - b.columns.length || rank(a) - rank(b) || compareText(target(a), target(b)),
  )
}

/** A foreign key that names more columns than the target's key keeps only the key's. */
function withinKey(to: Draft, key: CatalogForeignKey): CatalogForeignKey {
  const wanted = to.key?.columns ?? []
  if (wanted.length === 0 || !wanted.every((column) => key.targetColumns.includes(column))) return key
  const kept = (_: string, index: number) => wanted.includes(key.targetColumns[index] ?? "")
  return { ...key, columns: key.columns.filter(kept), targetColumns: key.targetColumns.filter(kept) }
}

function faultOf(from: Draft, to: Draft | undefined, key: CatalogForeignKey): string | undefined {
  const target = placeOf(key.target).join(".")
  if (to === undefined) return `it leads to ${target}, which is not served`
  if (to.key === undefined) return `it leads to ${target}, which has no key`
  const has = (draft: Draft, columns: readonly string[]) =>
    columns.length > 0 && columns.every((column) => draft.table.columns.some(({ name }) => name === column))
  if (!has(from, key.columns)) return "not all of its columns can be read"
  if (!has(to, key.targetColumns) || key.columns.length !== key.targetColumns.length)
    return `it leads to columns that ${target} does not have`
  const keys = [to.key.columns, ...to.uniques]
  if (!keys.some((columns) => sameColumns(columns, key.targetColumns)))
    return `it leads to columns of ${target} that are not unique`
  return undefined
}

/** Also for a foreign key that names more than the key: the database refuses values that it would have to look up. */
const lacking = ({ table }: Draft, { target, targetColumns }: CatalogForeignKey): string | undefined =>
  targetColumns.every((column) => table.columns.some(({ name }) => name === column))
    ? undefined
    : `it leads to columns that ${placeOf(target).join(".")} does not have`

const samePairs = (link: Link, key: CatalogForeignKey): boolean =>
  link.columns.length === key.columns.length &&
  key.columns.every(
    (column, index) => link.targetColumns[link.columns.indexOf(column)] === key.targetColumns[index],
  )

function describe(from: Draft, to: Draft, key: CatalogForeignKey): Link {
  const { columns, targetColumns, comment } = key
  const keys = [...(from.key ? [from.key.columns] : []), ...from.uniques]
  const isNullable = (name: string) =>
    from.table.columns.some((column) => column.name === name && column.nullable)
  const isKey = (name: string) => from.key?.columns.includes(name) === true
  const commented = comment ?? commentOn(from, columns)
  return {
    from,
    to,
    columns,
    targetColumns,
    namesKey: to.key !== undefined && sameColumns(to.key.columns, targetColumns),
    unique: keys.some((unique) => unique.every((column) => columns.includes(column))),
    optional: columns.some(isNullable) || (key.dangling && !columns.some(isKey)),
    ...(commented === undefined ? {} : { comment: commented }),
  }
}

/** Comments on a foreign key's only column describe the relation. */
function commentOn({ table }: Draft, columns: readonly string[]): string | undefined {
  return columns.length === 1 ? table.columns.find(({ name }) => name === columns[0])?.comment : undefined
}

/** Tables that only join two others; they become relations on both sides instead of resources. */
export function findJoins(links: ReadonlyMap<Draft, readonly Link[]>): readonly Join[] {
  const targets = new Set([...links.values()].flat().map(({ to }) => to))
  const joins = [...links].flatMap(([table, own]): readonly Join[] => {
    const [one, other, ...more] = own
    if (!one || !other || more.length > 0 || targets.has(table)) return []
    const columns = [...one.columns, ...other.columns]
    const all = table.table.columns.map(({ name }) => name)
    const isWhole =
      sameColumns(columns, all) && table.key !== undefined && sameColumns(table.key.columns, all)
    return isWhole && one.namesKey && other.namesKey ? [{ table, sides: [one, other] }] : []
  })
  const name = ({ table }: Join) => memberName(table.table.name, "table")
  return joins.toSorted((a, b) => compareText(name(a), name(b)))
}
