// Expressions of a version's changes, evaluated on the values of an input or of the log: exact, as the database computes them.
import type { JsonValue } from "../../base/json.ts"
import { match } from "../../base/match.ts"
import type { ConditionField, Expression } from "../expression.ts"
import { isDecidable, meets } from "./decide.ts"
import { combine, type Exact, exactIn, exactText, rounded } from "./exact.ts"

/** In its canonical form (plan/values). */
type Value = null | boolean | number | bigint | string | readonly Value[]

type Values = ReadonlyMap<string, Value>

type Typed = Pick<ConditionField, "scalar" | "constraints">

/**
 * @param expression one that `isEvaluated`
 * @param values by field; missing ones are null
 * @returns JSON for a value of the field, null where there is none
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
    // The engine puts what code gives in its place.
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
