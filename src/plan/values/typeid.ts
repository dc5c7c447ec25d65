// The ids that Bifold makes: suffixes of TypeIDs, which are UUIDs of version 7 as 26 characters of base32. They sort by the
// moment of their making, and each is greater than all earlier ones of its process.
import { hash, randomBytes } from "node:crypto"
import { invariant } from "../../base/invariant.ts"

/** Crockford's, in lower case, as the TypeID specification 0.3 has it ("Base32 Encoding"). */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Before the first 12 bits of chance, and before the next 22 (RFC 9562 sections 5.7 and 4.1). */
const version = 7 << 12
const variant = 2 * 2 ** 22
const highChances = 2 ** 34
const lowChances = 2 ** 40
const latest = 2 ** 48 - 1

/** The 26 characters that stand for 128 bits. */
export const typeidSuffix = (uuid: bigint): string =>
  momentText(Number(uuid >> 80n)) +
  halfText(Number((uuid >> 40n) & 0xff_ffff_ffffn)) +
  halfText(Number(uuid & 0xff_ffff_ffffn))

/** Two characters for 10 bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => `${alphabet[bits >> 5]}${alphabet[bits & 31]}`)

/** 8 characters for 40 bits, which a double holds exactly. */
function halfText(bits: number): string {
  const [high, low] = [Math.floor(bits / 2 ** 20), bits % 2 ** 20]
  return `${pairs[high >> 10]}${pairs[high & 1023]}${pairs[low >> 10]}${pairs[low & 1023]}`
}

/** 10 characters for the 48 bits of the moment, after two bits that are always 0. */
const momentText = (moment: number): string =>
  `${pairs[Math.floor(moment / 2 ** 40)]}${halfText(moment % 2 ** 40)}`

/**
 * A source of ids, each greater than all before it, also when the clock stands still or goes back. Then the moment stays, and
 * a random step increases the random part (RFC 9562 section 6.2, method 2). No client can guess the next id.
 * @param random so many bytes, unpredictable
 * @param clock milliseconds since 1970
 */
export function createIds(
  random: (bytes: number) => Uint8Array = pooledBytes(),
  clock: () => number = Date.now,
): () => string {
  let moment = -1
  let text = ""
  // 34 and 40 random bits: all that a UUID of version 7 has (section 5.7), 12 bits of them before the variant.
  let [high, low] = [0, 0]
  const begin = (at: number): void => {
    invariant(
      Number.isSafeInteger(at) && at >= 0 && at <= latest,
      "the clock gives whole milliseconds of 48 bits",
    )
    moment = at
    text = momentText(at)
    const bytes = random(10)
    high = numberOf(bytes.subarray(0, 5)) % highChances
    low = numberOf(bytes.subarray(5))
  }
  return () => {
    const now = clock()
    if (now > moment) begin(now)
    else {
      low += numberOf(random(4)) + 1
      if (low >= lowChances) {
        low -= lowChances
        high += 1
      }
      if (high >= highChances) begin(moment + 1)
    }
    // Version, the first 12 bits of chance, variant, the next 22.
    const beforeVariant = Math.floor(high / 2 ** 22)
    return text + halfText((version + beforeVariant) * 2 ** 24 + variant + (high % 2 ** 22)) + halfText(low)
  }
}

const numberOf = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0)

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

// Where the versions of records begin. Keys may come again: a new record with the key of a deleted one shares none of its
// versions. So a client that has seen the old record cannot change the new one unseen.

/** Microseconds since 1970, each greater than the one before: no record is written so often that its versions keep up. */
export function createVersions(now: () => number = precise): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Math.floor(now() * 1_000))
    return last
  }
}

/** Milliseconds since 1970, with their fractions; by the system's clock, also when that is set. */
function precise(): number {
  const coarse = Date.now()
  return coarse + (performance.now() % 1)
}

// The text of an API key: the service's name, so that it is known where it turns up, and 256 bits of chance.
export interface MadeKey {
  /** Shown once: `storefront_` and 43 characters. */
  readonly secret: string
  /** Its beginning, to distinguish keys by. */
  readonly hint: string
  /** The stored part of a secret. */
  readonly digest: string
}

const keyAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/** 62 to the power of 43 is a little more than 2 to the power of 256. */
const characters = 43
const shownCharacters = 6
/** The greatest multiple of 62 that bytes reach: of those beyond, some characters would be likelier than others. */
const fair = 248

/** @param random so many bytes, unpredictable */
export function makeKey(service: string, random: (bytes: number) => Uint8Array): MadeKey {
  let chance = ""
  while (chance.length < characters)
    for (const byte of random(64)) if (byte < fair) chance += keyAlphabet[byte % keyAlphabet.length]
  const secret = `${service}_${chance.slice(0, characters)}`
  const hint = secret.slice(0, service.length + 1 + shownCharacters)
  return { secret, hint, digest: digestOf(secret) }
}

/** Whether it could be a key of the service. */
export function isKeyText(service: string, text: string): boolean {
  return (
    text.length === service.length + 1 + characters &&
    text.startsWith(`${service}_`) &&
    /^[0-9A-Za-z]+$/.test(text.slice(service.length + 1))
  )
}

/** SHA-256 in base64url. Guessing a secret of 256 random bits is impossible, so a slower hash would add nothing. */
export const digestOf = (secret: string): string => hash("sha256", secret, "base64url")
