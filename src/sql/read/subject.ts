// Subjects as columns: a field is one, an id or a reference one per part of the key.
import { perObject } from "../../base/caches.ts"
import { present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import { evaluate } from "../../model/evaluation/evaluate.ts"
import { formerFields, isFormerField } from "../../model/former-fields.ts"
import type { Field, Key, Model, Resource, ToOne } from "../../model/model.ts"
import { resourceNamed } from "../../plan/lookup.ts"
import type { Value } from "../../plan/read-plan.ts"
import { type ColumnType, fieldType, keyPartType } from "../column-type.ts"
import { type Compilation, type Row, resourceOf } from "./compilation.ts"

export interface SubjectColumn {
  readonly column: string
  readonly type: ColumnType
  /** The column's values for one of the subject, where those are others. */
  readonly stored?: (value: Value) => readonly Value[]
  /** `stored` may give several. */
  readonly several?: true
}

export interface SubjectColumns {
  /** A key's values are arrays of parts in a plan, a field's are not. */
  readonly isKey: boolean
  readonly optional: boolean
  readonly columns: readonly SubjectColumn[]
}

export function columnsOf(
  compilation: Pick<Compilation, "model">,
  resource: Resource,
  subject: Subject,
): SubjectColumns {
  if (subject.kind === "field") {
    const field = present(
      resource.fields.get(subject.field),
      `${resource.name} has the field ${subject.field}`,
    )
    const type = fieldType(compilation.model, field)
    return { isKey: false, optional: field.optional, columns: [{ column: field.column, type }] }
  }
  if (subject.kind === "id") {
    const columns = keyOf(resource).parts.map((part) => ({ column: part.column, type: keyPartType(part) }))
    return { isKey: true, optional: false, columns }
  }
  const relation = toOne(resource, subject.relation)
  return { isKey: true, optional: relation.optional, columns: referenceColumns(compilation, relation) }
}

/** The columns of the foreign key, in the order of the target's key. */
function referenceColumns(
  compilation: Pick<Compilation, "model">,
  { target, join }: ToOne,
): readonly SubjectColumn[] {
  return keyOf(resourceOf(compilation, target)).parts.map((part) => {
    const pair = present(
      join.find(({ to }) => to === part.column),
      `a reference joins ${target}.${part.column}`,
    )
    return { column: pair.from, type: { ...keyPartType(part), refers: true } }
  })
}

export const keyOf = (resource: Resource): Key => present(resource.key, `${resource.name} has a key`)

export function toOne(resource: Resource, name: string): ToOne {
  const relation = resource.relations.get(name)
  return present(
    relation?.kind === "one" ? relation : undefined,
    `${resource.name}.${name} leads to one record`,
  )
}

/** With the row that has the columns: the reference of an older version's relation is the id of the record that it leads to. */
export function columnsAt(
  compilation: Pick<Compilation, "model">,
  row: Row,
  subject: Subject,
): SubjectColumns & { readonly row: Row } {
  const relation = subject.kind === "reference" ? toOne(row.resource, subject.relation) : undefined
  if (!relation?.first) return { row, ...columnsOf(compilation, row.resource, subject) }
  const target = row.one(relation)
  const id = columnsOf(compilation, target.resource, { kind: "id" })
  return { row: target, ...id, optional: relation.optional }
}

/** The row that a path of to-one relations leads to. */
export const follow = (row: Row, path: readonly string[]): Row =>
  path.reduce((at, name) => at.one(toOne(at.resource, name)), row)

// Former fields whose values come from an enumeration's, such as renamed states. An exact comparison asks the stored
// column, so that its index serves it.

/** Undefined where a value of the field does not name one of the column. @param whole of the newest version */
export function storedColumn(whole: Model, resource: Resource, field: Field): SubjectColumn | undefined {
  if (!isFormerField(field)) return undefined
  return columnOf(field, whole, resource)
}

const columnOf = perObject((field: Field, whole: Model, resource: Resource): SubjectColumn | undefined => {
  const former = formerFields(resource).find((one) => one.field === field)
  const [name, ...more] = former?.sources ?? []
  const source = name === undefined ? undefined : resourceNamed(whole, resource.name).fields.get(name)
  if (!former || !source || more.length > 0 || source.computed || source.list) return undefined
  const values = whole.enums.get(source.enumeration ?? "")?.values
  if (!values) return undefined
  const imageOf = (value: string | null) =>
    evaluate(former.expression, field, new Map([[source.name, value]]))
  const inverse = Map.groupBy(values, imageOf)
  // Each value comes to one, and a missing one stays missing.
  if (inverse.has(null) || imageOf(null) !== null) return undefined
  return {
    column: source.column,
    type: fieldType(whole, source),
    stored: (value: Value) => inverse.get(value as string) ?? [],
    ...(inverse.size < values.length && { several: true as const }),
  }
})
