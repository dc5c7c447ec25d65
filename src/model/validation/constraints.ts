// Constraints that some value can meet, and that every storage can keep.
import type { FieldDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { scalars } from "../scalars.ts"
import { type Report, type Rule, valuesOf } from "./context.ts"

/** SQLite keeps a decimal as a scaled whole number of 64 bits. */
const mostDigitsStored = 18
const mostDigits = 1000
/** Digits of a second's fraction. */
const mostFraction = 6

export const constraints: Rule = (service, report) => {
  for (const { name, member, place, of } of valuesOf(service)) {
    const here: Report = (at, message, hint) => report([...place, ...at], message, hint)
    const measured = scalars[member.scalar].family !== "number"
    checkRange(name, member, member.list === true || measured, here)
    if (member.items)
      checkRange(name, member.items, measured, (at, message) => here(["items", ...at], message))
    if (member.scalar === "decimal")
      checkDecimal(name, member, { made: of.resource.key === undefined, least: leastScale(service) }, here)
    else if (member.precision !== undefined && !isWhole(member.precision, 0, mostFraction))
      here(["precision"], `The precision of "${name}" must be a whole number from 0 to ${mostFraction}.`)
  }
}

interface Range {
  readonly min?: number
  readonly max?: number
}

/** `counted`: the ends are numbers of characters, items or bytes, not values. */
function checkRange(name: string, { min, max }: Range, counted: boolean, report: Report): void {
  for (const [end, value] of Object.entries({ min, max }))
    if (counted && value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      report([end], `The ${end} of "${name}" must be a whole number of at least 0, not ${value}.`)
  if (min !== undefined && max !== undefined && min > max)
    report([], `The min of "${name}", ${min}, is greater than its max, ${max}.`)
}

/** PostgreSQL 15 and later round digits before the point, where somebody has said so. */
const leastScale = ({ managed }: ServiceDeclaration): number => (managed === false ? -mostDigits : 0)

/** `made`: Bifold makes the table. */
function checkDecimal(
  name: string,
  { precision, scale }: FieldDeclaration,
  { made, least }: { readonly made: boolean; readonly least: number },
  report: Report,
): void {
  if (precision === undefined && scale === undefined) {
    if (made) report([], `"${name}" needs a precision and a scale.`, "Such as `{ precision: 12, scale: 2 }`.")
    return
  }
  const most = made ? mostDigitsStored : mostDigits
  if (precision === undefined) report([], `"${name}" has a scale but no precision.`)
  else if (!isWhole(precision, 1, most))
    report(
      ["precision"],
      `The precision of "${name}" must be a whole number from 1 to ${most}, not ${precision}.`,
    )
  else if (scale === undefined) report([], `"${name}" has a precision but no scale.`)
  else if (!isWhole(scale, least, precision))
    report(
      ["scale"],
      `The scale of "${name}" must be a whole number from ${least} to ${precision}, not ${scale}.`,
    )
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
