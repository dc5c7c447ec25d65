// The query string as a list of parameters: decoded once, names split at their brackets, nothing known of the Model.
import { collectProblems, refusal } from "../../base/problem.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import { quoteInput } from "../../plan/quote-input.ts"

export interface QueryParameter {
  /** As given, decoded: `filter[customer.email][eq]`. */
  readonly name: string
  /** The name's parts: `filter`, `customer.email`, `eq`. Points separate parts outside of brackets only. */
  readonly parts: readonly [string, ...string[]]
  readonly value: string
  /** Without `=`: qs writes an empty list as `fields[]`. */
  readonly bare: boolean
}

const { query: maxParameters } = fixedLimits

/** Throws a Refusal that names everything that cannot be read. */
export function readQuery(query: string): readonly QueryParameter[] {
  const pieces = query.split("&").filter((piece) => piece !== "")
  if (pieces.length > maxParameters)
    throw refusal("too_large", overLimit(`There are ${pieces.length} parameters`, "query", maxParameters), {
      hint: "Long filters fit better into the JSON body of `POST …/query`.",
    })
  const problems = collectProblems()
  const parameters: QueryParameter[] = []
  for (const piece of pieces) {
    const equals = piece.indexOf("=")
    const name = decode(equals < 0 ? piece : piece.slice(0, equals))
    const value = decode(equals < 0 ? "" : piece.slice(equals + 1))
    const parts = name === undefined ? undefined : splitName(name)
    if (name === undefined || value === undefined)
      problems.add(
        "malformed_request",
        [name ?? piece],
        `${quoteInput(piece)} is not percent-encoded UTF-8.`,
        "A literal % is written %25.",
      )
    else if (!parts)
      problems.add(
        "unknown_parameter",
        [name],
        `${quoteInput(name)} is not the name of a parameter.`,
        "Names look like `sort` or `filter[total][gte]`.",
      )
    else parameters.push({ name, parts, value, bare: equals < 0 })
  }
  problems.settle()
  return parameters
}

/** Percent-decoded text; `+` is a space, as forms and URLSearchParams write it. Undefined when malformed. */
function decode(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) return text
  return decodePercent(text.replaceAll("+", " "))
}

/** Percent-decoded UTF-8 (RFC 3986 section 2.1), or undefined when malformed. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `head[part][part]` or `head.part[part]`: no part holds a bracket, and the head is not empty. */
function splitName(name: string): readonly [string, ...string[]] | undefined {
  const bracket = name.indexOf("[")
  const head = bracket < 0 ? name : name.slice(0, bracket)
  if (head === "" || head.includes("]")) return undefined
  if (bracket < 0 && !head.includes(".")) return [head]
  if (head.includes(".") || !name.endsWith("]")) return splitPoints(name)
  const parts = name.slice(bracket + 1, -1).split("][")
  return parts.some((part) => part.includes("[") || part.includes("]")) ? splitPoints(name) : [head, ...parts]
}

/** Points outside of brackets begin a part, as in `filter.or[0].status`. */
function splitPoints(name: string): readonly [string, ...string[]] | undefined {
  const head = /^[^.[\]]+/.exec(name)?.[0]
  if (head === undefined) return undefined
  const parts: [string, ...string[]] = [head]
  let length = head.length
  for (const [text, bracket, point] of name.slice(head.length).matchAll(/\[([^[\]]*)\]|\.([^.[\]]+)/g)) {
    parts.push(bracket ?? point ?? "")
    length += text.length
  }
  // Nothing stands between the parts.
  return length === name.length ? parts : undefined
}
