// Canonical values beside each other: which are equal, and which stands before which (docs/guide/reading.md, "Order").
import { type ScalarName, scalars } from "../../model/scalars.ts"
import type { Value } from "../read-plan.ts"

/** Equal for equal values of one kind, and for nothing else: `5` is neither `"5"` nor the int64 of that name. */
export const valueKey = (value: Value): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? { int64: String(inner) } : inner))

/** Below, at or above zero as `a` stands before, with or behind `b`; undefined where the scalar has no such order. */
export function compareValues(scalar: ScalarName, a: Value, b: Value): number | undefined {
  if (typeof a === "bigint" && typeof b === "bigint") return signOf(a, b)
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a !== "string" || typeof b !== "string") return undefined
  if (scalar === "decimal") return compareDecimals(a, b)
  const family = scalars[scalar].family
  // Without its sign a moment that has fewer digits of a second's fraction stands before what goes on.
  if (family === "moment") return signOf(a.replace(/Z$/, ""), b.replace(/Z$/, ""))
  return family === "text" ? compareTexts(a, b) : undefined
}

const signOf = <Ordered extends bigint | string>(a: Ordered, b: Ordered): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Plain digits, brought to the same number of them behind the point. */
function compareDecimals(a: string, b: string): number {
  const behind = (text: string): string => text.split(".")[1] ?? ""
  const digits = Math.max(behind(a).length, behind(b).length)
  const scaled = (text: string): bigint =>
    BigInt(`${text.split(".")[0] ?? ""}${behind(text).padEnd(digits, "0")}`)
  return signOf(scaled(a), scaled(b))
}

/** By code point: JavaScript itself compares UTF-16 units. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at === -1) return left.length - right.length
  const [before, behind] = [left[at]?.codePointAt(0) ?? -1, right[at]?.codePointAt(0) ?? -1]
  return before - behind
}
