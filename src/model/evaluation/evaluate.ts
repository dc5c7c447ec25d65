// Expressions of a version's changes, evaluated on the values of an input or of the log: exact, as the database computes them.
import type { JsonValue } from "../../base/json.ts"
import { match } from "../../base/match.ts"
import type { ConditionField, Expression } from "../expression.ts"
import type { OperatorName } from "../operators.ts"
import type { RuleObject } from "../policy-declaration.ts"
import { type Scalar, type ScalarName, scalars } from "../scalars.ts"

/** In its canonical form (plan/values). */
type Value = null | boolean | number | bigint | string | readonly Value[]

type Values = ReadonlyMap<string, Value>

type Typed = Pick<ConditionField, "scalar" | "constraints">

/**
 * @param expression one that `isEvaluated`
 * @param values by field; missing ones are null
 * @returns JSON for a value of the field, null for no value
 */
export function evaluate(expression: Expression, field: Typed, values: Values): JsonValue {
  const { scalar, constraints } = field
  if (scalar !== "integer" && scalar !== "int64" && scalar !== "decimal") return plainOf(expression, values)
  const exact = exactOf(expression, values)
  if (!exact) return null
  const text = exactText(rounded(exact, scalar === "decimal" ? (constraints.scale ?? exact.scale) : 0))
  return scalar === "integer" ? Number(text) : text
}

/** Whether the expression comes to a value without the database. */
export const isEvaluated = (expression: Expression): boolean =>
  match(expression, {
    field: () => true,
    constant: () => true,
    arithmetic: ({ of }) => of.every(isEvaluated),
    concat: ({ of }) => of.every(isEvaluated),
    coalesce: ({ of }) => of.every(isEvaluated),
    letters: ({ of }) => isEvaluated(of),
    text: ({ of }) => isEvaluated(of),
    part: ({ of }) => isEvaluated(of),
    mapped: ({ of }) => isEvaluated(of),
    choice: ({ when, fields, give, otherwise }) =>
      fields !== undefined &&
      isDecidable(when, fields) &&
      [...fields.values()].every(({ computed }) => !computed || isEvaluated(computed)) &&
      isEvaluated(give) &&
      (!otherwise || isEvaluated(otherwise)),
    count: () => false,
    sum: () => false,
    related: () => false,
    code: () => false,
  })

const plainOf = (expression: Expression, values: Values): JsonValue =>
  match(expression, {
    field: ({ field }) => jsonOf(values.get(field) ?? null),
    constant: ({ value }) => value,
    concat: ({ of }) => {
      const texts = of.map((one) => plainOf(one, values))
      return texts.includes(null) ? null : texts.map(String).join("")
    },
    coalesce: ({ of }) => of.map((one) => plainOf(one, values)).find((one) => one !== null) ?? null,
    letters: ({ of, letters }) => {
      const text = plainOf(of, values)
      if (text === null) return null
      return String(text).replace(letters === "upper" ? /[a-z]+/g : /[A-Z]+/g, (found) =>
        letters === "upper" ? found.toUpperCase() : found.toLowerCase(),
      )
    },
    text: ({ of }) => {
      const exact = exactOf(of, values)
      const whole = exact && rounded(exact, 0)
      return whole && BigInt.asIntN(64, whole.units) === whole.units ? exactText(whole) : null
    },
    part: ({ of, ...part }) => {
      const text = plainOf(of, values)
      return text === null ? null : partOf(String(text), part)
    },
    mapped: ({ of, to }) => {
      const text = plainOf(of, values)
      const found = to.find(([from]) => from === text)
      return found ? found[1] : text
    },
    arithmetic: () => {
      const exact = exactOf(expression, values)
      return exact ? exactText(exact) : null
    },
    choice: ({ when, fields = new Map(), give, otherwise }) => {
      if (meets(when, fields, (field) => valueIn(field, values))) return plainOf(give, values)
      return otherwise ? plainOf(otherwise, values) : null
    },
    count: unknown,
    sum: unknown,
    related: unknown,
    // The engine replaces user code by its values.
    code: unknown,
  })

function unknown({ kind }: Expression): never {
  throw new Error(`${kind} has no value in an input`)
}

const valueIn = (field: ConditionField, values: Values): JsonValue =>
  field.computed
    ? evaluate(field.computed, field, values)
    : jsonOf(values.get(field.current ?? field.name) ?? null)

const jsonOf = (value: Value): JsonValue => (typeof value === "bigint" ? String(value) : value) as JsonValue

/** Around the first separator; without one the first part is all of it, and the second is empty. */
function partOf(
  text: string,
  { side, separator }: Pick<Extract<Expression, { kind: "part" }>, "side" | "separator">,
): string {
  const at = text.indexOf(separator)
  if (side === "before") return at < 0 ? text : text.slice(0, at)
  return at < 0 ? "" : text.slice(at + separator.length)
}

function exactOf(expression: Expression, values: Values): Exact | undefined {
  switch (expression.kind) {
    case "arithmetic": {
      const of = expression.of.map((one) => exactOf(one, values))
      const [first, ...others] = of
      if (!first || others.some((one) => one === undefined)) return undefined
      return (others as Exact[]).reduce((sum, one) => combine(expression.operator, sum, one), first)
    }
    case "coalesce":
      for (const one of expression.of) {
        const exact = exactOf(one, values)
        if (exact) return exact
      }
      return undefined
    default: {
      const plain = plainOf(expression, values)
      return plain === null ? undefined : exactIn(String(plain))
    }
  }
}

// Conditions of expressions, decided on values of an input or of the log as each database decides them.
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

/** A missing value equals no other. */
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

/** Whether the operator has the same outcome for the field here and in the databases. */
export function isDecidableOf({ scalar, list, stored }: ConditionField, operator: OperatorName): boolean {
  const asks = comparisons[operator]?.asks
  if (asks === undefined || asks === "presence") return asks !== undefined
  // Columns of existing tables may compare in their own way.
  const extent = list || stored !== "plain" ? "presence" : scalars[scalar].decides
  return extent === "order" || extent === asks
}

type ConditionFields = ReadonlyMap<string, ConditionField>

/** @param when of the form that a check of versions lets pass */
function isDecidable(when: RuleObject, fields: ConditionFields): boolean {
  const inner = (of: unknown): boolean => isDecidable(of as RuleObject, fields)
  return Object.entries(when).every(([name, of]) => {
    if (name === "and" || name === "or") return (of as readonly unknown[]).every(inner)
    if (name === "not") return inner(of)
    const field = fields.get(name)
    return field && Object.keys(of as RuleObject).every((one) => isDecidableOf(field, one as OperatorName))
  })
}

/** @param when one that `isDecidable` */
function meets(
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

// Decimal numbers with all their digits.

/** `units` of 10 to the power of minus `scale`. */
interface Exact {
  readonly units: bigint
  readonly scale: number
}

/** Undefined for a text that is no number. */
function exactIn(text: string): Exact | undefined {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  return whole === "" ? undefined : { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

function combine(operator: "add" | "subtract" | "multiply", one: Exact, other: Exact): Exact {
  if (operator === "multiply") return { units: one.units * other.units, scale: one.scale + other.scale }
  const scale = Math.max(one.scale, other.scale)
  const [a, b] = [one, other].map(({ units, scale: own }) => units * 10n ** BigInt(scale - own)) as [
    bigint,
    bigint,
  ]
  return { units: operator === "add" ? a + b : a - b, scale }
}

/** Half away from zero. */
function rounded({ units, scale }: Exact, wanted: number): Exact {
  if (scale <= wanted) return { units: units * 10n ** BigInt(wanted - scale), scale: wanted }
  const unit = 10n ** BigInt(scale - wanted)
  const half = units < 0n ? -unit / 2n : unit / 2n
  return { units: (units + half) / unit, scale: wanted }
}

function exactText({ units, scale }: Exact): string {
  const sign = units < 0n ? "-" : ""
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0")
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Below zero, zero or above it, as the first is less, equal or greater. */
const differenceOf = (one: Exact, other: Exact): bigint => combine("subtract", one, other).units
