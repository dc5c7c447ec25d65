// The header Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): decides for both faces when a repeated request is
// the same request.
import { createHash } from "node:crypto"
import { refusal } from "../base/problem.ts"
import { type Idempotency, type Request, startRequest } from "../base/request.ts"
import { versionOf } from "../model/versions/served.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { FaceRequest } from "./face.ts"

/** The request, done once where it has a key. @throws Refusal `invalid_idempotency_key` */
export function withIdempotency(
  request: Pick<FaceRequest, "headers" | "actor" | "inner">,
  parts: Parameters<typeof readIdempotency>[1],
): Request | undefined {
  const once = readIdempotency(request, parts)
  return once ? { ...(request.inner ?? startRequest("")), once } : request.inner
}

/** The name of the header that says that an answer was given before. */
export const replayedHeader = "idempotency-replayed"

/** Characters of a key. */
const longestKey = 255

export const isKeyed = (headers: FaceRequest["headers"]): boolean => headers["idempotency-key"] !== undefined

/**
 * A random UUID (RFC 9562 section 5.4). An anonymous client has no secret but the key, so the key must be unguessable.
 */
const random = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Whether the service cannot distinguish this caller from other anonymous ones. Without rules all callers are equal. */
const isAnonymous = ({ claims }: Actor): boolean => claims !== undefined && !claims.signedIn

/**
 * Undefined when the request has no key. `parts`: everything that decides the outcome, such as method, address and
 * body; an absent part differs from an empty one.
 * @throws Refusal `invalid_idempotency_key`
 */
export function readIdempotency(
  { headers, actor }: Pick<FaceRequest, "headers" | "actor">,
  parts: () => readonly (string | Uint8Array | undefined)[],
): Idempotency | undefined {
  const header = headers["idempotency-key"]
  if (header === undefined) return undefined
  const key = readKey(header.trim())
  if (key === undefined)
    throw refusal("invalid_idempotency_key", "The Idempotency-Key is not one that can be used.", {
      hint: `Send 1 to ${longestKey} visible ASCII characters, such as a UUID, with or without quotes around them.`,
    })
  if (isAnonymous(actor) && !random.test(key))
    throw refusal(
      "invalid_idempotency_key",
      "Without credentials, the Idempotency-Key must be a random UUID.",
      {
        hint: "Send a UUID of version 4, such as crypto.randomUUID() makes, or sign in: then any key is yours alone.",
      },
    )
  // Also of the newest: it is an older one when the request is sent again after another has come.
  const version = versionOf(actor.model)
  return { key, fingerprint: digest(version === undefined ? parts() : [...parts(), version]) }
}

/** The key itself: the header may be a string in quotes (RFC 9651 section 3.3.3), or the characters without them. */
function readKey(header: string): string | undefined {
  const quoted = header.startsWith('"')
  if (quoted && !/^"(?:[^"\\]|\\["\\])*"$/.test(header)) return undefined
  const key = quoted ? header.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : header
  return /^[\x21-\x7e]+$/.test(key) && key.length <= longestKey ? key : undefined
}

/** Each part with its length before it, so that no two lists of parts read the same. */
function digest(parts: readonly (string | Uint8Array | undefined)[]): string {
  const hash = createHash("sha256")
  for (const part of parts) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part
    hash.update(`${bytes?.length ?? "-"}:`)
    if (bytes) hash.update(bytes)
  }
  return hash.digest("base64url")
}
