// Decimal numbers with all their digits.

/** `units` of 10 to the power of minus `scale`. */
export interface Exact {
  readonly units: bigint
  readonly scale: number
}

/** Undefined for a text that is no number. */
export function exactIn(text: string): Exact | undefined {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  return whole === "" ? undefined : { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

export function combine(operator: "add" | "subtract" | "multiply", one: Exact, other: Exact): Exact {
  if (operator === "multiply") return { units: one.units * other.units, scale: one.scale + other.scale }
  const scale = Math.max(one.scale, other.scale)
  const [a, b] = [one, other].map(({ units, scale: own }) => units * 10n ** BigInt(scale - own)) as [
    bigint,
    bigint,
  ]
  return { units: operator === "add" ? a + b : a - b, scale }
}

/** Half away from zero. */
export function rounded({ units, scale }: Exact, wanted: number): Exact {
  if (scale <= wanted) return { units: units * 10n ** BigInt(wanted - scale), scale: wanted }
  const unit = 10n ** BigInt(scale - wanted)
  const half = units < 0n ? -unit / 2n : unit / 2n
  return { units: (units + half) / unit, scale: wanted }
}

export function exactText({ units, scale }: Exact): string {
  const sign = units < 0n ? "-" : ""
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0")
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Below zero, zero or above it, as the first is less, equal or greater. */
export const differenceOf = (one: Exact, other: Exact): bigint => combine("subtract", one, other).units
