// The one table of scalars: all that the project knows of one, but how each database holds it (sql/dialects/).
import type { JsonValue } from "../base/json.ts"
import type { Constraints } from "./bounds.ts"
import { readDate, readTime, readTimestamp } from "./values/datetime.ts"
import { expectedJson, isWellFormed, parseJson, readJson } from "./values/json.ts"
import {
  describeDecimal,
  parseNumber,
  readDecimal,
  readFloat,
  readInt64,
  readInteger,
} from "./values/numbers.ts"

/** A value in its canonical form; `values` of one operand are an array, a composite key's parts too. */
export type Value = null | boolean | number | bigint | string | readonly Value[]

export interface ValueType {
  readonly scalar: ScalarName
  readonly list: boolean
  /** For a `oneOf`. */
  readonly values?: readonly string[]
  /** Only the shape of a decimal matters here: an operand need not meet other constraints of a stored value (accept.ts). */
  readonly constraints?: Constraints
  /** How the column holds it; in the dialect's own form when absent. */
  readonly stored?: StoredForm
}

/** Families of scalars by the questions that their values take; operators.ts has the operators of each. */
export type ScalarFamily = "text" | "number" | "moment" | "choice" | "boolean" | "opaque"

/** Scalars of a key's part. */
export type KeyScalar = "text" | "integer" | "int64" | "uuid" | "date"

/** Options of a builder that only some scalars have. */
export type ScalarOption = "of" | "min" | "max" | "pattern" | "precision" | "scale"

interface WireTypes {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly any: JsonValue
}

export interface Scalar<Wire extends keyof WireTypes = keyof WireTypes> {
  readonly family: ScalarFamily
  /** JSON type on the wire (RFC 8259 section 3), `any` for json. */
  readonly wire: Wire
  /** GraphQL type name; `oneOf` has the name of its enumeration instead. */
  readonly graphql: string
  /** JSON Schema `format` (draft 2020-12), where one fits. */
  readonly format?: string
  /** A pattern that each accepted value matches as a whole (ECMA-262). */
  readonly pattern?: string
  /** Where the value's form is defined. */
  readonly specification?: string
  readonly description: string
  readonly options: readonly ScalarOption[]
  /** The unit of `min` and `max`; when absent they bound the value itself. */
  readonly unit?: "character" | "byte"
  /** The scalar of a key's part that holds its values; none when it makes no key. A scalar with `text` is held as text. */
  readonly key?: KeyScalar
  /** Questions whose outcome is known without a database: it is the same in both. */
  readonly decides: "presence" | "equality" | "order"
  /** Existing SQLite columns are compared in a converted form; values that cannot be converted count as missing. */
  readonly converted?: true
  readonly example: JsonValue
  /** The canonical value, or undefined when the input is no value. */
  readonly read: (input: unknown, type: ValueType) => Value | undefined
  /** From text to the JSON value, for scalars that are not strings in JSON. */
  readonly parse?: (text: string) => unknown
  /** In messages to clients: `must be …`. */
  readonly expected: (type: ValueType) => string
  /** In messages to clients, behind the sentence. */
  readonly advise?: (input: unknown) => string | undefined
  /** In messages about a declaration, of a default or another constant: `must be …`. */
  readonly declared: string
}

const define = <Wire extends keyof WireTypes>(wire: Wire, rest: Omit<Scalar, "wire">): Scalar<Wire> => ({
  ...rest,
  wire,
})

const ofText = (
  read: (text: string) => string | undefined,
  expected: string,
): Pick<Scalar, "read" | "expected"> => ({
  read: (input) => (typeof input === "string" && isWellFormed(input) ? read(input) : undefined),
  expected: () => expected,
})

/** For text that matches the pattern. */
function ofPattern(pattern: string, expected: string): Pick<Scalar, "pattern" | "read" | "expected"> {
  const form = new RegExp(pattern)
  return { pattern, ...ofText((text) => (form.test(text) ? text : undefined), expected) }
}

const text = {
  family: "text",
  options: ["min", "max"],
  unit: "character",
  key: "text",
  // Texts are equal when their characters are.
  decides: "equality",
} as const

/** Bounds of the field apply where they are narrower than bounds of its type. */
function wholeNumber({ list, constraints = {} }: ValueType, bits: bigint): string {
  const [least, greatest] = [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
  const { min = least, max = greatest } = (list ? constraints.items : constraints) ?? {}
  return `a whole number from ${min > least ? min : least} to ${max < greatest ? max : greatest}`
}

const unquoted = "write it as a string, so that no digit is lost"
function asText(number: number): string {
  const text = String(number)
  return text.includes("e") ? unquoted : `${unquoted}: "${text}"`
}

const offset = `must have an offset such as Z or +02:00; in a URL "+" is written %2B`
/** A moment whose offset is absent, or was written `+` in a URL, where that is a space. */
const withoutOffset = /^[\d-]{10}[Tt ][\d:.]+(?: \d{2}:\d{2})?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** The URL parser drops these silently, so that a mistake would go unnoticed. */
const ignoredInUrls = /[\s\p{Cc}]/u

const table = {
  text: define("string", {
    ...text,
    ...ofText((given) => given, "text"),
    graphql: "String",
    description: "Text.",
    options: ["min", "max", "pattern"],
    example: "text",
    declared: "text",
  }),
  email: define("string", {
    ...text,
    graphql: "Email",
    // JSON Schema's `email` (RFC 5321) is neither wider nor narrower than this.
    ...ofPattern(
      "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
      "an e-mail address",
    ),
    specification: "https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address",
    description: "An e-mail address, as HTML forms accept it.",
    example: "ada@example.org",
    declared: "an e-mail address",
  }),
  url: define("string", {
    ...text,
    ...ofText(
      (given) => (URL.canParse(given) && !ignoredInUrls.test(given) ? given : undefined),
      'an absolute URL such as "https://example.org/"',
    ),
    graphql: "URL",
    specification: "https://url.spec.whatwg.org/",
    description: "An absolute URL.",
    example: "https://example.org/",
    declared: "an absolute URL",
  }),
  slug: define("string", {
    ...text,
    ...ofPattern("^[a-z0-9]+(?:-[a-z0-9]+)*$", "lower-case letters, digits and single hyphens between them"),
    graphql: "Slug",
    description: "Lower-case letters, digits and single hyphens between them.",
    example: "a-slug",
    declared: "lower-case letters, digits and single hyphens",
  }),
  oneOf: define("string", {
    family: "choice",
    graphql: "String",
    description: "One of the values named.",
    options: ["of"],
    key: "text",
    decides: "equality",
    example: "",
    read: (input, type) => (typeof input === "string" && type.values?.includes(input) ? input : undefined),
    expected: (type) => `one of ${(type.values ?? []).map((value) => JSON.stringify(value)).join(", ")}`,
    declared: "one of its values",
  }),
  integer: define("number", {
    family: "number",
    graphql: "Int",
    format: "int32",
    description: "A whole number of 32 bits.",
    options: ["min", "max"],
    key: "integer",
    decides: "order",
    example: 1,
    read: readInteger,
    parse: parseNumber,
    expected: (type) => wholeNumber(type, 32n),
    declared: "a whole number of 32 bits",
  }),
  int64: define("string", {
    family: "number",
    graphql: "Int64",
    format: "int64",
    description: "A whole number of 64 bits, as a string, so that no client rounds it.",
    options: ["min", "max"],
    key: "int64",
    decides: "order",
    example: "1",
    read: readInt64,
    expected: (type) => `${wholeNumber(type, 64n)}, as a string`,
    advise: (input) => (typeof input === "number" && Number.isInteger(input) ? unquoted : undefined),
    declared: "a whole number of 64 bits, as a string",
  }),
  float: define("number", {
    family: "number",
    graphql: "Float",
    format: "double",
    description: "A finite IEEE 754 double.",
    options: ["min", "max"],
    decides: "presence",
    example: 1.5,
    read: readFloat,
    parse: parseNumber,
    expected: () => "a finite number",
    declared: "a finite number",
  }),
  decimal: define("string", {
    family: "number",
    graphql: "Decimal",
    description:
      "An exact decimal number, as a string, with as many digits after the point as its scale says.",
    options: ["precision", "scale", "min", "max"],
    decides: "order",
    converted: true,
    example: "1",
    read: (input, type) => readDecimal(input, type.constraints ?? {}),
    expected: (type) => describeDecimal(type.constraints ?? {}),
    // Its text may have had digits that the number has lost.
    advise: (input) => (typeof input === "number" ? asText(input) : undefined),
    declared: "a decimal number, as a string",
  }),
  boolean: define("boolean", {
    family: "boolean",
    graphql: "Boolean",
    description: "True or false.",
    options: [],
    decides: "equality",
    converted: true,
    example: true,
    read: (input) => (typeof input === "boolean" ? input : undefined),
    parse: (given) => (given === "true" ? true : given === "false" ? false : undefined),
    expected: () => "true or false",
    declared: "true or false",
  }),
  uuid: define("string", {
    family: "choice",
    ...ofText(
      (given) => (uuid.test(given.toLowerCase()) ? given.toLowerCase() : undefined),
      'a UUID such as "01890a5d-ac96-774b-bcce-b302099a8057"',
    ),
    graphql: "UUID",
    format: "uuid",
    specification: "https://www.rfc-editor.org/rfc/rfc9562#section-4",
    description: "A UUID in lower case.",
    options: [],
    key: "uuid",
    decides: "presence",
    converted: true,
    example: "018f4e6a-3c1b-7d2e-9a4f-5b6c7d8e9f01",
    declared: "a UUID",
  }),
  date: define("string", {
    family: "moment",
    ...ofText(readDate, 'a date such as "2026-11-01", of the years 0001 to 9999'),
    graphql: "Date",
    format: "date",
    specification: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
    description: "A calendar day, `YYYY-MM-DD`.",
    options: [],
    key: "date",
    decides: "presence",
    converted: true,
    example: "2026-01-31",
    declared: 'a date such as "2026-11-01", or "now"',
  }),
  time: define("string", {
    family: "moment",
    ...ofText(readTime, 'a time of day such as "09:30:00", with up to six digits of a second\'s fraction'),
    graphql: "Time",
    pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?$",
    description: "A time of day without a zone, `hh:mm:ss` with up to six digits of a second's fraction.",
    options: ["precision"],
    decides: "presence",
    converted: true,
    example: "12:00:00",
    declared: 'a time such as "09:30:00", or "now"',
  }),
  timestamp: define("string", {
    family: "moment",
    ...ofText(
      readTimestamp,
      'a moment such as "2026-11-01T09:30:00Z", of the years 0001 to 9999 in UTC, with up to six digits of a second\'s fraction',
    ),
    advise: (input) => (typeof input === "string" && withoutOffset.test(input) ? `it ${offset}` : undefined),
    graphql: "Timestamp",
    format: "date-time",
    specification: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
    description: "A date-time in UTC, `YYYY-MM-DDThh:mm:ssZ` with up to six digits of a second's fraction.",
    options: ["precision"],
    decides: "presence",
    converted: true,
    example: "2026-01-31T12:00:00Z",
    declared: 'a moment such as "2026-11-01T09:30:00Z", or "now"',
  }),
  json: define("any", {
    family: "opaque",
    graphql: "JSON",
    description: "Any JSON value.",
    options: [],
    decides: "presence",
    example: {},
    read: readJson,
    parse: parseJson,
    expected: () => expectedJson,
    declared: "JSON",
  }),
  bytes: define("string", {
    family: "opaque",
    ...ofText(
      (given) => (Buffer.from(given, "base64").toString("base64") === given ? given : undefined),
      "bytes in base64 with padding",
    ),
    graphql: "Bytes",
    format: "byte",
    specification: "https://www.rfc-editor.org/rfc/rfc4648#section-4",
    description: "Bytes in base64.",
    options: ["min", "max"],
    unit: "byte",
    decides: "presence",
    example: "AA==",
    declared: "bytes in base64",
  }),
}

export type ScalarName = keyof typeof table

/** The type of a scalar's values in JSON. */
export type WireType<Name extends ScalarName> = WireTypes[(typeof table)[Name]["wire"]]

export const scalars: Readonly<Record<ScalarName, Scalar>> = table

/** Whether databases hold its values as text, without a type of their own. */
export const isTextual = (scalar: ScalarName): boolean => scalars[scalar].key === "text"

/**
 * How a column holds its values.
 * `plain`: as the dialect stores this scalar (a table that Bifold made; any well-typed PostgreSQL column).
 * `loose`: an existing SQLite column, which may hold the value in any form that SQLite understands.
 * `nocase`, `rtrim`: the same, for a text that SQLite compares without letter case, or without spaces at its end.
 * `local`: a PostgreSQL timestamp without time zone, taken as UTC.
 * `single`: a PostgreSQL number of 32 bits (`real`), whose value is its shortest decimal.
 * `cast`: a PostgreSQL type served as its text; a SQLite column that keeps numbers as such, served as text.
 * `unordered`: a PostgreSQL type served as its text, whose own order differs from its text's: equality, and no order.
 * `padded`: a PostgreSQL `char(n)`, where blanks at the end of a value mean nothing.
 * `folded`: a PostgreSQL text that the database compares otherwise than by its characters: `citext`, some collations.
 * `domain`: a PostgreSQL domain over an enumeration, which has no operators of its own and is compared as its text.
 */
export const storedForms = [
  "plain",
  "loose",
  "nocase",
  "rtrim",
  "local",
  "single",
  "cast",
  "unordered",
  "padded",
  "folded",
  "domain",
] as const
export type StoredForm = (typeof storedForms)[number]
