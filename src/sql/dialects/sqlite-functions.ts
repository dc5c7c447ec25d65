// Functions that SQLite lacks for our statements: the storage registers them on each connection. All are deterministic.

import { hash } from "node:crypto"
import { computeNumber, decimalText, shortestDecimal } from "./sqlite-number.ts"

export type SqliteFunction = (
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
  /** Exact arithmetic: `0 2 * =2:-999:999` multiplies a whole number by one of hundredths (sqlite-number.ts). */
  bifold_number: { call: (steps, ...values) => computeNumber(String(steps), values) },
  /** The digits of a double that has more of them than `format` shows (sqlite-affinity.ts). */
  bifold_decimal: { length: 2, call: (value, scale) => shortestDecimal(value, Number(scale)) },
}

function joinSum(high: unknown, low: unknown, scale: unknown): string | null {
  if (typeof high !== "bigint" || typeof low !== "bigint") return null
  return decimalText({ units: (high << 32n) + low, scale: Number(scale) })
}
