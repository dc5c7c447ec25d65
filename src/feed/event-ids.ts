// Ids of events for the outside: the position in the log, encrypted, so that an id is a cursor and tells nothing of how many
// events lie between two of them.
import { createCipheriv, createDecipheriv, hash } from "node:crypto"

export interface EventIds {
  /** The same for an event each time: `evt_` and 22 characters of base64url. */
  idOf(position: bigint): string
  /** Undefined for any text that `idOf` did not give. */
  positionOf(id: string): bigint | undefined
}

const prefix = "evt_"
/** Fills the block: an id that was made up decrypts to it once in 2^64. */
const filling = 0x6269666f6c646576n

/** @param secret equal secrets open each other's ids @param scope the service */
export function createEventIds(secret: string, scope: string): EventIds {
  const key = Buffer.from(hash("sha256", `bifold event 1 ${scope.length} ${scope}${secret}`, "hex"), "hex")
  // One block is a permutation of its own: there is nothing to chain.
  const algorithm = "aes-256-ecb"
  return {
    idOf(position) {
      const block = Buffer.alloc(16)
      block.writeBigUInt64BE(filling, 0)
      block.writeBigUInt64BE(position, 8)
      const cipher = createCipheriv(algorithm, key, null).setAutoPadding(false)
      return prefix + Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url")
    },
    positionOf(id) {
      const text = id.startsWith(prefix) ? id.slice(prefix.length) : ""
      const block = Buffer.from(text, "base64url")
      // Base64url has several spellings of some bytes; an id has one.
      if (block.length !== 16 || block.toString("base64url") !== text) return undefined
      const decipher = createDecipheriv(algorithm, key, null).setAutoPadding(false)
      const plain = Buffer.concat([decipher.update(block), decipher.final()])
      return plain.readBigUInt64BE(0) === filling ? plain.readBigUInt64BE(8) : undefined
    },
  }
}
