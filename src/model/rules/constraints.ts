// Constraints that some value can meet, and that every storage can keep.
import type { Place } from "../../base/problem.ts"
import type { FieldDeclaration } from "../declaration.ts"
import { scalars } from "../scalars.ts"
import { fieldsOf, type Report, type Rule } from "./rule.ts"

/** SQLite keeps a decimal as a scaled whole number of 64 bits. */
const mostDigitsStored = 18
const mostDigits = 1000

export const constraints: Rule = (service, report) => {
  for (const { name, member, place, of } of fieldsOf(service)) {
    const counted = member.list === true || scalars[member.scalar].family !== "number"
    checkRange(name, member, counted, place, report)
    if (member.items)
      checkRange(name, member.items, scalars[member.scalar].family !== "number", [...place, "items"], report)
    if (member.scalar === "decimal") checkDecimal(name, member, of.resource.key === undefined, place, report)
  }
}

interface Range {
  readonly min?: number
  readonly max?: number
}

function checkRange(name: string, { min, max }: Range, counted: boolean, place: Place, report: Report): void {
  for (const [end, value] of [
    ["min", min],
    ["max", max],
  ] as const)
    if (counted && value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      report(
        [...place, end],
        `The ${end} of "${name}" counts something, so it must be a whole number of at least 0, not ${value}.`,
      )
  if (min !== undefined && max !== undefined && min > max)
    report(place, `The min of "${name}", ${min}, is greater than its max, ${max}.`)
}

function checkDecimal(
  name: string,
  field: FieldDeclaration,
  made: boolean,
  place: Place,
  report: Report,
): void {
  const { precision, scale } = field
  if ((precision === undefined) !== (scale === undefined))
    return report(
      place,
      `"${name}" has ${precision === undefined ? "a scale but no precision" : "a precision but no scale"}.`,
    )
  if (precision === undefined || scale === undefined) {
    if (made)
      report(
        place,
        `"${name}" needs a precision and a scale.`,
        "Such as `f.decimal({ precision: 12, scale: 2 })`.",
      )
    return
  }
  const most = made ? mostDigitsStored : mostDigits
  if (!(Number.isInteger(precision) && precision >= 1 && precision <= most))
    report(
      [...place, "precision"],
      `The precision of "${name}" must be a whole number from 1 to ${most}, not ${precision}.`,
    )
  else if (!(Number.isInteger(scale) && scale >= 0 && scale <= precision))
    report(
      [...place, "scale"],
      `The scale of "${name}" must be a whole number from 0 to its precision, ${precision}, not ${scale}.`,
    )
}
