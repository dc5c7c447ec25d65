// The bytes of long texts for followers: followers of the same text share one buffer, however many they are.
import { createRecent } from "../base/caches.ts"
import type { JsonText } from "../base/json.ts"

/** Gives a short text as it is: sockets and responses write it together with what stands around it. */
export type SharedBytes = (text: JsonText) => JsonText | Buffer

/** Characters from which on a text is shared. */
const long = 4_096
/** Texts and their bytes that are kept for the next follower. */
const mostKept = { count: 1_000, weight: 8_000_000 } as const

export function createSharedBytes(): SharedBytes {
  const known = createRecent<JsonText, Buffer>(mostKept)
  return (text) => {
    if (text.length < long) return text
    const found = known.get(text)
    if (found) return found
    const made = Buffer.from(text)
    known.set(text, made, text.length + made.length)
    return made
  }
}
