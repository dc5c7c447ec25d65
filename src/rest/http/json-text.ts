// Takes JSON text apart without parsing it, so that every value keeps the exact text that the database gave it.
import type { JsonText } from "../../base/json.ts"

/** The texts of an array's items, one after the other. @param from where the array begins */
export function itemsOf(text: JsonText, from = 0): Iterable<JsonText> {
  return split(text, from)
}

/** An object's members: names decoded, values as text. */
export function membersOf(object: JsonText): ReadonlyMap<string, JsonText> {
  return new Map(
    Array.from(split(object, 0), (member) => {
      const [name = ""] = /^\s*"[^"\\]*(?:\\.[^"\\]*)*"/.exec(member) ?? []
      const value = member.slice(name.length)
      return [JSON.parse(name) as string, value.slice(value.indexOf(":") + 1)]
    }),
  )
}

/** The text between the outermost brackets, cut at the outermost commas; nothing behind them is read. */
function* split(text: JsonText, from: number): Generator<JsonText> {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g
  token.lastIndex = from
  let depth = 0
  let start = from
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { 0: sign, index } = found
    if (sign === "{" || sign === "[") {
      depth += 1
      if (depth === 1) start = index + 1
    } else if (sign === "}" || sign === "]") {
      depth -= 1
      if (depth > 0) continue
      if (text.slice(start, index).trim() !== "") yield text.slice(start, index)
      return
    } else if (sign === "," && depth === 1) {
      yield text.slice(start, index)
      start = index + 1
    }
  }
}
