// From a plan's canonical values to what SQLite compares with.
import { invariant } from "../../base/invariant.ts"
import type { Value } from "../../plan/read-plan.ts"
import { type ColumnType, itemType } from "../column-type.ts"
import type { Parameter } from "../statement.ts"

export function encode(value: Value, type: ColumnType): Parameter {
  if (value === null) return null
  if (type.list) return encodeList(value, type)
  if (Array.isArray(value)) return encodePosition(value.map(String))
  if (type.scalar === "decimal") return encodeDecimal(String(value), type)
  if (type.scalar === "timestamp") return fixedTimestamp(String(value))
  if (type.scalar === "time") return fixedTime(String(value))
  if (type.scalar === "row") return BigInt(String(value))
  if (type.scalar === "float") return Number(value)
  if (type.scalar === "bytes") return Buffer.from(String(value), "base64")
  if (typeof value === "boolean") return value ? 1n : 0n
  // A JavaScript number is bound as REAL, and a whole number is not that.
  if (typeof value === "number") return BigInt(value)
  return typeof value === "object" ? null : value
}

/** For a value without JSON text: SQLite's name of its type, and its text. */
function encodePosition([kind, text = ""]: readonly string[]): Parameter {
  if (kind === "integer") return BigInt(text)
  if (kind === "real") return Number(text.replace("Inf", "Infinity"))
  return kind === "blob" ? Buffer.from(text, "hex") : text
}

/** In a column of somebody else's a decimal stays as it is written, as far as the column lets it; a point would make a double of it. */
export const store = (value: Value, type: ColumnType): Parameter =>
  type.scalar === "decimal" && type.stored !== "plain" && value !== null && !type.list
    ? String(value).replace(/\.0+$/, "")
    : encode(value, type)

/** A list is held as the JSON array that it is in answers. */
const encodeList = (value: Value, type: ColumnType): string =>
  `[${(Array.isArray(value) ? (value as readonly Value[]) : [value]).map((item) => encodeItem(item, type)).join()}]`

function encodeItem(value: Value, type: ColumnType): string {
  if (type.scalar === "json") return String(value)
  if (type.scalar === "int64" || type.scalar === "decimal") return JSON.stringify(String(value))
  return JSON.stringify(value)
}

/** A JSON array of the values, of arrays where a value has several parts; `set` in sqlite.ts takes it apart. */
export function encodeSet(values: readonly (readonly Value[])[], types: readonly ColumnType[]): Parameter {
  const tuples = values.map((tuple) => types.map((type, part) => encodeElement(tuple[part], type)).join())
  return `[${tuples.map((tuple) => (types.length === 1 ? tuple : `[${tuple}]`)).join()}]`
}

/** An element of the JSON array that `set` takes apart, in the form that columns of the type compare with. */
function encodeElement(value: Value | undefined, type: ColumnType): string {
  invariant(value !== undefined, "a tuple has a value for each of its types")
  if (type.list) return encodeItem(value, itemType(type))
  const parameter = encode(value, type)
  if (typeof parameter === "bigint") return String(parameter)
  // A whole number in JSON would be an INTEGER, which compares equal to the REAL all the same.
  return JSON.stringify(parameter)
}

function encodeDecimal(text: string, { stored, scale }: ColumnType): Parameter {
  const [before = "0", after = ""] = text.split(".")
  if (stored === "plain" && scale !== undefined) {
    invariant(after.length <= scale, "a decimal operand has no more digits than its scale")
    return BigInt(before + after.padEnd(scale, "0"))
  }
  const exact = /^0*$/.test(after) ? BigInt(before) : undefined
  return exact !== undefined && BigInt.asIntN(64, exact) === exact ? exact : Number(text)
}

const fixedTimestamp = (text: string): string => `${text.slice(0, 11)}${fixedTime(text.slice(11, -1))}Z`
const fixedTime = (text: string): string => `${text.slice(0, 8)}.${text.slice(9).padEnd(6, "0")}`
