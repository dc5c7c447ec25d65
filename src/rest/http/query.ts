// The query string as a list of parameters: decoded once, names split at their brackets, nothing known of the Model.
import { collectProblems, refusal } from "../../base/problem.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import { quoteInput } from "../../plan/quote-input.ts"

export interface QueryParameter {
  /** As given, decoded: `filter[customer.email][eq]`. */
  readonly name: string
  /** The name's parts: `filter`, `customer.email`, `eq`. */
  readonly parts: readonly [string, ...string[]]
  readonly value: string
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
    else parameters.push({ name, parts, value })
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

/** `head[part][part]`: no part holds a bracket, and the head is not empty. */
function splitName(name: string): readonly [string, ...string[]] | undefined {
  const mark = name.indexOf("[")
  const head = mark < 0 ? name : name.slice(0, mark)
  if (head === "" || head.includes("]")) return undefined
  if (mark < 0) return [head]
  if (!name.endsWith("]")) return undefined
  const parts = name.slice(mark + 1, -1).split("][")
  return parts.some((part) => part.includes("[") || part.includes("]")) ? undefined : [head, ...parts]
}
