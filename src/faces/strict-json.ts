// JSON that came from a client, read so that nothing in it is silently dropped: a member given twice is a mistake.

export type StrictJson =
  | { readonly value: unknown }
  /** `repeated`: it is JSON, but for a member given twice. */
  | { readonly fault: string; readonly repeated: boolean }

/** The value, or a sentence that says what is wrong with the text. */
export function parseStrict(text: string): StrictJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error), repeated: false }
  }
  const repeated = colonsIn(text) === membersIn(value) ? undefined : repeatedMember(text)
  if (repeated === undefined) return { value }
  return { fault: `an object has the member ${repeated} twice.`, repeated: true }
}

/** Each member that was written has one; those in strings only make it more. */
function colonsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) count += 1
  return count
}

/** Members that are left in the value; with a stack of its own, as a text may be nested deeper than ours. */
function membersIn(value: unknown): number {
  let count = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== "object" || next === null) continue
    if (Array.isArray(next)) for (const item of next) waiting.push(item)
    else
      for (const name in next) {
        count += 1
        waiting.push((next as Record<string, unknown>)[name])
      }
  }
  return count
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}:]/g

/** A member name, in quotes, that one object of a well-formed text has twice (RFC 8259 section 4 leaves it open what that means). */
function repeatedMember(text: string): string | undefined {
  const open: Set<string>[] = []
  let string = ""
  for (const [found] of text.matchAll(token)) {
    if (found === "{") open.push(new Set())
    else if (found === "}") open.pop()
    else if (found === ":") {
      const names = open.at(-1)
      const name = string.includes("\\") ? JSON.stringify(JSON.parse(string)) : string
      if (names?.has(name)) return name
      names?.add(name)
    } else string = found
  }
  return undefined
}
