// Tables on their way to resources: the field of each column, and the columns of the key.

import type { KeyPartDeclaration } from "../declaration/declaration.ts"
import { isSortable } from "../operators.ts"
import { scalars } from "../scalars.ts"
import { compareText, memberName, resourceName } from "./api-names.ts"
import type { CatalogColumn, CatalogTable, Note } from "./catalog.ts"
import { readChoice } from "./check-constraints.ts"
import { type FieldType, type FindEnum, readType } from "./column-types.ts"

export interface Draft {
  readonly table: CatalogTable
  /** By column; columns that cannot be served are absent. */
  readonly types: ReadonlyMap<string, FieldType>
  readonly key?: DraftKey
  /** Columns of the keys that one record can be asked by, besides its id. */
  readonly uniques: readonly (readonly string[])[]
}

interface DraftKey {
  readonly columns: readonly string[]
  /** Shown as `id` only; otherwise the columns are fields, or come with relations. */
  readonly hidden?: KeyPartDeclaration
}

export const placeOf = ({ schema, name }: Pick<CatalogTable, "schema" | "name">): readonly string[] =>
  schema === undefined ? [name] : [schema, name]

/** In any order, and each once. */
export const sameColumns = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && other.every((column) => one.includes(column))

/** Undefined when no part of the table can be served. */
export function draftTable(table: CatalogTable, findEnum: FindEnum, notes: Note[]): Draft | undefined {
  const types = readColumns(table, findEnum, notes)
  if (types.size === 0) {
    const reason = table.columns.length === 0 ? "it has no columns" : "none of its columns can be served"
    notes.push({ place: placeOf(table), what: "not served", reason })
    return undefined
  }
  const key = chooseKey(table, types, notes)
  if (key === undefined) return { table, types, uniques: [] }
  return { table, types, key, uniques: listUniques(table, types, { key, notes }) }
}

function readColumns(table: CatalogTable, findEnum: FindEnum, notes: Note[]): ReadonlyMap<string, FieldType> {
  const choices = readChoices(table)
  const types = new Map<string, FieldType>()
  for (const column of table.columns) {
    const { type, note } = readType(column.type, findEnum)
    if (note) notes.push({ place: [...placeOf(table), column.name], ...note })
    if (type) types.set(column.name, narrow(type, column, choices))
  }
  return types
}

type Choices = ReadonlyMap<string, readonly [string, ...string[]]>

/** Values by column, of the checks that allow certain texts only. */
function readChoices(table: CatalogTable): Choices {
  const choices = new Map<string, readonly [string, ...string[]]>()
  for (const check of table.checks) {
    const choice = readChoice(check)
    const isNamed = ({ name }: CatalogColumn) => name === choice?.column
    const isAlike = ({ name }: CatalogColumn) => name.toLowerCase() === choice?.column.toLowerCase()
    const column = table.columns.find(isNamed) ?? table.columns.find(isAlike)
    // Where another collation compares the texts, the check also lets through other spellings of them.
    const exact = column?.type.kind === "postgres" || column?.type.collation === undefined
    if (choice && column && exact) choices.set(column.name, choice.values)
  }
  return choices
}

/** A text that a CHECK, of the table or of the column's domain, narrows to certain values is a oneOf. */
function narrow(type: FieldType, column: CatalogColumn, choices: Choices): FieldType {
  const own = column.type.kind === "postgres" ? column.type.checks.map(readChoice) : []
  const values =
    own.find((choice) => choice?.column.toLowerCase() === "value")?.values ?? choices.get(column.name)
  if (values === undefined || type.scalar !== "text" || (type.list && !own.length)) return type
  // The check compares as the type does: as other texts than these, where that is no text itself.
  if (column.type.kind === "postgres" && (type.readonly || type.stored === "folded")) return type
  const { max: _, items: __, ...rest } = type
  const [first, ...more] = type.stored === "padded" ? trimmed(values) : values
  return first === "" || more.includes("") ? type : { ...rest, scalar: "oneOf", of: [first, ...more] }
}

function trimmed([first, ...more]: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const own = first.replace(/ +$/, "")
  return [own, ...new Set(more.map((value) => value.replace(/ +$/, "")).filter((value) => value !== own))]
}

function chooseKey(
  table: CatalogTable,
  types: ReadonlyMap<string, FieldType>,
  notes: Note[],
): DraftKey | undefined {
  const place = placeOf(table)
  const missing = nullableColumns(table)
  const unfit = (columns: readonly string[]) =>
    columns.find((column) => !fitsKey(types.get(column)) || missing.has(column))
  const columns = keyCandidates(table).find((candidate) => unfit(candidate) === undefined)
  const culprit = table.primaryKey && unfit(table.primaryKey)
  const without =
    table.kind === "view" ? "a view has no key" : "it has no primary key, nor a unique one without NULL"
  const fault = missing.has(culprit ?? "")
    ? "which is NULL in some rows"
    : types.has(culprit ?? "")
      ? "whose type makes no id"
      : "which is not served"
  const reason = culprit === undefined ? without : `its primary key has ${culprit}, ${fault}`
  if (columns === undefined) {
    const hint = "If something tells its rows apart, name it as the key in a service file."
    notes.push({ place, what: "served as a list only", reason, hint })
    return undefined
  }
  if (culprit !== undefined) notes.push({ place, what: `served with the key ${columns.join(", ")}`, reason })
  return describeKey(table, types, columns)
}

/** The primary key, then unique ones without NULL, of few columns first. */
function keyCandidates(table: CatalogTable): readonly (readonly string[])[] {
  const nullable = nullableColumns(table)
  const text = (columns: readonly string[]) => columns.map((column) => memberName(column, "column")).join()
  const others = table.uniques
    .filter((columns) => columns.length > 0 && !columns.some((column) => nullable.has(column)))
    .toSorted((a, b) => a.length - b.length || compareText(text(a), text(b)))
  return table.primaryKey ? [table.primaryKey, ...others] : others
}

const nullableColumns = ({ columns }: CatalogTable): ReadonlySet<string> =>
  new Set(columns.filter((column) => column.nullable).map(({ name }) => name))

const fitsKey = (type: FieldType | undefined): boolean =>
  type !== undefined && !type.list && scalars[type.scalar].key !== undefined

/** A key that only identifies records is shown as `id`; one that people read is shown as fields, too. */
function describeKey(
  table: CatalogTable,
  types: ReadonlyMap<string, FieldType>,
  columns: readonly string[],
): DraftKey {
  const [column, ...more] = columns
  const type = types.get(column ?? "")
  const scalar = type && scalars[type.scalar].key
  if (column === undefined || more.length > 0 || type === undefined || scalar === undefined)
    return { columns }
  const name = memberName(column, "column")
  const resource = resourceName(table.name)
  const isForeign = table.foreignKeys.some((key) => sameColumns(key.columns, columns))
  const isNamedId =
    type.scalar === "text" && (name === "id" || name.toLowerCase() === `${resource}id`.toLowerCase())
  const isOpaque = scalar === "integer" || scalar === "int64" || scalar === "uuid"
  if (!isOpaque && !isForeign && !isNamedId) return { columns }
  const stored = type.stored === undefined ? {} : { stored: type.stored }
  return { columns, hidden: { column, type: scalar, ...stored } }
}

interface Around {
  readonly key: DraftKey
  readonly notes: Note[]
}

/** A primary key that makes no id is still unique; a key that contains the id's columns is redundant. */
function listUniques(
  table: CatalogTable,
  types: ReadonlyMap<string, FieldType>,
  { key, notes }: Around,
): readonly (readonly string[])[] {
  const isAskable = (column: string) => {
    const type = types.get(column)
    return type !== undefined && isSortable({ scalar: type.scalar, list: type.list === true })
  }
  const all = [...(table.primaryKey ? [table.primaryKey] : []), ...table.uniques]
  const others = all.filter((columns) => !key.columns.every((column) => columns.includes(column)))
  const once = others.filter(
    (columns, index) => others.findIndex((other) => sameColumns(other, columns)) === index,
  )
  return once.filter((columns) => {
    const culprit = columns.find((column) => !isAskable(column))
    if (culprit === undefined) return true
    const reason = `values of ${culprit} cannot be compared`
    notes.push({
      place: [...placeOf(table), columns.join(", ")],
      what: "no way to ask for one record",
      reason,
    })
    return false
  })
}
