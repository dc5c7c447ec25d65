// Functions that SQLite lacks for our statements: the storage registers them on each connection. All are deterministic.
import { hash } from "node:crypto"

type SqliteFunction = (
  ...values: readonly (null | bigint | number | string | Uint8Array)[]
) => null | string | bigint

/** By name; called with whole numbers as bigint. Without a length a function takes as many arguments as it is given. */
export const sqliteFunctions: Readonly<
  Record<string, { readonly length?: number; readonly call: SqliteFunction }>
> = {
  /** RFC 4648 section 4, with padding. */
  bifold_base64: {
    length: 1,
    call: (bytes) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString("base64") : null),
  },
  /** 120 bits of SHA-256: equal texts, equal digests. */
  bifold_digest: {
    length: 1,
    call: (text) => (typeof text === "string" ? hash("sha256", text, "base64url").slice(0, 20) : null),
  },
  /** The sum whose upper and lower 32 bits were summed apart, with the last `scale` digits after the point. */
  bifold_sum: { length: 3, call: (high, low, scale) => joinSum(high, low, scale) },
  /** Exact arithmetic: `0 2 * =2:-999:999` multiplies a whole number by one of hundredths. */
  bifold_number: { call: (steps, ...values) => computeNumber(String(steps), values) },
  /** The digits of a double that has more of them than `format` shows (sqlite-affinity.ts). */
  bifold_decimal: { length: 2, call: (value, scale) => shortestDecimal(value, Number(scale)) },
}

function joinSum(high: unknown, low: unknown, scale: unknown): string | null {
  if (typeof high !== "bigint" || typeof low !== "bigint") return null
  return decimalText({ units: (high << 32n) + low, scale: Number(scale) })
}

// Exact arithmetic for SQLite: a program for a machine with a stack, which sqlite-affinity.ts writes.

/** `units` of ten to the power of minus `scale`. */
interface Exact {
  readonly units: bigint
  readonly scale: number
}

/**
 * Steps with spaces between them. A number takes the next value, a whole number of units with so many digits after the
 * point. Other values carry their own scale. `+`, `-` and `*` take the last two. `=scale:least:greatest` at the end rounds
 * half away from zero and gives the units, or null where they are out of range. Without it the result is the number's text.
 * Null where a value is missing or is no number.
 */
function computeNumber(steps: string, values: readonly unknown[]): null | string | bigint {
  const stack: Exact[] = []
  let next = 0
  for (const step of steps.split(" ")) {
    if (step.startsWith("=")) return settled(stack.pop(), step.slice(1))
    if (step === "+" || step === "-" || step === "*") {
      const [right, left] = [stack.pop(), stack.pop()]
      if (!left || !right) return null
      stack.push(combined(step, left, right))
      continue
    }
    const value = readNumber(values[next], Number(step))
    if (!value) return null
    next += 1
    stack.push(value)
  }
  const [result] = stack
  return result ? decimalText(result) : null
}

function combined(sign: "+" | "-" | "*", left: Exact, right: Exact): Exact {
  if (sign === "*") return { units: left.units * right.units, scale: left.scale + right.scale }
  const scale = Math.max(left.scale, right.scale)
  const [a, b] = [finer(left, scale), finer(right, scale)]
  return { units: sign === "+" ? a + b : a - b, scale }
}

const finer = ({ units, scale }: Exact, wanted: number): bigint => units * 10n ** BigInt(wanted - scale)

/** Exponents beyond any meaningful number, which would take as many digits. */
const greatestExponent = 400

function readNumber(value: unknown, scale: number): Exact | undefined {
  if (typeof value === "bigint") return { units: value, scale }
  if (typeof value !== "number" && typeof value !== "string") return undefined
  const [, sign = "", before = "", after = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? []
  const power = Number(exponent)
  if (before === "" || Math.abs(power) > greatestExponent) return undefined
  const units = BigInt(`${sign}${before}${after}`)
  const places = after.length - power
  return places >= 0 ? { units, scale: places } : { units: units * 10n ** BigInt(-places), scale: 0 }
}

function settled(number: Exact | undefined, range: string): bigint | null {
  if (!number) return null
  const [scale = "0", least = "0", greatest = "0"] = range.split(":")
  const units = rounded(number, Number(scale))
  return units < BigInt(least) || units > BigInt(greatest) ? null : units
}

function rounded(number: Exact, scale: number): bigint {
  if (number.scale <= scale) return finer(number, scale)
  const unit = 10n ** BigInt(number.scale - scale)
  const half = number.units < 0n ? -unit / 2n : unit / 2n
  return (number.units + half) / unit
}

/**
 * The shortest plain digits that read back to the same double, with `scale` of them behind the point. A negative scale
 * keeps them all. Null for a value that is no finite number.
 */
function shortestDecimal(value: unknown, scale: number): string | null {
  const number = readNumber(value, 0)
  if (!number) return null
  if (scale >= 0) return decimalText({ units: rounded(number, scale), scale })
  const text = decimalText(number)
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text
}

function decimalText({ units, scale }: Exact): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0")
  const point = digits.length - scale
  const sign = units < 0n ? "-" : ""
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
