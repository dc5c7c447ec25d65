// Takes JSON text apart without parsing it, so that every value keeps the exact text that the database gave it.
import type { JsonText } from "../../base/json.ts"

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g

/** The texts of an array's items. */
export function itemsOf(array: JsonText): readonly JsonText[] {
  return split(array)
}

/** An object's members: names decoded, values as text. */
export function membersOf(object: JsonText): ReadonlyMap<string, JsonText> {
  return new Map(
    split(object).map((member) => {
      const [name = ""] = /^\s*"[^"\\]*(?:\\.[^"\\]*)*"/.exec(member) ?? []
      const value = member.slice(name.length)
      return [JSON.parse(name) as string, value.slice(value.indexOf(":") + 1)]
    }),
  )
}

/** What stands between the outermost brackets, cut at the outermost commas. */
function split(text: JsonText): readonly JsonText[] {
  const pieces: JsonText[] = []
  let depth = 0
  let start = 0
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === "{" || found === "[") {
      depth += 1
      if (depth === 1) start = index + 1
    } else if (found === "}" || found === "]") {
      depth -= 1
      if (depth === 0 && text.slice(start, index).trim() !== "") pieces.push(text.slice(start, index))
    } else if (found === "," && depth === 1) {
      pieces.push(text.slice(start, index))
      start = index + 1
    }
  }
  return pieces
}
