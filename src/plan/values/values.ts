// Values: reads what a person sent as a value of a scalar, into the canonical form of docs/guide/reading.md, or says what
// would be right. Nothing is rounded, cut or guessed.
import type { JsonValue } from "../../base/json.ts"
import type { Constraints } from "../../model/bounds.ts"
import type { Field, Model } from "../../model/model.ts"
import type { StoredForm } from "../../model/scalars.ts"
import { type ScalarName, scalars } from "../../model/scalars.ts"
import { quoteInput } from "../quote-input.ts"
import type { Value } from "../read-plan.ts"
import { readDate, readTime, readTimestamp } from "./datetime.ts"
import { describeDecimal, parseNumber, readDecimal, readFloat, readInt64, readInteger } from "./numbers.ts"

export interface ValueType {
  readonly scalar: ScalarName
  readonly list: boolean
  /** For a `oneOf`. */
  readonly values?: readonly string[]
  /** Only the shape of a decimal matters here: what a stored value must meet otherwise is not asked of an operand (accept.ts). */
  readonly constraints?: Constraints
  /** How the column holds it; as the database does by itself when absent. */
  readonly stored?: StoredForm
}

/** `text`: every scalar is written as text, as in a URL; lists are still lists. */
export type Encoding = "json" | "text"

/** `wrong` is the rest of a sentence whose subject is the value's name: `must be a date …, not "today"`; `hint` is a sentence. */
export type ReadValue =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly wrong: string; readonly hint?: string }

/** From here on JavaScript prints numbers with an exponent. */
const firstExponent = 1e21

/** Maximum depth of a json value; deeper ones would exhaust the stack of their readers. */
const deepestJson = 100

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
  const form = forms[type.scalar]
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

interface Form {
  /** The canonical value, or undefined when the input is none. */
  readonly read: (input: unknown, type: ValueType) => Value | undefined
  /** From text to what JSON would hold, for scalars that are not strings in JSON. */
  readonly parse?: (text: string) => unknown
  readonly expected: (type: ValueType) => string
  readonly advise?: (input: unknown) => string | undefined
}

/** Text that every database here can hold: no U+0000, no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed()
}

function ofText(read: (text: string) => string | undefined, expected: string): Form {
  return {
    read: (input) => (typeof input === "string" && isWellFormed(input) ? read(input) : undefined),
    expected: () => expected,
  }
}

const unquoted = "write it as a string, so that no digit is lost"
const asText = (number: number): string => {
  const text = String(number)
  return text.includes("e") ? unquoted : `${unquoted}: "${text}"`
}
const offset = `must have an offset such as Z or +02:00; in a URL "+" is written %2B`

/** A moment whose offset is absent, or was written `+` in a URL, where that is a space. */
const withoutOffset = /^[\d-]{10}[Tt ][\d:.]+(?: \d{2}:\d{2})?$/
const email = new RegExp(scalars.email.pattern ?? "")
const slug = new RegExp(scalars.slug.pattern ?? "")
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** The URL parser drops these without a word; what is dropped was not meant to be there. */
const ignoredInUrls = /[\s\p{Cc}]/u

const forms: Readonly<Record<ScalarName, Form>> = {
  text: ofText((text) => text, "text"),
  email: ofText((text) => (email.test(text) ? text : undefined), "an e-mail address"),
  url: ofText(
    (text) => (URL.canParse(text) && !ignoredInUrls.test(text) ? text : undefined),
    'an absolute URL such as "https://example.org/"',
  ),
  slug: ofText(
    (text) => (slug.test(text) ? text : undefined),
    "lower-case letters, digits and single hyphens between them",
  ),
  integer: {
    read: readInteger,
    parse: parseNumber,
    expected: (type) => wholeNumber(type, -(2n ** 31n), 2n ** 31n - 1n),
  },
  int64: {
    read: readInt64,
    expected: (type) => `${wholeNumber(type, -(2n ** 63n), 2n ** 63n - 1n)}, as a string`,
    advise: (input) => (typeof input === "number" && Number.isInteger(input) ? unquoted : undefined),
  },
  float: {
    read: readFloat,
    parse: parseNumber,
    expected: () => "a finite number",
  },
  decimal: {
    read: (input, type) => readDecimal(input, type.constraints ?? {}),
    expected: (type) => describeDecimal(type.constraints ?? {}),
    // Its text may have had digits that the number has lost.
    advise: (input) => (typeof input === "number" ? asText(input) : undefined),
  },
  boolean: {
    read: (input) => (typeof input === "boolean" ? input : undefined),
    parse: (text) => (text === "true" ? true : text === "false" ? false : undefined),
    expected: () => "true or false",
  },
  date: ofText(readDate, 'a date such as "2026-11-01", of the years 0001 to 9999'),
  time: ofText(readTime, 'a time of day such as "09:30:00", with up to six digits of a second\'s fraction'),
  timestamp: {
    ...ofText(
      readTimestamp,
      'a moment such as "2026-11-01T09:30:00Z", of the years 0001 to 9999 in UTC, with up to six digits of a second\'s fraction',
    ),
    advise: (input) => (typeof input === "string" && withoutOffset.test(input) ? `it ${offset}` : undefined),
  },
  uuid: ofText(
    (text) => (uuid.test(text.toLowerCase()) ? text.toLowerCase() : undefined),
    'a UUID such as "01890a5d-ac96-774b-bcce-b302099a8057"',
  ),
  json: {
    // `null` is no value: a list has none as an item.
    read: (input) => (input === null ? undefined : readJson(input)),
    parse: parseJson,
    expected: () =>
      `a JSON value, nested at most ${deepestJson} deep, without U+0000 and lone surrogates in its text, and without whole numbers beyond 9007199254740991, which are written as strings`,
  },
  oneOf: {
    read: (input, type) => (typeof input === "string" && type.values?.includes(input) ? input : undefined),
    expected: (type) => `one of ${(type.values ?? []).map((value) => JSON.stringify(value)).join(", ")}`,
  },
  bytes: ofText(
    (text) => (Buffer.from(text, "base64").toString("base64") === text ? text : undefined),
    "bytes in base64 with padding",
  ),
}

/** By the bounds of the field, where they are narrower than those of its type. */
function wholeNumber({ list, constraints = {} }: ValueType, least: bigint, greatest: bigint): string {
  const { min = least, max = greatest } = (list ? constraints.items : constraints) ?? {}
  return `a whole number from ${min > least ? min : least} to ${max < greatest ? max : greatest}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A whole number of which doubles do not hold all neighbours, so that it may have been another when it was sent. */
const isRounded = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < firstExponent

/** The JSON text of a value; the walk keeps its own stack, so that no depth of input can exhaust ours. */
function readJson(input: unknown): string | undefined {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: input, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    if (typeof value === "string" && !isWellFormed(value)) return undefined
    if (typeof value === "number" && (!Number.isFinite(value) || isRounded(value))) return undefined
    if (typeof value !== "object") {
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") continue
      return undefined
    }
    if (value === null) continue
    if (depth === deepestJson) return undefined
    const members = Array.isArray(value) ? [] : Object.keys(value)
    if (!members.every(isWellFormed)) return undefined
    for (const inner of Object.values(value)) waiting.push({ value: inner, depth: depth + 1 })
  }
  return JSON.stringify(input as JsonValue)
}
