// Leaves: the JSON text of a row's ids, references and fields, with a mark where a value is not as declared.
import { present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import type { Key } from "../../model/model.ts"
import { unrepresentable } from "../../plan/placeholders.ts"
import { type ColumnType, fieldType, plainText } from "../column-type.ts"
import { type Printed, presence } from "../dialect.ts"
import { type Fragment, sql } from "../fragment.ts"
import { concatenated, enclosing, joined, type TextPiece } from "../json-text.ts"
import { meantBy } from "./collation.ts"
import { type Compilation, placeholderText, type Row, resourceOf } from "./compilation.ts"
import { entryText } from "./history.ts"
import { columnsAt, columnsOf, keyOf, toOne } from "./subject.ts"

/** JSON text of the member that a subject is. */
export function subjectText(compilation: Compilation, row: Row, subject: Subject): readonly TextPiece[] {
  if (subject.kind === "field") return fieldText(compilation, row, subject.field)
  return keyValueText(compilation, keyValueOf(compilation, row, subject))
}

export function keyValueOf(
  compilation: Compilation,
  row: Row,
  subject: Exclude<Subject, { kind: "field" }>,
): KeyValue {
  const { row: at, columns, optional } = columnsAt(compilation, row, subject)
  const isOwn = subject.kind === "id" || at !== row
  const target = isOwn ? at.resource : resourceOf(compilation, toOne(row.resource, subject.relation).target)
  const key = keyOf(target)
  const own = columns.map(({ column }, part) => ({
    ...present(key.parts[part], "a reference has the parts of the key"),
    value: at.column(column),
  }))
  const values = isOwn ? own.map(({ value }) => value) : meantBy(compilation, target.name, own)
  const types = columns.map(({ type }) => type)
  return { prefix: target.prefix, key, values, types, optional }
}

function fieldText(compilation: Compilation, row: Row, name: string): readonly TextPiece[] {
  const field = present(row.resource.fields.get(name), `${row.resource.name} has the field ${name}`)
  const entry = row.of && entryText(compilation, row, row.of, name)
  if (entry) return [entry]
  const type = fieldType(compilation.model, field)
  const column = row.column(field.column)
  if (field.computed && !row.carried)
    return [
      once(compilation, column, (value) => {
        const printed = compilation.dialect.print(value, type)
        return guarded(compilation, { printed, column: value, optional: field.optional })
      }),
    ]
  const printed = compilation.dialect.print(column, type)
  const leaf = { printed, column: presence(compilation.dialect, column, type), optional: field.optional }
  return [quoted(compilation, leaf) ?? guarded(compilation, leaf)]
}

/** Printing names a value several times, and a computed value may be slow: the limit keeps it in its subquery. */
function once(compilation: Compilation, value: Fragment, print: (value: Fragment) => Fragment): Fragment {
  const alias = compilation.alias()
  return sql`(SELECT ${print(sql`${alias}.v`)} FROM (SELECT ${value} AS v LIMIT 1) AS ${alias})`
}

/** The same as `guarded`, where the quotes can be put together with what stands around them. */
function quoted(
  compilation: Compilation,
  { printed: { bare, partial }, optional }: ColumnJson,
): TextPiece | undefined {
  if (!bare || (optional && partial)) return undefined
  return enclosed(compilation, ['"', bare, '"'], optional)
}

function enclosed(
  compilation: Compilation,
  [before, value, after]: readonly [string, Fragment, string],
  optional: boolean,
): TextPiece {
  compilation.flaws ||= !optional
  const otherwise = optional ? "null" : placeholderText(compilation, unrepresentable)
  if (before === "" && after === "")
    return sql`coalesce(${value}, ${concatenated(compilation.dialect, [otherwise])})`
  return enclosing([before, value, after], otherwise)
}

export interface ColumnJson {
  readonly printed: Printed
  /** The expression that is missing where there is no value. */
  readonly column: Fragment
  readonly optional: boolean
}

/** The text, `null` where there is no value and there may be none, and a mark for what the declaration rules out. */
export function guarded(compilation: Compilation, { printed, column, optional }: ColumnJson): Fragment {
  if (!printed.partial && optional) return sql`coalesce(${printed.text}, 'null')`
  compilation.flaws = true
  const marked = sql`coalesce(${printed.text}, ${placeholderText(compilation, unrepresentable)})`
  return optional ? sql`CASE WHEN ${column} IS NULL THEN 'null' ELSE ${marked} END` : marked
}

export interface KeyValue {
  readonly prefix: string
  readonly key: Key
  /** The columns, or what else holds the parts. */
  readonly values: readonly Fragment[]
  readonly types: readonly ColumnType[]
  readonly optional: boolean
}

/** JSON text of a global id: `"prefix_part~part"`. */
export function keyValueText(compilation: Compilation, id: KeyValue): readonly TextPiece[] {
  const [value, ...others] = id.values
  const [type] = id.types
  const fits = value && type && others.length === 0 ? compilation.dialect.print(value, type).fits : undefined
  if (!fits || !value || id.optional) return [enclosed(compilation, idText(compilation, id), id.optional)]
  compilation.flaws = true
  const otherwise = placeholderText(compilation, unrepresentable)
  return [enclosing([`"${id.prefix}_`, value, '"'], otherwise, fits)]
}

/** The public id as text, NULL where a part of the key is missing. */
export function publicId(compilation: Compilation, row: Row): Fragment {
  const { resource } = row
  const { columns } = columnsOf(compilation, resource, { kind: "id" })
  const values = columns.map(({ column }) => row.stored(column))
  const types = columns.map(({ type }) => type)
  const id = { prefix: resource.prefix, key: keyOf(resource), values, types, optional: false }
  return sql`(${joined([`${resource.prefix}_`, ...idParts(compilation, id)])})`
}

function idParts({ dialect }: Compilation, { key, values, types }: KeyValue): readonly TextPiece[] {
  return values.flatMap((value, index): TextPiece[] => {
    const type = present(types[index], "each part of a key has a type")
    const tilde = index === 0 ? "" : "~"
    if (type.scalar !== "text") return [tilde, present(dialect.print(value, type).inId, "ids are made of it")]
    const text = dialect.comparable(value, type)
    const part = values.length > 1 && key.origin !== "typeid"
    return [tilde, part ? sql`replace(replace(${text}, '%', '%25'), '~', '%7E')` : text]
  })
}

function idText(
  compilation: Compilation,
  id: KeyValue,
): readonly [before: string, value: Fragment, after: string] {
  const { dialect } = compilation
  const { prefix, types } = id
  const parts = idParts(compilation, id)
  if (!types.some(({ scalar }) => scalar === "text")) return [`"${prefix}_`, joined(parts), '"']
  const whole = sql`(${joined([`${prefix}_`, ...parts])})`
  return ["", dialect.print(whole, plainText).text, ""]
}
