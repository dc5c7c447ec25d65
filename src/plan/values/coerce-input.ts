// Values to be stored: read as operands are (values.ts), and checked against the declaration of the field and the column.
// An accepted value reads back as it was given; any other is refused before a database sees it.
import { perObject } from "../../base/caches.ts"
import { invariant } from "../../base/invariant.ts"
import type { Constraints } from "../../model/bounds.ts"
import {
  describeRange,
  fitsFloat32,
  fractionOf,
  isNumberWithin,
  isWithin,
  lengthIn,
  printFloat32,
  type Range,
} from "../../model/bounds.ts"
import { compilePattern, type Pattern } from "../../model/pattern.ts"
import { scalars, type ValueType } from "../../model/scalars.ts"
import { hintFor } from "../hints.ts"
import { quoteInput } from "../quote-input.ts"
import type { Value } from "../read-plan.ts"
import { type Encoding, type ReadValue, readValue } from "./values.ts"

/** Bytes of a json value's text, in UTF-8. */
const largestJson = 1024 * 1024
/** Significant decimal digits that every double keeps (IEEE 754 binary64). */
const digitsOfDoubles = 15

/**
 * The value in its canonical form, or the first thing that is wrong with it: the rest of a sentence, as of `readValue`.
 * @param input never null: whether a field may be without a value is asked elsewhere
 */
export function acceptValue(type: ValueType, input: unknown, encoding: Encoding): ReadValue {
  const read = readValue(type, input, encoding)
  if (!read.ok) return read
  const unknown = unknownName(type, read.value)
  if (unknown) return unknown
  const wrong = type.list
    ? wrongList(type, read.value as readonly Item[])
    : wrongItem(type, read.value as Item, type.constraints ?? {})
  return wrong === undefined ? read : { ok: false, wrong }
}

/** The items of a list; a value that is no list is one itself. */
type Item = Exclude<Value, null | readonly Value[]>

function wrongList(type: ValueType, values: readonly Item[]): string | undefined {
  const { items = {}, ...own } = type.constraints ?? {}
  if (!isWithin(values.length, own)) return `must have ${counted(own, "item")}, not ${values.length}`
  for (const [index, value] of values.entries()) {
    const wrong = wrongItem(type, value, items)
    if (wrong !== undefined) return `${wrong} (item ${index + 1})`
  }
  return undefined
}

/** The name, or the first of a list of names, that the service does not declare. */
function unknownName({ list, constraints }: ValueType, value: Value): ReadValue | undefined {
  const declared = list ? constraints?.items?.declared : constraints?.declared
  const values = [value].flat()
  const at = declared ? values.findIndex((name) => !declared.includes(String(name))) : -1
  if (!declared || at === -1) return undefined
  const given = String(values[at])
  const wrong = list
    ? `must hold only declared names, not ${quoteInput(given)} (item ${at + 1})`
    : `must be one that the service declares, not ${quoteInput(given)}`
  const hint = declared.length === 0 ? "It declares none." : hintFor(given, declared)
  return { ok: false, wrong, ...(hint !== undefined && { hint }) }
}

function wrongItem(type: ValueType, value: Item, range: Range): string | undefined {
  for (const check of checks) {
    const wrong = check(type, value, range)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Returns the mistake in a value of the canonical form, or undefined. @param range of the value itself, not of its list */
type Check = (type: ValueType, value: Item, range: Range) => string | undefined

const wrongLength: Check = ({ scalar }, value, range) => {
  const { unit } = scalars[scalar]
  if (unit === undefined) return undefined
  const length = lengthIn(unit, String(value))
  return isWithin(length, range) ? undefined : `must be ${counted(range, unit)} long, not ${length}`
}

const wrongNumber: Check = ({ scalar }, value, range) => {
  if (scalars[scalar].family !== "number" || typeof value === "boolean") return undefined
  return isNumberWithin(value, range) ? undefined : `must be ${describeRange(range)}, not ${value}`
}

const wrongFraction: Check = ({ scalar, constraints }, value) => {
  const most = constraints?.precision
  if (most === undefined || scalars[scalar].family !== "moment" || fractionOf(String(value)) <= most)
    return undefined
  const kept =
    most === 0 ? "no fraction of a second" : `${counted({ max: most }, "digit")} of a second's fraction`
  return `must have ${kept}, not ${quoteInput(value)}`
}

const wrongPattern: Check = ({ constraints }, value) => {
  if (constraints?.pattern === undefined || typeof value !== "string") return undefined
  const pattern = patternOf(constraints, constraints.pattern)
  const length = lengthIn("character", value)
  if (length > pattern.longest)
    return `must be ${counted({ max: pattern.longest }, "character")} long for its pattern, not ${length}`
  if (pattern.matches(value)) return undefined
  const { form = `must match the pattern ${constraints.pattern}` } = constraints
  return `${form}, not ${quoteInput(value)}`
}

const wrongJson: Check = ({ scalar }, value) => {
  if (scalar !== "json") return undefined
  const size = Buffer.byteLength(String(value))
  return size <= largestJson ? undefined : `must be at most ${largestJson} bytes of JSON text, not ${size}`
}

/** For unmanaged columns: SQLite's turn numbers into doubles, and text that looks like a number into one. */
const wrongForColumn: Check = ({ scalar, stored }, value) => {
  if (stored === "loose" && scalar === "decimal" && !isKeptDecimal(String(value)))
    return `must be a decimal of at most ${digitsOfDoubles} digits, the most that the column keeps, not ${quoteInput(value)}`
  if (stored === "loose" && scalar === "json" && !isKeptJson(String(value)))
    return `must be JSON that the column keeps: a bare number has at most ${digitsOfDoubles} digits there, not ${value}`
  if (stored === "single" && typeof value === "number" && !fitsFloat32(value))
    return `must be a number that 32 bits keep${suchAs(printFloat32(value))}, not ${value}`
  if (stored === "cast" && scalar === "text" && !isKeptText(String(value)))
    return `must be text that does not look like a number, which the column would change, not ${quoteInput(value)}`
  return undefined
}

const checks: readonly Check[] = [
  wrongLength,
  wrongNumber,
  wrongFraction,
  wrongPattern,
  wrongJson,
  wrongForColumn,
]

/** SQLite keeps whole numbers in 64 bits, and others as doubles, which are shown with all digits of the scale. */
function isKeptDecimal(text: string): boolean {
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".")
  const digits = fraction.replace(/0+$/, "")
  if (digits === "") return BigInt.asIntN(64, BigInt(whole)) === BigInt(whole)
  return `${whole}${digits}`.replace(/^0+/, "").length <= digitsOfDoubles && digits.length <= 24
}

/** A bare number is a double there, and some versions of SQLite (3.40 is one) show no more of its digits. */
function isKeptJson(text: string): boolean {
  if (!/^-?\d/.test(text)) return true
  return Number(Number(text).toPrecision(digitsOfDoubles)) === Number(text)
}

/** A whole number of 64 bits is shown as it was written; of any other number only its value is left. */
function isKeptText(text: string): boolean {
  if (!/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) return true
  return /^(?:0|-?[1-9]\d{0,17})$/.test(text)
}

const suchAs = (number: number): string => (Number.isFinite(number) ? `, such as ${number}` : "")

/** `at most 8 items`, `2 to 5 characters`, `at least 1 byte`. */
const counted = (range: Range, unit: string): string =>
  `${describeRange(range)} ${unit}${(range.max ?? range.min) === 1 ? "" : "s"}`

/** Each pattern is compiled once. */
const patternOf = perObject((_: Constraints, source: string): Pattern => {
  const pattern = compilePattern(source)
  invariant("matches" in pattern, "a pattern of the Model can be matched")
  return pattern
})
