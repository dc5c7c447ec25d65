// Conditions of expressions, decided on values of an input or of the log as each database decides them.
import type { JsonValue } from "../../base/json.ts"
import type { ConditionField } from "../expression.ts"
import type { OperatorName } from "../operators.ts"
import type { RuleObject } from "../policy-declaration.ts"
import { type Scalar, type ScalarName, scalars } from "../scalars.ts"
import { differenceOf, exactIn } from "./exact.ts"

interface Comparison {
  /** The question that it is about the values. */
  readonly asks: Scalar["decides"]
  readonly holds: (value: JsonValue, operand: unknown, scalar: ScalarName) => boolean
}

const ordered = (holds: (difference: bigint) => boolean): Comparison => ({
  asks: "order",
  holds: (value, operand) => {
    const difference = compare(value, operand)
    return difference !== undefined && holds(difference)
  },
})

/** Undefined for those that the databases alone decide. */
const comparisons: Readonly<Record<OperatorName, Comparison | undefined>> = {
  isNull: { asks: "presence", holds: (value, operand) => (value === null) === operand },
  eq: { asks: "equality", holds: isEqual },
  ne: { asks: "equality", holds: (...of) => !isEqual(...of) },
  in: { asks: "equality", holds: isAmong },
  notIn: { asks: "equality", holds: (...of) => !isAmong(...of) },
  lt: ordered((difference) => difference < 0n),
  lte: ordered((difference) => difference <= 0n),
  gt: ordered((difference) => difference > 0n),
  gte: ordered((difference) => difference >= 0n),
  contains: undefined,
  startsWith: undefined,
  endsWith: undefined,
  search: undefined,
  has: undefined,
  hasAny: undefined,
  hasAll: undefined,
}

/** A missing value equals nothing. */
function isEqual(value: JsonValue, operand: unknown, scalar: ScalarName): boolean {
  return scalars[scalar].decides === "order"
    ? compare(value, operand) === 0n
    : value !== null && value === operand
}

function isAmong(value: JsonValue, operands: unknown, scalar: ScalarName): boolean {
  return Array.isArray(operands) && operands.some((operand) => isEqual(value, operand, scalar))
}

/** Undefined where there is no number. */
function compare(value: JsonValue, operand: unknown): bigint | undefined {
  const [one, other] = [exactIn(String(value)), exactIn(String(operand))]
  return one && other ? differenceOf(one, other) : undefined
}

/** Whether the operator, asked of the field, has the same outcome here and in the databases. */
export function isDecidableOf({ scalar, list, stored }: ConditionField, operator: OperatorName): boolean {
  const asks = comparisons[operator]?.asks
  if (asks === undefined || asks === "presence") return asks !== undefined
  // Columns of somebody else's may compare in a way of their own.
  const extent = list || stored !== "plain" ? "presence" : scalars[scalar].decides
  return extent === "order" || extent === asks
}

type ConditionFields = ReadonlyMap<string, ConditionField>

/** @param when of the form that a check of versions lets pass */
export function isDecidable(when: RuleObject, fields: ConditionFields): boolean {
  const inner = (of: unknown): boolean => isDecidable(of as RuleObject, fields)
  return Object.entries(when).every(([name, of]) => {
    if (name === "and" || name === "or") return (of as readonly unknown[]).every(inner)
    if (name === "not") return inner(of)
    const field = fields.get(name)
    return field && Object.keys(of as RuleObject).every((one) => isDecidableOf(field, one as OperatorName))
  })
}

/** @param when one that `isDecidable` */
export function meets(
  when: RuleObject,
  fields: ConditionFields,
  read: (field: ConditionField) => JsonValue,
): boolean {
  const inner = (of: unknown): boolean => meets(of as RuleObject, fields, read)
  return Object.entries(when).every(([name, of]) => {
    if (name === "and") return (of as readonly unknown[]).every(inner)
    if (name === "or") return (of as readonly unknown[]).some(inner)
    if (name === "not") return !inner(of)
    const field = fields.get(name)
    if (!field) return false
    const value = read(field)
    return Object.entries(of as RuleObject).every(([operator, operand]) =>
      comparisons[operator as OperatorName]?.holds(value, operand, field.scalar),
    )
  })
}
