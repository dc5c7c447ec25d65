// Resources in the making: the name of each table, and of each of its columns.
import { present } from "../../base/invariant.ts"
import type { RelationDeclaration, TableDeclaration } from "../declaration/declaration.ts"
import { camelCase, collectionOf, kebabCase, pascalCase, snakeCase } from "../names.ts"
import { reservedMembers, reservedPaths, reservedRoots, reservedTypes } from "../reserved.ts"
import { collectNames, compareText, memberName, type Names, resourceName } from "./api-names.ts"
import type { Note } from "./catalog.ts"
import { type Draft, placeOf } from "./draft-tables.ts"
import type { Link } from "./foreign-keys.ts"

export interface Entry {
  readonly draft: Draft
  /** The name of the resource. */
  readonly name: string
  readonly collection: string
  /** Foreign keys here, in the order of their columns. */
  readonly links: readonly Link[]
  /** Names of fields, references and relations. */
  readonly members: Names
  /** By column; columns without a field are absent. */
  readonly fields: ReadonlyMap<string, string>
  /** Filled by relations.ts. */
  readonly relations: Map<string, RelationDeclaration>
  /** The to-one relation of each link; filled by relations.ts. */
  readonly linkNames: Map<Link, string>
}

/** The table as a resource names it: empty when the resource's name implies it. */
export function tableOf({ table }: Draft, name: string): { readonly table?: TableDeclaration } {
  if (!table.visible && table.schema !== undefined)
    return { table: { schema: table.schema, name: table.name } }
  return table.name === snakeCase(name) ? {} : { table: table.name }
}

/** The relation whose scalar holds the column's value, so that the column is no field; a key of its own is one. */
export function coveringLink({ key }: Draft, links: readonly Link[], column: string): Link | undefined {
  if (key?.columns.length === 1 && key.columns[0] === column) return undefined
  return links.find(({ columns, namesKey }) => namesKey && columns.length === 1 && columns[0] === column)
}

interface Around {
  readonly links: ReadonlyMap<Draft, readonly Link[]>
  /** By precedence. */
  readonly schemas: readonly string[]
  readonly notes: Note[]
}

/** The entries, in the order of their names. */
export function openEntries(drafts: readonly Draft[], { links, schemas, notes }: Around): readonly Entry[] {
  const names = collectNames([
    ...[...reservedTypes].map((type) => `type ${type}`),
    ...[...reservedRoots].map((root) => `root ${root}`),
    ...[...reservedPaths].map((path) => `path ${path}`),
  ])
  const entries = drafts.toSorted(compareDrafts(schemas)).map((draft): Entry => {
    const isFirst = draft.table.schema === schemas[0]
    const name = nameResource(draft, names, { isFirst, notes })
    const own = links.get(draft) ?? []
    const members = collectNames(reservedMembers)
    const fields = nameFields(draft, own, members, notes)
    const collection = collectionOf(name)
    return {
      draft,
      name,
      collection,
      links: own,
      members,
      fields,
      relations: new Map(),
      linkNames: new Map(),
    }
  })
  return entries.toSorted((a, b) => compareText(a.name, b.name))
}

/** The first to be named keeps the name: the first schema before others, `Order` before `orders`. */
const compareDrafts = (schemas: readonly string[]) => (a: Draft, b: Draft) => {
  const rank = ({ table }: Draft) => schemas.indexOf(table.schema ?? "")
  const isPlural = ({ table }: Draft) => Number(memberName(table.name, "table") !== resourceName(table.name))
  const own = ({ table }: Draft) => resourceName(table.name)
  const isOther = ({ table }: Draft) => Number(!isSpelt(table.name, memberName(table.name, "table")))
  const byName =
    compareText(own(a), own(b)) || isOther(a) - isOther(b) || compareText(a.table.name, b.table.name)
  return rank(a) - rank(b) || isPlural(a) - isPlural(b) || byName
}

/** As the API spells it, or as a column is called that a field of this name has by default. */
const isSpelt = (physical: string, name: string): boolean => physical === name || physical === snakeCase(name)

function nameResource(
  { table }: Draft,
  names: Names,
  { isFirst, notes }: { readonly isFirst: boolean; readonly notes: Note[] },
): string {
  const wanted = resourceName(table.name)
  const qualified = isFirst || table.schema === undefined ? [] : [camelCase(`${table.schema} ${wanted}`)]
  const name = names.take([wanted, ...qualified, `${wanted}Record`], (name) => [
    `type ${pascalCase(name)}`,
    `root ${name}`,
    `root ${collectionOf(name)}`,
    `path ${kebabCase(collectionOf(name))}`,
    `prefix ${name.toLowerCase()}`,
  ])
  noteName(notes, placeOf(table), table.name, { wanted, name })
  return name
}

/** Notes a name that differs from the name that the database's own suggests. */
function noteName(
  notes: Note[],
  place: readonly string[],
  physical: string,
  { wanted, name }: { readonly wanted: string; readonly name: string },
): void {
  const plain = camelCase(physical)
  const what = `called ${name}`
  if (name !== wanted) notes.push({ place, what, reason: `${wanted} is taken or reserved` })
  else if (plain === "") notes.push({ place, what, reason: "its name has no letter or digit of ASCII" })
  else if (/^[0-9]/.test(plain)) notes.push({ place, what, reason: "a name cannot begin with a digit" })
}

function nameFields(
  draft: Draft,
  links: readonly Link[],
  members: Names,
  notes: Note[],
): ReadonlyMap<string, string> {
  const { table, types, key } = draft
  const served = table.columns.flatMap(({ name: column }) => {
    const isField = types.has(column) && column !== key?.hidden?.column && !coveringLink(draft, links, column)
    return isField ? [{ column, wanted: memberName(column, "column") }] : []
  })
  const isOther = ({ column, wanted }: (typeof served)[number]) => Number(!isSpelt(column, wanted))
  const taken = new Map(
    served
      .toSorted((a, b) => isOther(a) - isOther(b))
      .map(({ column, wanted }) => [
        column,
        members.take([wanted, ...(reservedMembers.has(wanted) ? [`${wanted}Value`] : [])]),
      ]),
  )
  return new Map(
    served.map(({ column, wanted }) => {
      const name = present(taken.get(column), "each column that is served has taken a name")
      noteName(notes, [...placeOf(table), column], column, { wanted, name })
      return [column, name]
    }),
  )
}
