// Ids of events for the outside: the position in the log, encrypted, so that an id is a cursor and tells nothing of how many
// events lie between two of them. Cursors of pages are positions that need no event: they differ each time, so that equal
// pages show nothing of what was written out of sight between them.
import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto"

export interface EventIds {
  /** The same for an event each time: `evt_` and 22 characters of base64url. */
  idOf(position: bigint): string
  /** Another text each time: `evc_` and 48 characters of base64url. */
  cursorOf(position: bigint): string
  /** Undefined for any text that neither of them gave. */
  positionOf(id: string): bigint | undefined
}

const prefix = "evt_"
const cursorPrefix = "evc_"
const nonceLength = 12
const cursorLength = nonceLength + 8 + 16
/** Fills the block: an id that was made up decrypts to it once in 2^64. */
const filling = 0x6269666f6c646576n

/** @param secret equal secrets open each other's ids @param scope the service */
export function createEventIds(secret: string, scope: string): EventIds {
  const keyFor = (use: string): Buffer =>
    Buffer.from(hash("sha256", `${use} ${scope.length} ${scope}${secret}`, "hex"), "hex")
  const key = keyFor("bifold event 1")
  const cursorKey = keyFor("bifold event cursor 1")
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
    cursorOf(position) {
      const nonce = randomBytes(nonceLength)
      const block = Buffer.alloc(8)
      block.writeBigUInt64BE(position)
      const cipher = createCipheriv(sealing, cursorKey, nonce)
      const sealed = [nonce, cipher.update(block), cipher.final(), cipher.getAuthTag()]
      return cursorPrefix + Buffer.concat(sealed).toString("base64url")
    },
    positionOf(id) {
      if (id.startsWith(cursorPrefix)) return positionIn(cursorKey, id.slice(cursorPrefix.length))
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

const sealing = "aes-256-gcm"

function positionIn(key: Buffer, text: string): bigint | undefined {
  const sealed = Buffer.from(text, "base64url")
  if (sealed.length !== cursorLength || sealed.toString("base64url") !== text) return undefined
  const decipher = createDecipheriv(sealing, key, sealed.subarray(0, nonceLength))
  decipher.setAuthTag(sealed.subarray(nonceLength + 8))
  try {
    const opened = [decipher.update(sealed.subarray(nonceLength, nonceLength + 8)), decipher.final()]
    return Buffer.concat(opened).readBigUInt64BE()
  } catch {
    return undefined
  }
}
