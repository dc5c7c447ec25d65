// Whether a text was seen lately, without keeping it: what comes once is not worth remembering, and most texts come once.

/** How many texts are told apart; a text's place is taken by the next one that falls on it. */
const places = 8_192

/**
 * Notes a text, and tells whether it was noted before. It may be forgotten, and another text may rarely be taken for it, so
 * nothing may depend on it but what is remembered.
 */
export type Seen = (text: string) => boolean

export function createSeen(): Seen {
  const hashes = new Int32Array(places)
  return (text) => {
    const hash = hashOf(text)
    const place = hash & (places - 1)
    if (hashes[place] === hash) return true
    hashes[place] = hash
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
