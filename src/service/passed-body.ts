// A body that the host has read already: bytes, text, or parsed JSON.
import { type Body, tooLarge } from "../server/incoming.ts"

/** Numbers of parsed JSON are as exact as the host has read them; whole ones may be a bigint. */
export function passedBody(given: unknown, limit: number): Body {
  const bytes = bytesOf(given)
  return bytes.length > limit ? tooLarge(limit) : { bytes }
}

function bytesOf(given: unknown): Uint8Array {
  if (given instanceof Uint8Array) return given
  if (given instanceof ArrayBuffer) return new Uint8Array(given)
  return Buffer.from(typeof given === "string" ? given : textOf(given))
}

/** A bigint has no JSON of its own. Beyond the numbers that a double keeps, whole numbers are texts of digits. */
function textOf(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) => {
    if (typeof value !== "bigint") return value
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  })
}
