// A resource's declaration from its table, once everything has a name.

import type { JsonValue } from "../../base/json.ts"
import type { FieldDeclaration, KeyPartDeclaration, ResourceDeclaration } from "../declaration/declaration.ts"
import { referenceName } from "../declaration/default-names.ts"
import { databaseDefault } from "../declaration/service.ts"
import { snakeCase } from "../names.ts"
import { isSortable } from "../operators.ts"
import type { ScalarName } from "../scalars.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import { by, compareText } from "./api-names.ts"
import type { CatalogColumn, CatalogTable, Note } from "./catalog.ts"
import type { FieldType } from "./column-types.ts"
import { coveringLink, type Entry, tableOf } from "./draft-resources.ts"
import { placeOf } from "./draft-tables.ts"
import type { Enums } from "./enums.ts"

type Members = readonly [string, ...string[]]

interface Around {
  readonly enums: Enums
  /** Root fields that are taken. */
  readonly roots: Set<string>
  readonly notes: Note[]
}

export function declareResource(entry: Entry, around: Around): ResourceDeclaration {
  const { draft, name, relations } = entry
  const { table } = draft
  const uniques = listUniques(entry, around)
  const unique = uniques.filter(([first, ...more]) => more.length > 0 || !isField(entry, first))
  const indexes = listMembers(
    entry,
    table.indexes.filter((columns) => columns.every((column) => isOrdered(entry, column))),
  )
  return {
    ...keyOf(entry),
    ...described(table.comment),
    ...tableOf(draft, name),
    ...withheldOf(table),
    ...(draft.key === undefined && !table.rows ? { rows: false } : {}),
    ...(table.settles ? { onConflict: "refuse" as const } : {}),
    fields: declareFields(entry, around.enums, uniques),
    ...(relations.size > 0 ? { relations: Object.fromEntries(relations) } : {}),
    ...(unique.length > 0 ? { unique } : {}),
    ...(indexes.length > 0 ? { indexes } : {}),
  }
}

function withheldOf({ writable, withheld = [] }: CatalogTable): Pick<ResourceDeclaration, "readonly"> {
  const [first, ...more] = withheld
  if (!writable || withheld.length === 3) return { readonly: true }
  return first === undefined ? {} : { readonly: [first, ...more] }
}

const described = (text: string | undefined) => (text === undefined ? {} : { description: text })

function isOrdered({ draft }: Entry, column: string): boolean {
  const type = draft.types.get(column)
  return type !== undefined && isSortable({ scalar: type.scalar, list: type.list === true })
}

const isField = ({ fields }: Entry, member: string): boolean => [...fields.values()].includes(member)

function keyOf(entry: Entry): Pick<ResourceDeclaration, "key"> {
  const { key } = entry.draft
  if (key === undefined) return { key: false }
  if (key.hidden) return { key: isMade(entry, key.hidden) ? key.hidden : { ...key.hidden, given: true } }
  const [first, ...others] = membersOf(entry, key.columns) ?? []
  return first === undefined ? { key: false } : { key: [first, ...others] }
}

/** Whether the database fills it in, or a relation that every record has. */
function isMade({ draft, links }: Entry, { column: name }: KeyPartDeclaration): boolean {
  const column = draft.table.columns.find((column) => column.name === name)
  const isAlias = column?.type.kind === "sqlite" && column.type.rowid
  const comesAlong = links.some((link) => link.namesKey && !link.optional && link.columns.includes(name))
  return isAlias || column?.defaulted === true || column?.generated === true || comesAlong
}

/** Fields, and to-one relations where their scalar holds the column; undefined when a column is neither. */
function membersOf(
  { draft, links, linkNames, fields }: Entry,
  columns: readonly string[],
): Members | undefined {
  const members = columns.map((column) => {
    const link = coveringLink(draft, links, column)
    return link ? linkNames.get(link) : fields.get(column)
  })
  const [first, ...others] = members.filter((member) => member !== undefined)
  return first === undefined || others.length + 1 < columns.length ? undefined : [first, ...others]
}

/** As members, without repetition, in a stable order; columns that are no members are left out. */
function listMembers(entry: Entry, lists: readonly (readonly string[])[]): readonly Members[] {
  const found = lists.flatMap((columns) => {
    const members = membersOf(entry, columns)
    return members ? [members] : []
  })
  const byText = new Map(found.map((members) => [members.join(), members]))
  return [...byText].toSorted(([a], [b]) => compareText(a, b)).map(([, members]) => members)
}

/** Unique keys, without keys whose root field would have the name of another one. */
function listUniques(entry: Entry, { roots, notes }: Around): readonly Members[] {
  const { draft, name, fields } = entry
  const isFieldName = new Set(fields.values())
  return listMembers(entry, draft.uniques).filter((members) => {
    const parts = members.map((member) => (isFieldName.has(member) ? member : referenceName(member)))
    const root = by(name, parts.join("_"))
    const isFree = !roots.has(root)
    const reason = `${root} is the name of something else`
    if (!isFree)
      notes.push({
        place: [...placeOf(draft.table), members.join(", ")],
        what: "no way to ask for one record",
        reason,
      })
    roots.add(root)
    return isFree
  })
}

/** A column that a relation writes is read-only as a field, unless records are known by it. */
function declareFields(
  entry: Entry,
  enums: Enums,
  uniques: readonly Members[],
): Readonly<Record<string, FieldDeclaration>> {
  const { draft, fields, links, name } = entry
  const single = new Set(uniques.flatMap(([first, ...more]) => (more.length === 0 ? [first] : [])))
  return Object.fromEntries(
    draft.table.columns.flatMap((column) => {
      const [field, type] = [fields.get(column.name), draft.types.get(column.name)]
      if (field === undefined || type === undefined) return []
      const of = type.of === undefined ? {} : { of: enums.refer(name, field, type.of) }
      const unique = single.has(field) ? { unique: true } : {}
      const isWritten = links.some(({ columns }) => columns.includes(column.name))
      const written = isWritten && !draft.key?.columns.includes(column.name) ? { readonly: true } : {}
      const declared = { ...declareField(field, column, type), ...of, ...unique, ...written }
      const values = declared.of === undefined ? undefined : enums.valuesOf(declared.of)
      const usual = declareDefault(column, declared, values)
      return [[field, usual === undefined ? declared : { ...declared, default: usual }]]
    }),
  )
}

function declareField(name: string, column: CatalogColumn, type: FieldType): FieldDeclaration {
  return {
    ...type,
    ...(column.nullable ? { optional: true } : {}),
    ...(column.generated ? { generated: true } : {}),
    ...(column.always ? { readonly: true } : {}),
    ...(column.immutable && !column.always ? { immutable: true } : {}),
    ...(column.name === snakeCase(name) ? {} : { column: column.name }),
    ...described(column.comment),
  }
}

// Defaults of columns: a constant is a value of the field, anything else is the database's own business.

/** @param values of the field's enumeration, where it has a shared one */
function declareDefault(
  { defaulted, generated, expression }: CatalogColumn,
  field: FieldDeclaration,
  values: FieldDeclaration["of"],
): FieldDeclaration["default"] {
  if (!defaulted || generated) return undefined
  const value = expression === undefined ? undefined : constant(expression, field)
  const own = { ...field, ...(values === undefined ? {} : { of: values }) }
  const fits = value !== undefined && wrongValue({ name: "", resources: {} }, own, value) === undefined
  return fits ? value : databaseDefault
}

/** The default value, in the form of the API. */
function constant(
  expression: string,
  { scalar, list, stored, readonly }: FieldDeclaration,
): JsonValue | undefined {
  // A column that is served as text, for reading only, has values that only the database reads.
  if (readonly || list || (stored === "cast" && scalar !== "oneOf")) return undefined
  const found = literal(expression.trim())
  const value = found === undefined ? undefined : forms[scalar]?.(found)
  return stored === "padded" && typeof value === "string" ? value.replace(/ +$/, "") : value
}

type Literal = { readonly text: string } | { readonly number: string } | { readonly boolean: boolean }

/** A cast in PostgreSQL's text repeats the type of the column. */
function literal(expression: string): Literal | undefined {
  const [, text] = /^'((?:[^']|'')*)'(?:::[\w\s".,()]+)?$/.exec(expression) ?? []
  if (text !== undefined) return { text: text.replaceAll("''", "'") }
  // SQLite takes a name where there can be none for a text (https://sqlite.org/quirks.html, section 8).
  const [, named] = /^"((?:[^"]|"")*)"$/.exec(expression) ?? []
  if (named !== undefined) return { text: named.replaceAll('""', '"') }
  const [, number] = /^\(?(-?\d+(?:\.\d+)?)\)?(?:::[\w\s".,()]+)?$/.exec(expression) ?? []
  if (number !== undefined) return { number }
  return /^(?:true|false)$/i.test(expression) ? { boolean: /^t/i.test(expression) } : undefined
}

const textOf = (of: Literal): string | undefined => ("text" in of ? of.text : undefined)

/** Numbers may stand in quotes: the column's type decides. */
const digitsOf = (of: Literal): string | undefined => {
  const digits = "number" in of ? of.number : textOf(of)
  return digits !== undefined && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(digits) ? digits : undefined
}

const numberOf = (of: Literal): number | undefined => {
  const digits = digitsOf(of)
  return digits === undefined ? undefined : Number(digits)
}

/** Digits that every column keeps. */
const mostDigits = 15

const forms: Partial<Readonly<Record<ScalarName, (of: Literal) => JsonValue | undefined>>> = {
  text: textOf,
  oneOf: textOf,
  uuid: textOf,
  date: textOf,
  time: textOf,
  integer: numberOf,
  float: numberOf,
  int64: digitsOf,
  decimal: (of) => {
    const digits = digitsOf(of)
    return digits !== undefined && digits.replace(/\D/g, "").length <= mostDigits ? digits : undefined
  },
  boolean: (of) =>
    "boolean" in of ? of.boolean : "number" in of ? { 0: false, 1: true }[of.number] : undefined,
  json: (of) => {
    try {
      const value: unknown = JSON.parse(textOf(of) ?? "")
      return typeof value === "object" ? (value as JsonValue) : undefined
    } catch {
      return undefined
    }
  },
}
