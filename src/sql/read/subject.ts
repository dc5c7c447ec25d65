// Subjects as columns: a field is one, an id or a reference one per part of the key.
import { present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import type { Key, Resource, ToOne } from "../../model/model.ts"
import { type ColumnType, fieldType, keyPartType } from "../column-type.ts"
import { type Compilation, type Row, resourceOf } from "./compilation.ts"

export interface SubjectColumn {
  readonly column: string
  readonly type: ColumnType
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

/** The row that a path of to-one relations leads to. */
export const follow = (row: Row, path: readonly string[]): Row =>
  path.reduce((at, name) => at.one(toOne(at.resource, name)), row)
