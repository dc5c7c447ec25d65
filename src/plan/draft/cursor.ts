// Cursors: positions in an order, sealed so that a service accepts only its own cursors, and each only in its own list.
import { hash, timingSafeEqual } from "node:crypto"
import { createSeen } from "../../base/caches.ts"
import type { JsonText } from "../../base/json.ts"
import type { Model, Resource } from "../../model/model.ts"
import { versionOf } from "../../model/versions/served.ts"
import type { OrderTerm } from "../read-plan.ts"

export interface Cursors {
  /** `json` is the array of the order's values; the result is ASCII that needs no quoting in JSON or a URL. */
  readonly seal: CursorSignature
  /** The order's values, or undefined for any text that `seal` did not give for this scope. */
  open(scope: string, text: string): readonly unknown[] | undefined
}

/** For plans whose answers have no cursors. */
export const noCursors: Cursors = { seal: () => "", open: () => undefined }

/** Characters of base64url: HMAC-SHA256 (RFC 2104) cut to 132 bits, as its section 5 allows. */
const tagLength = 22

/**
 * A cursor is its tag and the base64url of its values. The tag covers the text, not its meaning, so that each cursor has
 * one spelling.
 * @param secret of any length; equal secrets open each other's cursors.
 */
export function createCursors(secret: string): Cursors {
  const authenticate = createHmacSha256(secret)
  const tag = (scope: string, payload: string): string =>
    // The scope's length goes first, so that no part of it can pass for payload.
    authenticate(`bifold cursor 2 ${scope.length} ${scope}${payload}`).slice(0, tagLength)
  return {
    seal: rememberSigned((scope, json) => {
      const payload = Buffer.from(json).toString("base64url")
      return tag(scope, payload) + payload
    }),
    open(scope, text) {
      const payload = text.slice(tagLength)
      const [given, own] = [Buffer.from(text.slice(0, tagLength)), Buffer.from(tag(scope, payload))]
      if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined
      return JSON.parse(Buffer.from(payload, "base64url").toString()) as readonly unknown[]
    },
  }
}

/**
 * RFC 2104 by one-shot hashes: Node's own HMAC takes three times as long, and a page of lists has a cursor for each. The
 * key is the secret's hash in hexadecimal, 64 bytes of ASCII. Those fill a block of SHA-256, so that the text before the
 * message is a string as well.
 */
function createHmacSha256(secret: string): (message: string) => string {
  const key = Buffer.from(hash("sha256", secret))
  const inner = key.map((byte) => byte ^ 0x36).toString()
  const outer = Buffer.concat([key.map((byte) => byte ^ 0x5c), Buffer.alloc(32)])
  return (message) => {
    outer.write(hash("sha256", inner + message, "binary"), key.length, "binary")
    return hash("sha256", outer, "base64url")
  }
}

/** The scope of a cursor: the service, the resource and the order. Two lists of equal scope take each other's cursors. */
export function cursorScope(model: Model, resource: Resource, order: readonly OrderTerm[]): string {
  const terms = order.map(({ path, subject, descending, nulls }) => [
    path,
    subject,
    descending,
    nulls ?? null,
  ])
  // A version orders by values and names of its own, and keeps them when a newer one comes.
  const version = versionOf(model)
  const service = version === undefined ? [model.name] : [model.name, version]
  return JSON.stringify([...service, resource.type, terms])
}

// Cursors that were given out lately: popular pages have the same ones each time. A lookup takes a tenth of the time of
// sealing.

/** Gives a position in the order of a scope its text, which follows from both. */
type CursorSignature = (scope: string, json: JsonText) => string

/** Positions that are remembered, together some 3 MB; with one more all are forgotten, and those still asked for come back. */
const most = 10_000
/** Characters of a position that is worth it. */
const longest = 200

export function rememberSigned(seal: CursorSignature): CursorSignature {
  const seen = createSeen()
  let known = new Map<string, Map<JsonText, string>>()
  let count = 0
  const keep = (scope: string, json: JsonText, text: string): void => {
    if (count === most) {
      known = new Map()
      count = 0
    }
    const inScope = known.get(scope) ?? new Map<JsonText, string>()
    // A copy: a slice of an answer would keep all of the answer in memory.
    known.set(scope, inScope.set(Buffer.from(json).toString(), text))
    count += 1
  }
  return (scope, json) => {
    const before = known.get(scope)?.get(json)
    if (before !== undefined) return before
    const text = seal(scope, json)
    if (json.length <= longest && seen(json)) keep(scope, json, text)
    return text
  }
}
