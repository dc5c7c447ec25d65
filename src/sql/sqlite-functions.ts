// What SQLite lacks for our statements: functions that the storage registers on each connection. All are deterministic.

import { hash } from "node:crypto"

export type SqliteFunction = (
  ...values: readonly (null | bigint | number | string | Uint8Array)[]
) => null | string

/** By name; called with whole numbers as bigint. */
export const sqliteFunctions: Readonly<
  Record<string, { readonly length: number; readonly call: SqliteFunction }>
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
}

function joinSum(high: unknown, low: unknown, scale: unknown): string | null {
  if (typeof high !== "bigint" || typeof low !== "bigint") return null
  const sum = (high << 32n) + low
  const places = Number(scale)
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0")
  const point = digits.length - places
  const sign = sum < 0n ? "-" : ""
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
