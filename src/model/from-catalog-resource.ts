// A resource's declaration from its table, once everything has a name.
import type { CatalogColumn, Note } from "./catalog.ts"
import type { FieldDeclaration, ResourceDeclaration } from "./declaration.ts"
import { placeOf, sameColumns } from "./from-catalog-draft.ts"
import { coveringLink, type Entry, tableOf } from "./from-catalog-entries.ts"
import type { Enums } from "./from-catalog-enums.ts"
import type { FieldType } from "./from-catalog-types.ts"
import { snakeCase } from "./names.ts"
import { operatorsOf } from "./operators.ts"
import { databaseDefault } from "./service.ts"

type Members = readonly [string, ...string[]]

export function declareResource(entry: Entry, enums: Enums, notes: Note[]): ResourceDeclaration {
  const { draft, name, relations } = entry
  const { table } = draft
  const uniques = listUniques(entry, notes)
  const unique = uniques.filter(([first, ...more]) => more.length > 0 || !isField(entry, first))
  const indexes = listMembers(entry, table.indexes)
  return {
    ...keyOf(entry),
    ...described(table.comment),
    ...tableOf(draft, name),
    ...(table.writable ? {} : { readonly: true }),
    ...(draft.key === undefined && !table.rows ? { rows: false } : {}),
    fields: declareFields(entry, enums, uniques),
    ...(relations.size > 0 ? { relations: Object.fromEntries(relations) } : {}),
    ...(unique.length > 0 ? { unique } : {}),
    ...(indexes.length > 0 ? { indexes } : {}),
  }
}

const described = (text: string | undefined) => (text === undefined ? {} : { description: text })

const isField = ({ fields }: Entry, member: string): boolean => [...fields.values()].includes(member)

function keyOf(entry: Entry): Pick<ResourceDeclaration, "key"> {
  const { key } = entry.draft
  if (key === undefined) return { key: false }
  if (key.hidden) return { key: key.hidden }
  const [first, ...others] = membersOf(entry, key.columns) ?? []
  return first === undefined ? { key: false } : { key: [first, ...others] }
}

/** Fields, and to-one relations where their scalar holds the column; undefined when a column is neither. */
function membersOf({ links, linkNames, fields }: Entry, columns: readonly string[]): Members | undefined {
  const members = columns.map((column) => {
    const link = coveringLink(links, column)
    return link ? linkNames.get(link) : fields.get(column)
  })
  const [first, ...others] = members.filter((member) => member !== undefined)
  return first === undefined || others.length + 1 < columns.length ? undefined : [first, ...others]
}

/** As members, without repetition, in a stable order; what the members cannot say is left out. */
function listMembers(entry: Entry, lists: readonly (readonly string[])[]): readonly Members[] {
  const found = lists.flatMap((columns) => {
    const members = membersOf(entry, columns)
    return members ? [members] : []
  })
  const byText = new Map(found.map((members) => [members.join(), members]))
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, members]) => members)
}

/** Unique keys that can be asked for, the resource's own key not among them. */
function listUniques(entry: Entry, notes: Note[]): readonly Members[] {
  const { table, types, key } = entry.draft
  const others = table.uniques.filter((columns) => !key || !key.columns.every((column) => columns.includes(column)))
  const isAskable = (column: string) => {
    const type = types.get(column)
    return type !== undefined && !type.list && operatorsOf({ scalar: type.scalar, list: false, optional: false }).includes("eq")
  }
  for (const columns of others) {
    const culprit = columns.find((column) => !isAskable(column))
    if (culprit === undefined) continue
    const reason = `nobody can ask for a value of ${culprit}`
    notes.push({ place: [...placeOf(table), columns.join(", ")], what: "no way to ask for one record", reason })
  }
  return listMembers(entry, others.filter((columns) => columns.every(isAskable)))
}

function declareFields(entry: Entry, enums: Enums, uniques: readonly Members[]): Readonly<Record<string, FieldDeclaration>> {
  const { draft, fields, name } = entry
  const single = new Set(uniques.flatMap(([first, ...more]) => (more.length === 0 ? [first] : [])))
  return Object.fromEntries(
    draft.table.columns.flatMap((column) => {
      const [field, type] = [fields.get(column.name), draft.types.get(column.name)]
      if (field === undefined || type === undefined) return []
      const of = type.of === undefined ? {} : { of: enums.refer(name, field, type.of) }
      const unique = single.has(field) ? { unique: true } : {}
      return [[field, { ...declareField(field, column, type), ...of, ...unique }]]
    }),
  )
}

function declareField(name: string, column: CatalogColumn, type: FieldType): FieldDeclaration {
  return {
    ...type,
    ...(column.nullable ? { optional: true } : {}),
    ...(column.generated ? { generated: true } : {}),
    ...(column.always ? { readonly: true } : {}),
    ...(column.defaulted ? { default: databaseDefault } : {}),
    ...(column.name === snakeCase(name) ? {} : { column: column.name }),
    ...described(column.comment),
  }
}
