// Quotes input in messages: short, on one line, without raw control characters.

const longest = 60

/** `"abc"`, `12`, `null`, `an object`, `a list`; long text is cut and ends with an ellipsis. */
export function quoteInput(input: unknown): string {
  if (typeof input === "string") {
    return input.length > longest ? `${JSON.stringify(input.slice(0, longest))}…` : JSON.stringify(input)
  }
  if (Array.isArray(input)) return "a list"
  if (input === undefined) return "nothing"
  if (typeof input === "object" && input !== null) return "an object"
  return String(input)
}
