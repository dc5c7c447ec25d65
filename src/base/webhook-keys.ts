// Keys that webhooks are signed with (Standard Webhooks 1.0.0, "Signature scheme"): both keys of an endpoint come from a
// stored seed. The holder of one key cannot derive the other.
import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"

export interface WebhookKeys {
  /** For `v1`: HMAC-SHA256. */
  readonly symmetric: Buffer
  /** For `v1a`: Ed25519. */
  readonly own: KeyObject
  /** `whpk_` and the public key, 32 bytes in base64. */
  readonly publicKey: string
}

export interface MadeSeed {
  /** 32 bytes in base64url. */
  readonly seed: string
  /** Shown once: `whsec_` and the symmetric key in base64. */
  readonly secret: string
  readonly publicKey: string
}

/** The DER that comes before the 32 bytes of a private key (RFC 8410 section 7). */
const privateHead = Buffer.from("302e020100300506032b657004220420", "hex")

/** @param random so many bytes, unpredictable */
export function makeSeed(random: (bytes: number) => Uint8Array): MadeSeed {
  const seed = Buffer.from(random(32)).toString("base64url")
  const { symmetric, publicKey } = keysOfSeed(seed)
  return { seed, secret: `whsec_${symmetric.toString("base64")}`, publicKey }
}

export function keysOfSeed(seed: string): WebhookKeys {
  const derive = (purpose: string): Buffer =>
    createHmac("sha256", Buffer.from(seed, "base64url")).update(`bifold webhook ${purpose}`).digest()
  const own = createPrivateKey({
    key: Buffer.concat([privateHead, derive("v1a")]),
    format: "der",
    type: "pkcs8",
  })
  const spki = createPublicKey(own).export({ format: "der", type: "spki" })
  return {
    symmetric: derive("v1"),
    own,
    publicKey: `whpk_${spki.subarray(-32).toString("base64")}`,
  }
}
