// Values of older versions are expressions with those of later changes in them: each change that names a field twice doubles it.
import { type Expression, fieldsIn, partsOf } from "../expression.ts"
import type { Undoing } from "./undoing.ts"

const most = 1_000

/** The expression. One of its fields where it is too large, which is reported: the changes before are undone all the same. */
export function boundedParts({ report }: Undoing, name: string, expression: Expression): Expression {
  const parts = partsOf(expression)
  if (parts <= most) return expression
  report?.(
    `"${name}" comes to an expression of ${parts} parts with the changes since; at most ${most} are served.`,
    "Name each field once in `reads` and `writes`, as `map` does, give the value by code, or say `breaking`.",
  )
  const [field] = fieldsIn(expression)
  return field === undefined ? expression : { kind: "field", field }
}
