// Names of both ends of a foreign key, and their relations.
import { present } from "../../base/invariant.ts"
import type { OneDeclaration, RelationDeclaration, ThroughDeclaration } from "../declaration/declaration.ts"
import { referenceName } from "../declaration/default-names.ts"
import { pascalCase, snakeCase } from "../names.ts"
import { by, memberName, roleOf, rolesOf } from "./api-names.ts"
import type { Note } from "./catalog.ts"
import { type Entry, tableOf } from "./draft-resources.ts"
import { placeOf } from "./draft-tables.ts"
import type { Join, Link } from "./foreign-keys.ts"

/** Fills the entries' relations: the foreign keys, then the ways back, then the ways through join tables. */
export function declareRelations(entries: readonly Entry[], joins: readonly Join[], notes: Note[]): void {
  const at = (link: Link, end: "from" | "to"): Entry =>
    present(
      entries.find(({ draft }) => draft === link[end]),
      `a link ${end} a table that is no resource`,
    )
  for (const entry of entries) for (const link of entry.links) declareOne(entry, link, at(link, "to").name)
  for (const entry of entries) {
    for (const link of entry.links) {
      if (entry.draft.key) declareBack(at(link, "to"), entry, link)
      else notes.push(noWayBack(entry, link))
    }
  }
  for (const join of joins) declareJoin(join, joins, { at, notes })
}

const described = (text: string | undefined) => (text === undefined ? {} : { description: text })

function declareOne(entry: Entry, link: Link, target: string): void {
  const wanted = roleOfLink(entry, link, target)
  const [first = wanted, ...others] = [
    wanted,
    ...(endsWith(wanted, target) ? [] : [wanted + pascalCase(target)]),
    `${wanted}Record`,
  ]
  const name = entry.members.take([first, ...others], (name) => [name, referenceName(name)])
  const optional = link.optional ? { optional: true } : {}
  const relation: OneDeclaration = {
    kind: "one",
    target,
    ...optional,
    ...columnsOf(link, name),
    ...described(link.comment),
  }
  entry.relations.set(name, relation)
  entry.linkNames.set(link, name)
}

const endsWith = (name: string, target: string): boolean => pascalCase(name).endsWith(pascalCase(target))

/** A key of several columns is named after its target, or after its columns where several lead to the same one. */
function roleOfLink({ links }: Entry, link: Link, target: string): string {
  const [column, ...more] = link.columns
  if (column === undefined || more.length === 0) return roleOf(column ?? target, target)
  if (links.every((other) => other === link || other.to !== link.to)) return target
  const shared = (name: string) => links.some((other) => other !== link && other.columns.includes(name))
  const own = link.columns.filter((name) => !shared(name))
  const [only, ...others] = own
  if (only !== undefined && others.length === 0) return roleOf(only, target)
  return by(target, (own.length > 0 ? own : link.columns).map((name) => memberName(name, "column")).join(" "))
}

function columnsOf(
  { columns, targetColumns, namesKey }: Link,
  name: string,
): Pick<OneDeclaration, "column" | "columns"> {
  const [column, ...more] = columns
  if (column !== undefined && more.length === 0 && namesKey)
    return column === `${snakeCase(name)}_id` ? {} : { column }
  return { columns: pairs(columns, targetColumns) }
}

const pairs = (from: readonly string[], to: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(from.map((column, index) => [column, to[index] ?? ""]))

/** The way back of a link: `albums`, or `ordersByBillingAddress` where several lead here and for a table's links to itself. */
function declareBack(here: Entry, source: Entry, link: Link): void {
  const way = present(source.linkNames.get(link), "a link without a name")
  const several = source.links.filter(({ to }) => to === link.to).length > 1 || here === source
  const plain = link.unique ? source.name : source.collection
  const name = here.members.take(several ? [by(plain, way)] : [plain, by(plain, way)])
  here.relations.set(name, { kind: link.unique ? "one" : "many", target: source.name, by: way })
}

function noWayBack({ draft }: Entry, { to, columns }: Link): Note {
  const what = `no relation from ${placeOf(to.table).join(".")} back to it`
  return {
    place: [...placeOf(draft.table), columns.join(", ")],
    what,
    reason: "records without a key are only listed",
  }
}

interface Around {
  readonly at: (link: Link, end: "from" | "to") => Entry
  readonly notes: Note[]
}

function declareJoin(join: Join, joins: readonly Join[], { at, notes }: Around): void {
  const [one, other] = join.sides
  const ends = (of: Join) => of.sides.map(({ to }) => to)
  const isAlike = (of: Join) =>
    ends(of).every((end) => ends(join).includes(end)) && ends(join).every((end) => ends(of).includes(end))
  const several = joins.filter(isAlike).length > 1
  const declareSide = (near: Link, far: Link): string => {
    const [here, target] = [at(near, "to"), at(far, "to")]
    const through: ThroughDeclaration = {
      table: tableOf(join.table, "").table ?? join.table.table.name,
      near: pairs(near.columns, near.targetColumns),
      far: pairs(far.columns, far.targetColumns),
    }
    const relation: RelationDeclaration = {
      kind: "many",
      target: target.name,
      through,
      ...described(join.table.table.comment),
    }
    const name = here.members.take(throughNames(join, far, { here, target, several }))
    here.relations.set(name, relation)
    return `${here.name}.${name}`
  }
  const names = [declareSide(one, other), declareSide(other, one)]
  const reason = "its key is two foreign keys and it holds nothing else"
  notes.push({
    place: placeOf(join.table.table),
    what: `served as the relations ${names.join(" and ")}`,
    reason,
  })
}

function throughNames(
  { table }: Join,
  far: Link,
  { here, target, several }: { readonly here: Entry; readonly target: Entry; readonly several: boolean },
): [string, ...string[]] {
  const byTable = by(target.collection, memberName(table.table.name, "table"))
  const [column, ...more] = far.columns
  if (here === target && column !== undefined && more.length === 0) {
    const role = rolesOf(column, target.name)
    return several ? [by(role, memberName(table.table.name, "table"))] : [role, by(role, table.table.name)]
  }
  return several ? [byTable] : [target.collection, byTable]
}
