// A seeded source of numbers, so that the example's data is the same on every machine, for ever.

export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number, both ends included. */
  between(least: number, greatest: number): number
  /** One of these, all equally likely. */
  pick<const Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number]
  /** True once in so many calls. */
  oneIn(calls: number): boolean
  shuffle<Item>(items: readonly Item[]): Item[]
}

export function seeded(seed: number): Random {
  let state = seed >>> 0

  // A 32-bit counter of odd step, hashed: full period, no state beyond one word.
  const next = (): number => {
    state = (state + 0x9e3779b1) >>> 0
    let word = state
    word = Math.imul(word ^ (word >>> 16), 0x7feb352d)
    word = Math.imul(word ^ (word >>> 15), 0x846ca68b)
    return ((word ^ (word >>> 16)) >>> 0) / 2 ** 32
  }
  const between = (least: number, greatest: number): number =>
    least + Math.floor(next() * (greatest - least + 1))

  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    oneIn: (calls) => between(1, calls) === 1,
    shuffle: (items) =>
      items
        .map((item) => ({ item, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
  }
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/**
 * The suffix of a TypeID: a UUIDv7 of the moment, as 26 characters of Crockford's base32.
 * https://github.com/jetify-com/typeid/tree/main/spec
 */
export function typeidSuffix(moment: number, random: Random): string {
  const low = (bits: number): bigint => BigInt(Math.floor(random.next() * 2 ** bits))
  let uuid = BigInt(moment) << 80n
  uuid |= 7n << 76n
  uuid |= low(12) << 64n
  uuid |= 2n << 62n
  uuid |= (low(30) << 32n) | low(32)
  let text = ""
  for (let place = 0; place < 26; place += 1) {
    text = `${alphabet[Number(uuid & 31n)]}${text}`
    uuid >>= 5n
  }
  return text
}

/** A random UUID (version 4) in lower case. */
export function uuid(random: Random): string {
  const word = (): string => random.between(0, 0xffff).toString(16).padStart(4, "0")
  const variant = (random.between(0, 0xfff) | 0x8000).toString(16)
  const version = `4${random.between(0, 0xfff).toString(16).padStart(3, "0")}`
  return `${word()}${word()}-${word()}-${version}-${variant}-${word()}${word()}${word()}`
}
