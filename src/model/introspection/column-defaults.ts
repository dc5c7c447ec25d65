// Defaults of columns: a constant is a value of the field, anything else is the database's own business.
import type { JsonValue } from "../../base/json.ts"
import type { FieldDeclaration } from "../declaration/declaration.ts"
import { databaseDefault } from "../declaration/service.ts"
import type { ScalarName } from "../scalars.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import type { CatalogColumn } from "./catalog.ts"

/** @param values of the field's enumeration, where it has a shared one */
export function declareDefault(
  { defaulted, generated, expression }: CatalogColumn,
  field: FieldDeclaration,
  values: FieldDeclaration["of"],
): FieldDeclaration["default"] {
  if (!defaulted || generated) return undefined
  const value = expression === undefined ? undefined : constant(expression, field)
  const own = { ...field, ...(values === undefined ? {} : { of: values }) }
  const fits = value !== undefined && wrongValue({ name: "", resources: {} }, own, value) === undefined
  return fits ? value : databaseDefault
}

/** The default value, in the form of the API. */
function constant(
  expression: string,
  { scalar, list, stored, readonly }: FieldDeclaration,
): JsonValue | undefined {
  // A column that is served as text, for reading only, has values that only the database reads.
  if (readonly || list || (stored === "cast" && scalar !== "oneOf")) return undefined
  const found = literal(expression.trim())
  const value = found === undefined ? undefined : forms[scalar]?.(found)
  return stored === "padded" && typeof value === "string" ? value.replace(/ +$/, "") : value
}

type Literal = { readonly text: string } | { readonly number: string } | { readonly boolean: boolean }

/** A cast of PostgreSQL's says the type that the column has anyway. */
function literal(expression: string): Literal | undefined {
  const [, text] = /^'((?:[^']|'')*)'(?:::[\w\s".,()]+)?$/.exec(expression) ?? []
  if (text !== undefined) return { text: text.replaceAll("''", "'") }
  // SQLite takes a name where there can be none for a text (https://sqlite.org/quirks.html, section 8).
  const [, named] = /^"((?:[^"]|"")*)"$/.exec(expression) ?? []
  if (named !== undefined) return { text: named.replaceAll('""', '"') }
  const [, number] = /^\(?(-?\d+(?:\.\d+)?)\)?(?:::[\w\s".,()]+)?$/.exec(expression) ?? []
  if (number !== undefined) return { number }
  return /^(?:true|false)$/i.test(expression) ? { boolean: /^t/i.test(expression) } : undefined
}

const textOf = (of: Literal): string | undefined => ("text" in of ? of.text : undefined)

/** Numbers may stand in quotes: the column makes them what they are. */
const digitsOf = (of: Literal): string | undefined => {
  const digits = "number" in of ? of.number : textOf(of)
  return digits !== undefined && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(digits) ? digits : undefined
}

const numberOf = (of: Literal): number | undefined => {
  const digits = digitsOf(of)
  return digits === undefined ? undefined : Number(digits)
}

/** Digits that every column keeps. */
const mostDigits = 15

const forms: Partial<Readonly<Record<ScalarName, (of: Literal) => JsonValue | undefined>>> = {
  text: textOf,
  oneOf: textOf,
  uuid: textOf,
  date: textOf,
  time: textOf,
  integer: numberOf,
  float: numberOf,
  int64: digitsOf,
  decimal: (of) => {
    const digits = digitsOf(of)
    return digits !== undefined && digits.replace(/\D/g, "").length <= mostDigits ? digits : undefined
  },
  boolean: (of) =>
    "boolean" in of ? of.boolean : "number" in of ? { 0: false, 1: true }[of.number] : undefined,
  json: (of) => {
    try {
      const value: unknown = JSON.parse(textOf(of) ?? "")
      return typeof value === "object" ? (value as JsonValue) : undefined
    } catch {
      return undefined
    }
  },
}
