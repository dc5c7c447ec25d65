// Cursors: positions in an order, sealed so that only what we gave out is accepted, and only in its own list.
import { createHmac, timingSafeEqual } from "node:crypto"
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
  const tag = (scope: string, json: Buffer): Buffer => {
    // The scope's length goes first, so that no part of it can pass for payload.
    const scopeBytes = Buffer.from(scope)
    const mac = createHmac("sha256", secret)
      .update(`bifold cursor 1 ${scopeBytes.length} `)
      .update(scopeBytes)
    return mac.update(json).digest().subarray(0, tagBytes)
  }
  return {
    seal(scope, text) {
      const json = Buffer.from(text)
      return Buffer.concat([tag(scope, json), json]).toString("base64url")
    },
    open(scope, text) {
      const bytes = Buffer.from(text, "base64url")
      // Decoding overlooks stray characters and unused bits; a cursor has exactly one spelling.
      if (bytes.length <= tagBytes || bytes.toString("base64url") !== text) return undefined
      const json = bytes.subarray(tagBytes)
      if (!timingSafeEqual(bytes.subarray(0, tagBytes), tag(scope, json))) return undefined
      return JSON.parse(json.toString()) as readonly unknown[]
    },
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
