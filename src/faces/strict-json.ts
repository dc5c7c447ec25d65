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
  const repeated = repeatedMember(text)
  if (repeated === undefined) return { value }
  return { fault: `an object has the member ${repeated} twice.`, repeated: true }
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
