// JSON values that a field of the scalar `json` takes, and text that any field takes.
import type { JsonValue } from "../../base/json.ts"

/** Maximum depth of a json value; deeper ones would exhaust the stack of their readers. */
const deepestJson = 100
/** From here on JavaScript prints numbers with an exponent. */
const firstExponent = 1e21

export const expectedJson = `a JSON value, nested at most ${deepestJson} deep, without U+0000 and lone surrogates in its text, and without whole numbers beyond 9007199254740991, which are written as strings`

/** Text that every database here can hold: no U+0000, no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed()
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the sent number may have been another: doubles skip whole numbers of this size. */
const isRounded = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < firstExponent

/** The JSON text of a value; the walk keeps its own stack, so that no depth of input can exhaust ours. */
export function readJson(input: unknown): string | undefined {
  // `null` is no value: a list has none as an item.
  if (input === null) return undefined
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: input, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    if (typeof value === "string" && !isWellFormed(value)) return undefined
    if (typeof value === "number" && (!Number.isFinite(value) || isRounded(value))) return undefined
    if (typeof value !== "object") {
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") continue
      return undefined
    }
    if (value === null) continue
    if (depth === deepestJson) return undefined
    const members = Array.isArray(value) ? [] : Object.keys(value)
    if (!members.every(isWellFormed)) return undefined
    for (const inner of Object.values(value)) waiting.push({ value: inner, depth: depth + 1 })
  }
  return JSON.stringify(input as JsonValue)
}
