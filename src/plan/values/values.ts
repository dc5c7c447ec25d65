// Values: reads an input as a value of a scalar, into the canonical form of docs/guide/reading.md, or says what would be
// right. No value is rounded, cut or guessed.
import type { Field, Model } from "../../model/model.ts"
import { type ScalarName, scalars, type ValueType } from "../../model/scalars.ts"
import { isWellFormed } from "../../model/values/json.ts"
import { quoteInput } from "../quote-input.ts"
import type { Value } from "../read-plan.ts"

/** `text`: every scalar is written as text, as in a URL; lists are still lists. */
export type Encoding = "json" | "text"

/** `wrong` is the rest of a sentence whose subject is the value's name: `must be a date …, not "today"`; `hint` is a sentence. */
export type ReadValue =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly wrong: string; readonly hint?: string }

export function valueTypeOf(model: Model, field: Field): ValueType {
  const values = field.enumeration === undefined ? undefined : model.enums.get(field.enumeration)?.values
  const { scalar, list, constraints, stored } = field
  return {
    scalar,
    list,
    constraints,
    stored,
    ...(values === undefined ? {} : { values }),
  }
}

/** JSON in the form in which the API shows the value. */
export function valueText(field: Pick<Field, "scalar">, value: Value): string {
  if (Array.isArray(value)) return `[${value.map((item) => valueText(field, item)).join(",")}]`
  // The value of a json field is its text.
  if (field.scalar === "json" && typeof value === "string") return value
  return JSON.stringify(typeof value === "bigint" ? String(value) : value)
}

/** The type of an operand for the field: any well-formed text will do for the scalars that are kinds of text. */
export function operandType(type: ValueType): ValueType {
  // Conditions compare with values that the field does not take.
  const { min: _, max: __, ...own } = type.constraints ?? {}
  const { precision: ___, ...held } = own
  return {
    ...type,
    // SQLite's columns hold numbers of more digits than they are declared with.
    constraints: type.scalar === "decimal" && type.stored === "loose" ? held : own,
    list: false,
    scalar: scalars[type.scalar].family === "text" ? "text" : type.scalar,
  }
}

export function readValue(type: ValueType, input: unknown, encoding: Encoding): ReadValue {
  if (!type.list) return readOne(type, input, encoding)
  if (!Array.isArray(input)) return wrong("a list", input)
  const values: Value[] = []
  for (const [index, item] of input.entries()) {
    const one = readOne(type, item, encoding)
    if (!one.ok) return { ok: false, wrong: `${one.wrong} (item ${index + 1})` }
    values.push(one.value)
  }
  return { ok: true, value: values }
}

export const withoutPadding = (text: string): string => text.replace(/ +$/, "")

function readOne(type: ValueType, sent: unknown, encoding: Encoding): ReadValue {
  const form = scalars[type.scalar]
  // Blanks at the end of a char(n) mean nothing: without them the value has one spelling.
  const input = type.stored === "padded" && typeof sent === "string" ? withoutPadding(sent) : sent
  if (encoding === "text" && typeof input !== "string") return wrong(form.expected(type), input)
  const plain = encoding === "text" && form.parse ? form.parse(input as string) : input
  const value = plain === undefined ? undefined : form.read(plain, type)
  if (value !== undefined) return { ok: true, value }
  if (typeof input === "string" && !isWellFormed(input)) {
    return {
      ok: false,
      wrong: "must be text without U+0000 and without lone surrogates",
    }
  }
  return wrong(form.expected(type), input, form.advise?.(input))
}

function wrong(expected: string, input: unknown, advice?: string): ReadValue {
  const rest = advice === undefined ? "" : ` (${advice})`
  return {
    ok: false,
    wrong: `must be ${expected}, not ${quoteInput(input)}${rest}`,
  }
}

// Canonical values beside each other: which are equal, and which stands before which (docs/guide/reading.md, "Order").

/** Equal for equal values of one kind only: `5` differs from `"5"` and from the int64 of that name. */
export const valueKey = (value: Value): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? { int64: String(inner) } : inner))

/** Below, at or above zero as `a` stands before, with or behind `b`; undefined where the scalar has no such order. */
export function compareValues(scalar: ScalarName, a: Value, b: Value): number | undefined {
  if (typeof a === "bigint" && typeof b === "bigint") return signOf(a, b)
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a !== "string" || typeof b !== "string") return undefined
  if (scalar === "decimal") return compareDecimals(a, b)
  const family = scalars[scalar].family
  // Without its sign a moment that has fewer digits of a second's fraction stands before what goes on.
  if (family === "moment") return signOf(a.replace(/Z$/, ""), b.replace(/Z$/, ""))
  return family === "text" ? compareTexts(a, b) : undefined
}

const signOf = <Ordered extends bigint | string>(a: Ordered, b: Ordered): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Plain digits, brought to the same number of them behind the point. */
function compareDecimals(a: string, b: string): number {
  const behind = (text: string): string => text.split(".")[1] ?? ""
  const digits = Math.max(behind(a).length, behind(b).length)
  const scaled = (text: string): bigint =>
    BigInt(`${text.split(".")[0] ?? ""}${behind(text).padEnd(digits, "0")}`)
  return signOf(scaled(a), scaled(b))
}

/** By code point: JavaScript itself compares UTF-16 units. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at === -1) return left.length - right.length
  const [before, behind] = [left[at]?.codePointAt(0) ?? -1, right[at]?.codePointAt(0) ?? -1]
  return before - behind
}
