// Whole and decimal numbers: from accepted forms to the one canonical form (docs/guide/reading.md).

/** Digits a decimal without a declared precision may have, so that no operand is absurdly long. */
const mostDigits = 1000

const whole = /^-?(?:0|[1-9]\d*)$/
const plain = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/
/** The number grammar of RFC 8259 section 6. */
const json = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export function readInteger(input: unknown): number | undefined {
  if (typeof input !== "number" || !Number.isInteger(input) || input < -(2 ** 31) || input >= 2 ** 31)
    return undefined
  return input + 0
}

/** A string of digits, or a JSON whole number that no double has rounded. */
export function readInt64(input: unknown): bigint | undefined {
  const text = typeof input === "number" && Number.isSafeInteger(input) ? String(input) : input
  // The longest is -9223372036854775808; BigInt takes quadratic time, so length comes first.
  if (typeof text !== "string" || text.length > 20 || !whole.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

export function readFloat(input: unknown): number | undefined {
  return typeof input === "number" && Number.isFinite(input) ? input + 0 : undefined
}

/** A number written as text, as in a URL. */
export function parseNumber(text: string): number | undefined {
  return json.test(text) ? Number(text) : undefined
}

export interface DecimalForm {
  readonly precision?: number
  readonly scale?: number
}

/** Plain digits: exactly `scale` after the point, or without trailing zeros when no scale is declared. */
export function readDecimal(input: unknown, shape: DecimalForm): string | undefined {
  const text = typeof input === "number" && Number.isSafeInteger(input) ? String(input) : input
  if (typeof text !== "string" || text.length > 2 * mostDigits) return undefined
  const found = plain.exec(text)
  if (!found) return undefined
  const digits = found[2] ?? "0"
  const fraction = (found[3] ?? "").replace(/0+$/, "")
  const [scale, zeros] = [Math.max(shape.scale ?? mostDigits, 0), Math.max(-(shape.scale ?? 0), 0)]
  if (fraction.length > scale || !isMultiple(digits, zeros)) return undefined
  if ((digits === "0" ? 0 : digits.length) > (shape.precision ?? mostDigits) - (shape.scale ?? 0))
    return undefined
  if (digits.length + fraction.length > mostDigits) return undefined
  const point = fraction.padEnd(shape.scale ?? 0, "0")
  const sign = found[1] === "-" && !(digits === "0" && fraction === "") ? "-" : ""
  return `${sign}${digits}${point === "" ? "" : `.${point}`}`
}

const zerosAtEnd = (count: number): string => (count === 1 ? "a zero" : `${count} zeros`)

/** Whether so many last digits are zeros. */
const isMultiple = (digits: string, zeros: number): boolean =>
  digits === "0" || /^0*$/.test(digits.slice(Math.max(digits.length - zeros, 0)))

/** An example of a decimal of this shape, for messages. */
export function describeDecimal({ precision, scale }: DecimalForm): string {
  const after =
    scale === undefined ? "" : scale === 0 ? " without a point" : `, with at most ${scale} after the point`
  const before = precision === undefined ? "" : ` and ${precision - (scale ?? 0)} before it`
  if (scale !== undefined && scale <= 0) {
    const size = precision === undefined ? "" : `, of at most ${precision - scale} digits`
    return `a whole number as a string${size}${scale === 0 ? "" : ` that ends in ${zerosAtEnd(-scale)}`}`
  }
  return `a decimal number in plain digits, as a string${after}${scale === undefined ? "" : before}`
}
