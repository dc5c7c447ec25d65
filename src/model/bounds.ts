// The length or size of a value: the one measure for `min` and `max` of a declaration.

export interface Range {
  readonly min?: number
  readonly max?: number
}

/** `at least 2`, `at most 5`, `2 to 5`. */
export const describeRange = ({ min, max }: Range): string =>
  min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`

export const isWithin = (count: number, { min, max }: Range): boolean =>
  count >= (min ?? -Infinity) && count <= (max ?? Infinity)

/** Characters of text, which are code points, as both databases count them; bytes of base64. */
export function lengthIn(unit: "character" | "byte", value: string): number {
  if (unit === "byte") return Buffer.byteLength(value, "base64")
  let count = 0
  for (const _ of value) count += 1
  return count
}

/** Digits of a second's fraction that a time or timestamp has, zeros at the end aside. */
export const fractionOf = (moment: string): number => /\.(\d*[1-9])/.exec(moment)?.[1]?.length ?? 0

/** Bounds of a number, or of its digits. Digits are compared as such, never rounded. */
export function isNumberWithin(number: number | bigint | string, { min, max }: Range): boolean {
  return (
    (min === undefined || compareNumbers(number, min) >= 0) &&
    (max === undefined || compareNumbers(number, max) <= 0)
  )
}

/** Less than zero when the number is below the limit, more when it is above. */
function compareNumbers(number: number | bigint | string, limit: number): number {
  // Between bigint and number JavaScript compares exactly.
  if (typeof number !== "string") return number < limit ? -1 : number > limit ? 1 : 0
  const [one, other] = [digitsOf(number), digitsOf(String(limit))]
  const scale = Math.max(one.scale, other.scale)
  const [a, b] = [inUnits(one, scale), inUnits(other, scale)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The number `units` / 10^`scale`. */
interface Digits {
  readonly units: bigint
  readonly scale: number
}

const inUnits = ({ units, scale }: Digits, wanted: number): bigint => units * 10n ** BigInt(wanted - scale)

/** For plain digits, or for a double as JavaScript writes it, with an exponent perhaps. */
function digitsOf(text: string): Digits {
  const [plain = "0", exponent = "0"] = text.split("e")
  const [whole = "0", fraction = ""] = plain.split(".")
  const [units, scale] = [BigInt(whole + fraction), fraction.length - Number(exponent)]
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

/** The bounds in units of ten to the power of minus `scale`, each rounded inward. */
export function unitsWithin(
  { min, max }: Range,
  scale: number,
): { readonly least?: bigint; readonly greatest?: bigint } {
  const least = min === undefined ? undefined : inUnitsUp(digitsOf(String(min)), scale)
  const greatest = max === undefined ? undefined : -inUnitsUp(digitsOf(String(-max)), scale)
  return { ...(least !== undefined && { least }), ...(greatest !== undefined && { greatest }) }
}

function inUnitsUp(digits: Digits, scale: number): bigint {
  if (digits.scale <= scale) return inUnits(digits, scale)
  const one = 10n ** BigInt(digits.scale - scale)
  const whole = digits.units / one
  return digits.units > whole * one ? whole + 1n : whole
}

export interface Constraints {
  /** Characters of text, items of a list, bytes of `bytes`; the least and greatest value of numbers. */
  readonly min?: number
  readonly max?: number
  /** For a list: `min` and `max` of each item; `declared`: names of the service that are accepted, in part types of events. */
  readonly items?: {
    readonly min?: number
    readonly max?: number
    readonly declared?: readonly string[]
    readonly eventTypes?: true
  }
  /** For a text that is no list: names of the service that are accepted. */
  readonly declared?: readonly string[]
  /** For a `text`, or for each in a list: an ECMAScript pattern, anchored, from the declaration only. */
  readonly pattern?: string
  /** Stands in messages for the pattern: `must be an https address`. */
  readonly form?: string
  /** For a `decimal`: digits in all; for a time or timestamp: digits of a second's fraction. */
  readonly precision?: number
  /** For a `decimal`: digits after the point; below zero: zeros before it. */
  readonly scale?: number
}

// A number of 32 bits (IEEE 754 binary32) has the value of its text, as PostgreSQL writes it.
// The text is the shortest decimal that lies nearer to the number than halfway to its neighbors.

/** Whether the number keeps its text when it is stored in 32 bits. */
export const fitsFloat32 = (number: number): boolean => printFloat32(number) === number

/** The number as 32 bits keep it; infinity where it is too large. */
export function printFloat32(number: number): number {
  const single = Math.fround(number)
  if (!Number.isFinite(single) || single === 0) return single + 0
  return Math.sign(single) * shortest(Math.abs(single))
}

/** Enough digits to distinguish any two of them. */
const mostDigits = 9

function shortest(single: number): number {
  const exponent = Number(single.toExponential().split("e")[1])
  const ends = halfWays(single)
  for (let digits = 1; digits <= mostDigits; digits++) {
    const scale = digits - 1 - exponent
    const [value, one] = scaled(single, scale)
    const [low, high] = ends.map((end) => scaled(end, scale))
    const below = value / one
    // The nearer one, of two that are as near the even one.
    const rest = 2n * (value % one)
    const isUp = rest > one || (rest === one && below % 2n === 1n)
    const found = (isUp ? [below + 1n, below] : [below, below + 1n]).find(
      (units) => low && high && units * low[1] > low[0] && units * high[1] < high[0],
    )
    if (found !== undefined) return Number(`${found}e${-scale}`)
  }
  return Number(single.toPrecision(mostDigits))
}

/** A double holds the midpoint of two adjacent 32-bit numbers exactly. */
function halfWays(single: number): readonly number[] {
  const bytes = new DataView(new ArrayBuffer(4))
  bytes.setFloat32(0, single)
  const bits = bytes.getUint32(0)
  const neighbour = (step: number): number => {
    bytes.setUint32(0, bits + step)
    return bytes.getFloat32(0)
  }
  const below = neighbour(-1)
  const above = neighbour(1)
  return [(single + below) / 2, Number.isFinite(above) ? (single + above) / 2 : single + (single - below) / 2]
}

/** Times ten to the power of the scale, as a fraction. */
function scaled(number: number, scale: number): readonly [above: bigint, below: bigint] {
  // 2 ** 200 makes a whole number of any 32-bit number, and of any midpoint of two.
  const [above, below] = [BigInt(number * 2 ** 200), 1n << 200n]
  return scale < 0 ? [above, below * 10n ** BigInt(-scale)] : [above * 10n ** BigInt(scale), below]
}
