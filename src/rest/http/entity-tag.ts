// Entity tags: what tells the bytes of one answer from those of any other (RFC 9110 section 8.8.3).
import { createCipheriv, createHash, createSecretKey, hash } from "node:crypto"
import { isText, type Json, piecesOf, sizeOf } from "../../base/json.ts"

/**
 * Strong: equal tags mean equal bytes. It begins with the version, which is what `If-Match` compares, since a client
 * may have asked for some of the record's members only.
 */
export type EntityTag = (body: Json, version?: string | null) => string

/** Bytes from which on a GMAC takes less time than a hash. */
const long = 4_096

/** Characters of base64url: 162 bits. */
const length = 27

/** @param secret equal secrets give equal tags; without one long bodies are hashed as short ones are */
export function createEntityTag(secret?: string): EntityTag {
  const digestOfLong = secret === undefined ? digestOf : createMac(secret)
  return (body, version) => {
    const digest = (isLong(body) ? digestOfLong : digestOf)(body).slice(0, length)
    return version === undefined || version === null ? `"${digest}"` : `"${version}.${digest}"`
  }
}

/** A character is at most three bytes of UTF-8. */
const isLong = (body: Json): boolean => (!isText(body) || 3 * body.length >= long) && sizeOf(body) >= long

function digestOf(body: Json): string {
  if (isText(body)) return hash("sha256", body, "base64url")
  const [first, ...more] = piecesOf(body)
  if (first && more.length === 0) return hash("sha256", first, "base64url")
  const sum = createHash("sha256")
  for (const piece of piecesOf(body)) sum.update(piece)
  return sum.digest("base64url")
}

/** The same for every body, as is right where what comes of it is shown to nobody. */
const nonce = Buffer.alloc(12)

/**
 * GMAC (NIST SP 800-38D): many times as fast as SHA-256, but someone with the key could make two bodies of one tag, and two
 * tags of one nonce tell the key. So clients get a keyed hash of it.
 */
function createMac(secret: string): (body: Json) => string {
  const keyFor = (use: string): Buffer => hash("sha256", `bifold entity tag 1 ${use} ${secret}`, "buffer")
  // A key that is bytes would be made ready each time, which takes longer than the rest.
  const [inner, outer] = [createSecretKey(keyFor("inner")), keyFor("outer")]
  return (body) => {
    const mac = createCipheriv("aes-256-gcm", inner, nonce)
    for (const piece of isText(body) ? [Buffer.from(body)] : piecesOf(body)) mac.setAAD(piece)
    mac.final()
    return hash("sha256", Buffer.concat([outer, mac.getAuthTag()]), "base64url")
  }
}
