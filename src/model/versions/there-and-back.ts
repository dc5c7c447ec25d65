// Whether former fields say all that today's say: values of today's fields, read as former ones and written back.

import type { JsonValue } from "../../base/json.ts"
import { evaluate } from "../evaluation/evaluate.ts"
import { type Expression, operandsOf } from "../expression.ts"
import type { FormerField } from "../former-fields.ts"
import type { Field, Resource } from "../model.ts"
import { scalars } from "../scalars.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import { fieldOf, serviceOf } from "./fitting.ts"
import type { Undoing } from "./undoing.ts"

type Plain = null | boolean | number | string

type Values = ReadonlyMap<string, Plain>

const plain = (value: JsonValue): Plain => (typeof value === "object" ? null : value)

/** Records that are tried, at most. */
const mostTried = 1000

/** In words, a record that comes back as another; undefined where each that is tried comes back. @param changed names of today's fields */
export function lostOnTheWay(
  newest: Undoing["newest"],
  { name }: Resource,
  changed: readonly string[],
  formers: readonly FormerField[],
): string | undefined {
  const fields = changed.flatMap((one) => newest.resources.get(name)?.fields.get(one) ?? [])
  const writes = new Map(formers.flatMap(({ field }) => [...(field.lens?.writes ?? [])]))
  const expressions = [...formers.map(({ expression }) => expression), ...writes.values()]
  const tried = fields.map((field) => [field, valuesOf(newest, field, expressions)] as const)
  for (const record of recordsOf(tried)) {
    const shown = new Map(
      formers.map(({ field, expression }) => [field.name, plain(evaluate(expression, field, record))]),
    )
    const back = new Map(
      fields.map((field) => {
        const expression = writes.get(field.name)
        return [field.name, expression ? plain(evaluate(expression, field, shown)) : null]
      }),
    )
    if (text(back) !== text(record))
      return `today's ${text(record)} is shown as ${text(shown)}, and that leads to ${text(back)}`
  }
  return undefined
}

const text = (values: Values): string =>
  [...values.values()].map((value) => JSON.stringify(value)).join(" and ")

/** Each value of a field with each one of the others. */
function recordsOf(tried: readonly (readonly [Field, readonly Plain[]])[]): readonly Values[] {
  return tried.reduce<readonly Values[]>(
    (records, [{ name }, values]) =>
      values
        .flatMap((value) => records.map((record) => new Map([...record, [name, value]])))
        .slice(0, mostTried),
    [new Map()],
  )
}

/** Values that a field may have: all of an enumeration, else those that its bounds and the expressions suggest. */
function valuesOf(
  newest: Undoing["newest"],
  field: Field,
  expressions: readonly Expression[],
): readonly Plain[] {
  const { scalar, constraints } = field
  const service = serviceOf(newest)
  const texts = expressions.flatMap(textsIn)
  const all: readonly Plain[] =
    field.enumeration !== undefined
      ? [...(newest.enums.get(field.enumeration)?.values ?? [])]
      : scalar === "boolean"
        ? [false, true]
        : scalars[scalar].family === "number"
          ? numbersOf(field).map((value) => plain(evaluate({ kind: "constant", value }, field, new Map())))
          : scalars[scalar].unit !== undefined
            ? [
                "",
                "a",
                "B",
                "ann@x.org",
                "Ann@x.org",
                "aB",
                "Ab-c d",
                ...texts,
                ...texts.flatMap((one) => [`a${one}`, `a${one}b`, `a${one}b${one}c`]),
              ]
            : []
  return [...new Set(all)].filter(
    (value) =>
      value !== null && wrongValue(service, { ...fieldOf(field), ...constraints }, value) === undefined,
  )
}

function numbersOf({ scalar, constraints: { scale = 0, min, max } }: Field): readonly string[] {
  const least = scalar === "decimal" && scale > 0 ? [`0.${"1".padStart(scale, "0")}`] : []
  return [
    "0",
    "1",
    "-1",
    "10",
    "1234567",
    ...least,
    ...[min, max].flatMap((bound) => (bound === undefined ? [] : [String(bound)])),
  ]
}

/** Constants, separators and values in the place of others. */
const textsIn = (expression: Expression): readonly string[] => [
  ...(expression.kind === "constant" && typeof expression.value === "string" ? [expression.value] : []),
  ...(expression.kind === "part" ? [expression.separator] : []),
  ...(expression.kind === "mapped" ? expression.to.flat() : []),
  ...operandsOf(expression).flatMap(textsIn),
]
