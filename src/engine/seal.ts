// Replaces the marks that a statement left for cursors by sealed cursors.
import { invariant, present } from "../base/invariant.ts"
import type { JsonText } from "../base/json.ts"
import type { Cursors } from "../plan/cursor.ts"
import { cursorBegin, cursorEnd, unrepresentable } from "../plan/marks.ts"

/** @param scopes what each mark's index means: `Statement.cursors` */
export function sealCursors(text: JsonText, scopes: readonly string[], cursors: Cursors): JsonText {
  let begin = text.indexOf(cursorBegin)
  if (begin < 0) return text
  let out = ""
  let from = 0
  for (; begin >= 0; begin = text.indexOf(cursorBegin, from)) {
    const end = text.indexOf(cursorEnd, begin)
    invariant(end > begin, "a cursor's mark has an end")
    out += text.slice(from, begin) + sealOne(text.slice(begin + 1, end), scopes, cursors)
    from = end + 1
  }
  return out + text.slice(from)
}

function sealOne(mark: string, scopes: readonly string[], cursors: Cursors): JsonText {
  const start = mark.indexOf("[")
  const scope = present(scopes[Number(mark.slice(0, start))], "a cursor's mark has its list's index")
  const values = mark.slice(start)
  // A position that cannot be told is no position.
  return values.includes(unrepresentable) ? unrepresentable : `"${cursors.seal(scope, values)}"`
}
