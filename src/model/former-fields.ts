// Former fields: those of an older version that no table has. Their values are expressions of the newest version's fields.
import { type Expression, fieldsIn } from "./expression.ts"
import type { Field, Resource } from "./model.ts"

/** The beginning of the names that former fields have among columns. */
export const formerColumn = "=~"

export const isFormerField = ({ column }: Pick<Field, "column">): boolean => column.startsWith(formerColumn)

export interface FormerField {
  readonly field: Field
  readonly expression: Expression
  /** Names of the newest version's fields that decide its value. */
  readonly sources: readonly string[]
}

/** Those whose values follow from the record's own fields alone. */
export const formerFields = ({ fields }: Resource): readonly FormerField[] =>
  [...fields.values()].flatMap((field): readonly FormerField[] => {
    const { computed } = field
    if (!isFormerField(field) || !computed || !isOfFields(computed)) return []
    return [{ field, expression: computed, sources: [...new Set(fieldsIn(computed))] }]
  })

function isOfFields(expression: Expression): boolean {
  switch (expression.kind) {
    case "arithmetic":
    case "concat":
    case "coalesce":
      return expression.of.every(isOfFields)
    case "letters":
    case "part":
    case "mapped":
      return isOfFields(expression.of)
    case "choice":
    case "count":
    case "sum":
      return false
    default:
      return true
  }
}
