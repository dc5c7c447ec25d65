// Public ids of events: the encrypted place in the log. An id is a cursor, and does not reveal the number of events between
// two ids. Cursors of pages are positions without an event. They differ each time, so that equal pages reveal
// nothing of hidden writes between them.

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto"
import { type LogPlace, logStart } from "../../sql/log/epochs.ts"

export interface EventIds {
  /** The same for an event each time: `evt_` and 22 characters of base64url. */
  idOf(place: LogPlace): string
  /** Another text each time: `evc_` and 59 characters of base64url; 48 for a place of before there were epochs. */
  cursorOf(place: LogPlace): string
  /** Undefined for any text that neither of them gave. Whether the log has the place is another matter. */
  placeOf(id: string): LogPlace | undefined
}

const prefix = "evt_"
const cursorPrefix = "evc_"
const nonceLength = 12
const tagLength = 16
/** Bytes of a block: the filling, the epoch, the position. */
const block = { filling: 5, epoch: 5, position: 6 } as const
const blockLength = block.filling + block.epoch + block.position
/** An id that was made up decrypts to it once in 2^40. */
const filling = Buffer.from("bifol")
/** Bytes of a position without an epoch, in older cursors. */
const bareLength = 8

function blockOf({ epoch, position }: LogPlace): Buffer {
  const made = Buffer.alloc(blockLength)
  filling.copy(made)
  made.write(epoch, block.filling, block.epoch, "hex")
  made.writeUIntBE(Number(position), block.filling + block.epoch, block.position)
  return made
}

function placeIn(made: Buffer): LogPlace | undefined {
  if (made.length === bareLength) return { epoch: logStart.epoch, position: made.readBigUInt64BE() }
  if (!made.subarray(0, block.filling).equals(filling)) return undefined
  const behind = block.filling + block.epoch
  return {
    epoch: made.toString("hex", block.filling, behind),
    position: BigInt(made.readUIntBE(behind, block.position)),
  }
}

/** @param secret equal secrets open each other's ids @param scope the service */
export function createEventIds(secret: string, scope: string): EventIds {
  const keyFor = (use: string): Buffer =>
    Buffer.from(hash("sha256", `${use} ${scope.length} ${scope}${secret}`, "hex"), "hex")
  const key = keyFor("bifold event 1")
  const cursorKey = keyFor("bifold event cursor 1")
  // One block is a permutation of its own: there is nothing to chain.
  const algorithm = "aes-256-ecb"
  return {
    idOf(place) {
      const cipher = createCipheriv(algorithm, key, null).setAutoPadding(false)
      return prefix + Buffer.concat([cipher.update(blockOf(place)), cipher.final()]).toString("base64url")
    },
    cursorOf(place) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(sealing, cursorKey, nonce)
      const own = blockOf(place).subarray(place.epoch === logStart.epoch ? blockLength - bareLength : 0)
      const sealed = [nonce, cipher.update(own), cipher.final(), cipher.getAuthTag()]
      return cursorPrefix + Buffer.concat(sealed).toString("base64url")
    },
    placeOf(id) {
      if (id.startsWith(cursorPrefix)) return openCursor(cursorKey, id.slice(cursorPrefix.length))
      const text = id.startsWith(prefix) ? id.slice(prefix.length) : ""
      const sealed = Buffer.from(text, "base64url")
      // Base64url has several spellings of some bytes; an id has one.
      if (sealed.length !== blockLength || sealed.toString("base64url") !== text) return undefined
      const decipher = createDecipheriv(algorithm, key, null).setAutoPadding(false)
      return placeIn(Buffer.concat([decipher.update(sealed), decipher.final()]))
    },
  }
}

const sealing = "aes-256-gcm"

function openCursor(key: Buffer, text: string): LogPlace | undefined {
  const sealed = Buffer.from(text, "base64url")
  const length = sealed.length - nonceLength - tagLength
  const isCursor = length === blockLength || length === bareLength
  if (!isCursor || sealed.toString("base64url") !== text) return undefined
  const behind = nonceLength + length
  const decipher = createDecipheriv(sealing, key, sealed.subarray(0, nonceLength))
  decipher.setAuthTag(sealed.subarray(behind))
  try {
    const opened = [decipher.update(sealed.subarray(nonceLength, behind)), decipher.final()]
    return placeIn(Buffer.concat(opened))
  } catch {
    return undefined
  }
}
