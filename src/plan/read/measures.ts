// Measures that lists take of their records' fields.
import type { Field } from "../../model/model.ts"
import { isSortable } from "../../model/operators.ts"
import { scalars } from "../../model/scalars.ts"
import type { AggregateFunction } from "../read-plan.ts"

export const measures: readonly AggregateFunction[] = ["sum", "avg", "min", "max"]

/** Whether the measure can be taken of the field (docs/guide/reading.md, "Aggregates"). */
export function isMeasurable(measure: AggregateFunction, field: Field): boolean {
  const summable = !field.list && scalars[field.scalar].family === "number"
  return measure === "sum" || measure === "avg" ? summable : isSortable(field)
}
