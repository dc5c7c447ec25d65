// Cursors that were given out lately: the pages that many look at have the same ones each time, and to find one takes a
// tenth of the time that sealing it takes.

import { createSeen } from "../../base/doorkeeper.ts"
import type { JsonText } from "../../base/json.ts"

/** Gives a position in the order of a scope its text, which follows from both. */
export type CursorSignature = (scope: string, json: JsonText) => string

/** Positions that are remembered, together some 3 MB; with one more all are forgotten, and those still asked for come back. */
const most = 10_000
/** Characters of a position that is worth it. */
const longest = 200

export function rememberSigned(seal: CursorSignature): CursorSignature {
  const seen = createSeen()
  let known = new Map<string, Map<JsonText, string>>()
  let count = 0
  const keep = (scope: string, json: JsonText, text: string): void => {
    if (count === most) {
      known = new Map()
      count = 0
    }
    const inScope = known.get(scope) ?? new Map<JsonText, string>()
    // A copy: what is cut out of an answer would hold on to all of it.
    known.set(scope, inScope.set(Buffer.from(json).toString(), text))
    count += 1
  }
  return (scope, json) => {
    const before = known.get(scope)?.get(json)
    if (before !== undefined) return before
    const text = seal(scope, json)
    if (json.length <= longest && seen(json)) keep(scope, json, text)
    return text
  }
}
