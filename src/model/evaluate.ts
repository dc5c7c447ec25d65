// Expressions of a version's writes, evaluated on the values of an input: exact, as the database computes them.
import type { JsonValue } from "../base/json.ts"
import type { Expression } from "./expression.ts"
import type { Field } from "./model.ts"

/** In its canonical form (plan/values). */
type Value = null | boolean | number | bigint | string | readonly Value[]

/** A decimal number: `units` of 10 to the power of minus `scale`. */
interface Exact {
  readonly units: bigint
  readonly scale: number
}

/** @param values by field; missing ones are null @returns JSON for a value of the field, null where there is none */
export function evaluate(
  expression: Expression,
  field: Field,
  values: ReadonlyMap<string, Value>,
): JsonValue {
  const { scalar, constraints } = field
  if (scalar !== "integer" && scalar !== "int64" && scalar !== "decimal") return plainOf(expression, values)
  const exact = exactOf(expression, values)
  if (!exact) return null
  const text = textOf(rounded(exact, scalar === "decimal" ? (constraints.scale ?? exact.scale) : 0))
  return scalar === "integer" ? Number(text) : text
}

function plainOf(expression: Expression, values: ReadonlyMap<string, Value>): JsonValue {
  switch (expression.kind) {
    case "field": {
      const value = values.get(expression.field) ?? null
      return (typeof value === "bigint" ? String(value) : value) as JsonValue
    }
    case "constant":
      return expression.value
    case "concat": {
      const texts = expression.of.map((one) => plainOf(one, values))
      return texts.includes(null) ? null : texts.map(String).join("")
    }
    case "coalesce":
      return expression.of.map((one) => plainOf(one, values)).find((one) => one !== null) ?? null
    case "letters": {
      const text = plainOf(expression.of, values)
      if (text === null) return null
      return String(text).replace(expression.letters === "upper" ? /[a-z]+/g : /[A-Z]+/g, (letters) =>
        expression.letters === "upper" ? letters.toUpperCase() : letters.toLowerCase(),
      )
    }
    case "part": {
      const text = plainOf(expression.of, values)
      return text === null ? null : partOf(String(text), expression)
    }
    case "mapped": {
      const text = plainOf(expression.of, values)
      const found = expression.to.find(([from]) => from === text)
      return found ? found[1] : text
    }
    case "arithmetic": {
      const exact = exactOf(expression, values)
      return exact ? textOf(exact) : null
    }
    default:
      // Neither conditions nor related records are known here.
      return null
  }
}

/** Around the first separator; without one the first part is all of it, and the second is empty. */
function partOf(text: string, { side, separator }: Extract<Expression, { kind: "part" }>): string {
  const at = text.indexOf(separator)
  if (side === "before") return at < 0 ? text : text.slice(0, at)
  return at < 0 ? "" : text.slice(at + separator.length)
}

function exactOf(expression: Expression, values: ReadonlyMap<string, Value>): Exact | undefined {
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

function textOf({ units, scale }: Exact): string {
  const sign = units < 0n ? "-" : ""
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0")
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
