// What an expression comes to, evaluated without a database: numbers as fractions, texts as JavaScript has them.
import type { ExpressionDeclaration } from "../../src/model/expression.ts"

export type Known = Readonly<Record<string, unknown>>

/** Of any size; the denominator is a power of ten. */
interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

type Several = readonly ExpressionDeclaration[]

const fraction = (value: unknown): Fraction => {
  const [before = "", after = ""] = String(value).split(".")
  return { top: BigInt(before + after), bottom: 10n ** BigInt(after.length) }
}

/** Null where something is missing. */
export function evaluateNumber(expression: ExpressionDeclaration, known: Known): Fraction | null {
  const inner = (one: ExpressionDeclaration) => evaluateNumber(one, known)
  if (typeof expression === "string") return known[expression] === null ? null : fraction(known[expression])
  if (typeof expression !== "object") return fraction(expression)
  const [[name, of] = ["", undefined]] = Object.entries(expression) as [string, unknown][]
  switch (name) {
    case "value":
      return fraction(of)
    case "coalesce":
      return first(of as Several, inner)
    case "if":
      return chosen(of, known, inner)
    case "count":
      return fraction((known[of as string] as readonly unknown[]).length)
    case "sum": {
      const [relation = "", field = ""] = of as readonly string[]
      const values = (known[relation] as readonly Known[]).map((one) => one[field])
      return values
        .filter((one) => one !== null)
        .reduce<Fraction>((sum, one) => add(sum, fraction(one)), zero)
    }
    default: {
      const operands = (of as Several).map(inner)
      if (operands.some((one) => one === null)) return null
      const [start = zero, ...rest] = operands as readonly Fraction[]
      return rest.reduce(operations[name] as typeof add, start)
    }
  }
}

const zero: Fraction = { top: 0n, bottom: 1n }
const add = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
})
const operations: Readonly<Record<string, typeof add>> = {
  add,
  subtract: (a, b) => add(a, { ...b, top: -b.top }),
  multiply: (a, b) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom }),
}

/** Rounded half away from zero; null where the digits are more than there may be. */
export function settle(
  number: Fraction | null,
  { precision, scale }: { readonly precision: number; readonly scale: number },
): string | null {
  if (!number) return null
  const { bottom } = number
  const size = (number.top < 0n ? -number.top : number.top) * 10n ** BigInt(scale)
  const units = size / bottom + ((size % bottom) * 2n >= bottom ? 1n : 0n)
  const digits = String(units).padStart(scale + 1, "0")
  if (units >= 10n ** BigInt(precision)) return null
  const sign = number.top < 0n && units > 0n ? "-" : ""
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

export function evaluateText(expression: ExpressionDeclaration, known: Known): string | null {
  const inner = (one: ExpressionDeclaration) => evaluateText(one, known)
  if (typeof expression === "string") return known[expression] as string | null
  const [[name, of] = ["", undefined]] = Object.entries(expression) as [string, unknown][]
  switch (name) {
    case "value":
      return (of as string | undefined) ?? null
    case "coalesce":
      return first(of as Several, inner)
    case "if":
      return chosen(of, known, inner)
    case "upper":
      return inner(of as ExpressionDeclaration)?.replace(/[a-z]/g, (letter) => letter.toUpperCase()) ?? null
    case "textOf": {
      const number = evaluateNumber(of as ExpressionDeclaration, known)
      return number && BigInt.asIntN(64, number.top) === number.top ? String(number.top) : null
    }
    case "lower":
      return inner(of as ExpressionDeclaration)?.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) ?? null
    default: {
      const operands = (of as Several).map(inner)
      return operands.some((one) => one === null) ? null : operands.join("")
    }
  }
}

function first<Value>(of: Several, evaluate: (one: ExpressionDeclaration) => Value | null): Value | null {
  for (const one of of) {
    const value = evaluate(one)
    if (value !== null) return value
  }
  return null
}

function chosen<Value>(
  given: unknown,
  known: Known,
  evaluate: (one: ExpressionDeclaration) => Value | null,
): Value | null {
  const choice = given as { when: Known; give: ExpressionDeclaration; else?: ExpressionDeclaration }
  if (meets(choice.when, known)) return evaluate(choice.give)
  return choice.else === undefined ? null : evaluate(choice.else)
}

function meets(condition: Known, known: Known): boolean {
  return Object.entries(condition).every(([name, of]) => {
    if (name === "not") return !meets(of as Known, known)
    if (name === "or") return (of as readonly Known[]).some((one) => meets(one, known))
    if (name === "and") return (of as readonly Known[]).every((one) => meets(one, known))
    return Object.entries(of as Known).every(([operator, operand]) =>
      compare(operator, known[name] ?? null, operand),
    )
  })
}

function compare(operator: string, value: unknown, operand: unknown): boolean {
  const equals = (other: unknown): boolean => value !== null && String(value) === String(other)
  if (operator === "isNull") return (value === null) === operand
  if (operator === "ne") return !equals(operand)
  if (operator === "notIn") return !(operand as readonly unknown[]).some(equals)
  if (value === null) return false
  if (operator === "eq") return equals(operand)
  const [a, b] = [fraction(value), fraction(operand)]
  const difference = a.top * b.bottom - b.top * a.bottom
  return operator === "gt" ? difference > 0n : operator === "lt" ? difference < 0n : difference <= 0n
}
