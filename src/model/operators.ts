// The one table of operators of the condition language.
import { type ScalarFamily, type ScalarName, scalars } from "./scalars.ts"

export type OperatorName =
  | "eq"
  | "ne"
  | "in"
  | "notIn"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "isNull"
  | "contains"
  | "startsWith"
  | "endsWith"
  | "search"
  | "has"
  | "hasAny"
  | "hasAll"

export interface Operator {
  readonly name: OperatorName
  /** The operand: one value of the field's scalar, several, true/false, or text. */
  readonly operand: "value" | "values" | "flag" | "text"
  readonly description: string
}

const define = (name: OperatorName, operand: Operator["operand"], description: string): Operator => ({
  name,
  operand,
  description,
})

export const operators: Readonly<Record<OperatorName, Operator>> = {
  eq: define("eq", "value", "Equal."),
  ne: define("ne", "value", "Not equal; a missing value is not equal to anything."),
  in: define("in", "values", "Equal to one of these."),
  notIn: define("notIn", "values", "Equal to none of these."),
  lt: define("lt", "value", "Less than."),
  lte: define("lte", "value", "Less than or equal."),
  gt: define("gt", "value", "Greater than."),
  gte: define("gte", "value", "Greater than or equal."),
  isNull: define("isNull", "flag", "True: there is no value. False: there is one."),
  contains: define("contains", "text", "Contains this text, letter case included."),
  startsWith: define("startsWith", "text", "Begins with this text, letter case included."),
  endsWith: define("endsWith", "text", "Ends with this text, letter case included."),
  search: define(
    "search",
    "text",
    "Contains every word of this text; the case of ASCII letters does not matter.",
  ),
  has: define("has", "value", "The list holds this value."),
  hasAny: define("hasAny", "values", "The list holds at least one of these."),
  hasAll: define("hasAll", "values", "The list holds all of these."),
}

export const isOperatorName = (name: string): name is OperatorName => Object.hasOwn(operators, name)

const equality: readonly OperatorName[] = ["eq", "ne", "in", "notIn"]
const ordering: readonly OperatorName[] = ["lt", "lte", "gt", "gte"]

const byFamily: Readonly<Record<ScalarFamily, readonly OperatorName[]>> = {
  text: [...equality, ...ordering, "contains", "startsWith", "endsWith", "search"],
  number: [...equality, ...ordering],
  moment: [...equality, ...ordering],
  choice: equality,
  boolean: ["eq", "ne"],
  opaque: [],
}

/** Operators a member of this type has, in the order they are documented; `isNull` only where null can occur. */
export function operatorsOf(type: {
  readonly scalar: ScalarName
  readonly list: boolean
  readonly optional: boolean
  readonly shownOnly?: true
  readonly stored?: string
}): readonly OperatorName[] {
  if (type.shownOnly) return []
  const own: readonly OperatorName[] = type.list
    ? scalars[type.scalar].family === "opaque"
      ? []
      : ["has", "hasAny", "hasAll"]
    : byFamily[scalars[type.scalar].family]
  const kept = type.stored === "unordered" ? own.filter((name) => !ordering.includes(name)) : own
  return type.optional ? [...kept, "isNull"] : kept
}

/** Operators of `id` and of reference scalars such as `customerId`. */
export function identityOperators(optional: boolean): readonly OperatorName[] {
  return optional ? [...equality, "isNull"] : equality
}

/** The scalar of a sum: a sum of 64-bit integers may need more bits. */
export function sumScalar(scalar: ScalarName): ScalarName {
  if (scalar === "integer") return "int64"
  return scalar === "int64" ? "decimal" : scalar
}

/** Whether lists can be ordered, and groups formed, by a member of this type. */
export function isSortable(type: {
  readonly scalar: ScalarName
  readonly list: boolean
  readonly shownOnly?: true
  readonly stored?: string
}): boolean {
  return (
    !type.shownOnly && type.stored !== "unordered" && !type.list && scalars[type.scalar].family !== "opaque"
  )
}
