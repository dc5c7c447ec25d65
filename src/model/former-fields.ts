// Former fields: fields of an older version that no table has. Their values are expressions of the newest version's fields.
import { isEvaluated } from "./evaluation/evaluate.ts"
import { type Expression, operandsOf, sourcesIn } from "./expression.ts"
import type { Field, Relation, Resource, ToOne } from "./model.ts"

/** The beginning of the names that former fields have among columns. */
export const formerColumn = "=~"

export const isFormerField = ({ column }: Pick<Field, "column">): boolean => column.startsWith(formerColumn)

/** A to-one relation of an older version that the newest one has as a to-many relation. */
export const isFormerRelation = (relation: Relation): relation is ToOne =>
  relation.kind === "one" && relation.first !== undefined

export interface FormerField {
  readonly field: Field
  readonly expression: Expression
  /** Names of the newest version's fields that decide its value. */
  readonly sources: readonly string[]
}

/** Those whose values follow from the record's own fields, by expressions that are evaluated on the log too. */
export const formerFields = ({ fields }: Resource): readonly FormerField[] =>
  [...fields.values()].flatMap((field): readonly FormerField[] => {
    const { computed } = field
    if (!isFormerField(field) || !computed || field.byCode || !isEvaluated(computed)) return []
    return [{ field, expression: computed, sources: [...new Set(sourcesIn(computed))] }]
  })

/** Whether it follows no relation, and asks no condition. */
export const isOfFields = (expression: Expression): boolean =>
  !["choice", "count", "sum", "related"].includes(expression.kind) && operandsOf(expression).every(isOfFields)
