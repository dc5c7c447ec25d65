// Whether a text was seen lately, without keeping it: what comes once is not worth remembering, and most texts come once.

/** Texts are told apart by hashes, of which each belongs to a set. */
const sets = 2_048
/** Hashes of a set that are kept: of one alone, two texts that take turns would always be new. */
const kept = 8

/**
 * Notes a text, and tells whether it was noted before. It may be forgotten, and another text may rarely be taken for it, so
 * nothing may depend on it but what is remembered.
 */
export type Seen = (text: string) => boolean

export function createSeen(): Seen {
  const hashes = new Int32Array(sets * kept)
  return (text) => {
    const hash = hashOf(text)
    const newest = (hash & (sets - 1)) * kept
    const oldest = newest + kept - 1
    for (let place = newest; place <= oldest; place += 1) if (hashes[place] === hash) return true
    hashes.copyWithin(newest + 1, newest, oldest)
    hashes[newest] = hash
    return false
  }
}

/** FNV-1a (draft-eastlake-fnv) over the UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
