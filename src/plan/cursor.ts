// Cursors: positions in an order, sealed so that only what we gave out is accepted, and only in its own list.
import { hash, timingSafeEqual } from "node:crypto"
import type { JsonText } from "../base/json.ts"
import type { Model, Resource } from "../model/model.ts"
import type { OrderTerm } from "./types.ts"

export interface Cursors {
  /** `json` is the array of the order's values; the result is base64url. */
  seal(scope: string, json: JsonText): string
  /** The order's values, or undefined for any text that `seal` did not give for this scope. */
  open(scope: string, text: string): readonly unknown[] | undefined
}

/** HMAC-SHA256 (RFC 2104) cut to 128 bits, as its section 5 allows. */
const tagBytes = 16

/** @param secret of any length; equal secrets open each other's cursors. */
export function createCursors(secret: string): Cursors {
  const authenticate = createHmacSha256(secret)
  const tag = (scope: string, json: string): string =>
    // The scope's length goes first, so that no part of it can pass for payload.
    authenticate(`bifold cursor 1 ${Buffer.byteLength(scope)} ${scope}${json}`).slice(0, 2 * tagBytes)
  return {
    seal(scope, json) {
      const bytes = Buffer.allocUnsafe(tagBytes + Buffer.byteLength(json))
      bytes.write(tag(scope, json), "hex")
      bytes.write(json, tagBytes)
      return bytes.toString("base64url")
    },
    open(scope, text) {
      const bytes = Buffer.from(text, "base64url")
      // Decoding overlooks stray characters and unused bits; a cursor has exactly one spelling.
      if (bytes.length <= tagBytes || bytes.toString("base64url") !== text) return undefined
      const json = bytes.toString("utf8", tagBytes)
      if (!timingSafeEqual(bytes.subarray(0, tagBytes), Buffer.from(tag(scope, json), "hex")))
        return undefined
      return JSON.parse(json) as readonly unknown[]
    },
  }
}

const blockBytes = 64
const digestBytes = 32

/**
 * RFC 2104 by one-shot hashes: Node's own HMAC takes three times as long, and a page has a cursor for each row.
 * Gives hexadecimal digits.
 */
function createHmacSha256(secret: string): (message: string) => string {
  const given = Buffer.from(secret)
  const key = Buffer.alloc(blockBytes)
  key.set(given.length > blockBytes ? hash("sha256", given, "buffer") : given)
  const inner = Buffer.from(key.map((byte) => byte ^ 0x36))
  const outer = Buffer.alloc(blockBytes + digestBytes)
  outer.set(key.map((byte) => byte ^ 0x5c))
  return (message) => {
    const bytes = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(message))
    inner.copy(bytes)
    bytes.write(message, blockBytes)
    outer.write(hash("sha256", bytes, "hex"), blockBytes, "hex")
    return hash("sha256", outer, "hex")
  }
}

/** What a cursor belongs to: the service, the resource and the order. Two lists of equal scope take each other's cursors. */
export function cursorScope(model: Model, resource: Resource, order: readonly OrderTerm[]): string {
  const terms = order.map(({ path, subject, descending, nulls }) => [
    path,
    subject,
    descending,
    nulls ?? null,
  ])
  return JSON.stringify([model.name, resource.name, terms])
}
