// The ids that Bifold makes: suffixes of TypeIDs, which are UUIDs of version 7 as 26 characters of base32. They sort by
// the moment at which they were made, and each made by one process is greater than all before it.
import { randomBytes } from "node:crypto"
import { invariant } from "../base/invariant.ts"

/** Crockford's, in lower case, as the TypeID specification 0.3 has it ("Base32 Encoding"). */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const suffixLength = 26

/** What a UUID of version 7 leaves to chance: 12 bits beside the version, 62 beside the variant (RFC 9562 section 5.7). */
const chanceBits = 74n
const lowBits = 62n
const version = 7n << 76n
const variant = 2n << 62n
const latest = 2 ** 48 - 1

/** The 26 characters that stand for 128 bits. */
export function typeidSuffix(uuid: bigint): string {
  let text = ""
  for (let rest = uuid; text.length < suffixLength; rest >>= 5n)
    text = `${alphabet[Number(rest & 31n)]}${text}`
  return text
}

/**
 * A source of ids, each greater than all that it gave before, also when the clock stands still or goes back: then the moment
 * stays, and what was left to chance is counted up by a random step (RFC 9562 section 6.2, method 2), so that the next id
 * cannot be guessed from the last.
 * @param random so many bytes, unpredictable
 * @param clock milliseconds since 1970
 */
export function createIds(
  random: (bytes: number) => Uint8Array = pooledBytes(),
  clock: () => number = Date.now,
): () => string {
  let moment = -1
  let chance = 0n
  return () => {
    const now = clock()
    if (now > moment) {
      moment = now
      chance = randomBits(random, chanceBits)
    } else {
      chance += randomBits(random, 32n) + 1n
      if (chance >> chanceBits > 0n) {
        moment += 1
        chance = randomBits(random, chanceBits)
      }
    }
    invariant(
      Number.isSafeInteger(moment) && moment <= latest,
      "the clock gives whole milliseconds of 48 bits",
    )
    return typeidSuffix(uuidOf(BigInt(moment), chance))
  }
}

/** The system is asked for many at a time: each time takes as long as making an id. */
function pooledBytes(): (bytes: number) => Uint8Array {
  let pool = randomBytes(0)
  return (bytes) => {
    if (pool.length < bytes) pool = randomBytes(4_096)
    const taken = pool.subarray(0, bytes)
    pool = pool.subarray(bytes)
    return taken
  }
}

function uuidOf(moment: bigint, chance: bigint): bigint {
  const [high, low] = [chance >> lowBits, BigInt.asUintN(Number(lowBits), chance)]
  return (moment << 80n) | version | (high << 64n) | variant | low
}

function randomBits(random: (bytes: number) => Uint8Array, bits: bigint): bigint {
  let value = 0n
  for (const byte of random(Math.ceil(Number(bits) / 8))) value = (value << 8n) | BigInt(byte)
  return BigInt.asUintN(Number(bits), value)
}
