// The body of POST /batch: a list of requests, each with its method, path, headers and body.

import { collectProblems, type Place, type Problems, refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"
import { overLimit, type SizeLimits } from "../../model/limits.ts"
import { hintFor } from "../../plan/hints.ts"
import { isObject } from "../../plan/pending-key.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { inBody } from "../question/request-context.ts"

export interface BatchRequest {
  /** The name of its record in later requests. */
  readonly id?: string
  readonly method: string
  /** Below the face's base, still percent-encoded. */
  readonly path: string
  readonly query: string
  readonly headers: FaceRequest["headers"]
  readonly body: unknown
}

const memberNames = ["id", "method", "path", "headers", "body"]
/** Headers that a request within a batch may have; the batch itself has the rest, once. */
export const headerNames = ["if-match", "if-none-match", "prefer"]

/** Throws a Refusal with every mistake. */
export function readBatch({ batch }: Pick<SizeLimits, "batch">, body: unknown): readonly BatchRequest[] {
  const requests = isObject(body) ? body["requests"] : undefined
  if (!isObject(body) || !Array.isArray(requests) || requests.length === 0 || Object.keys(body).length > 1)
    throw refusal(
      "invalid_value",
      "A batch is an object whose only member is `requests`, a list of at least one.",
      {
        hint: 'Send {"requests": [{"method": "POST", "path": "/…", "body": {…}}]}.',
        place: [inBody],
      },
    )
  if (requests.length > batch)
    throw refusal("too_large", overLimit(`The batch has ${requests.length} requests`, "batch", batch), {
      place: [inBody, "requests"],
    })
  const problems = collectProblems()
  const ids = new Set<string>()
  const read = requests.map((request: unknown, index) =>
    readRequest(request, { place: [inBody, "requests", index], problems, ids }),
  )
  problems.settle()
  return read
}

interface Spot {
  readonly place: Place
  readonly problems: Problems
  readonly ids: Set<string>
}

function readRequest(input: unknown, spot: Spot): BatchRequest {
  const { place, problems } = spot
  const given = isObject(input) ? input : {}
  if (!isObject(input))
    problems.add(
      "invalid_value",
      place,
      `A request is an object of method and path, not ${quoteInput(input)}.`,
    )
  for (const name of Object.keys(given))
    if (!memberNames.includes(name))
      problems.add(
        "unknown_field",
        [...place, name],
        `A request of a batch has no ${quoteInput(name)}.`,
        hintFor(name, memberNames),
      )
  const id = readName(given["id"], spot)
  const method = textAt(given, "method", spot)
  const target = textAt(given, "path", spot)
  if (target !== "" && !target.startsWith("/"))
    problems.add(
      "invalid_value",
      [...place, "path"],
      `\`path\` must begin with /, unlike ${quoteInput(target)}.`,
    )
  const [path = "", query = ""] = target.split(/\?(.*)/s)
  return {
    ...(id === undefined ? {} : { id }),
    method,
    path,
    query,
    headers: readHeaders(given["headers"], spot),
    body: given["body"],
  }
}

function textAt(given: Readonly<Record<string, unknown>>, name: string, { place, problems }: Spot): string {
  const text = given[name]
  if (typeof text === "string" && text !== "") return text
  problems.add("invalid_value", [...place, name], `\`${name}\` must be a string, not ${quoteInput(text)}.`)
  return ""
}

/** Unique in the batch, and plain, since it stands in paths. */
function readName(id: unknown, { place, problems, ids }: Spot): string | undefined {
  if (id === undefined) return undefined
  const at = [...place, "id"]
  if (typeof id !== "string" || !/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(id))
    problems.add(
      "invalid_value",
      at,
      `\`id\` must be letters, digits, _ and -, after a letter, not ${quoteInput(id)}.`,
    )
  else if (ids.has(id))
    problems.add("invalid_value", at, `Two requests of the batch are called ${quoteInput(id)}.`)
  else ids.add(id)
  return typeof id === "string" ? id : undefined
}

function readHeaders(headers: unknown, { place, problems }: Spot): FaceRequest["headers"] {
  if (headers === undefined) return {}
  const at = [...place, "headers"]
  if (!isObject(headers)) {
    problems.add("invalid_value", at, `\`headers\` must be an object, not ${quoteInput(headers)}.`)
    return {}
  }
  const read = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const known = name.toLowerCase()
    if (!headerNames.includes(known))
      problems.add(
        "unknown_parameter",
        [...at, name],
        `A request of a batch has no header ${quoteInput(name)} of its own.`,
        `A request may have ${headerNames.join(", ")}.`,
      )
    else if (typeof value !== "string" || read.has(known))
      problems.add("invalid_value", [...at, name], `\`${name}\` must be given once, as a string.`)
    else read.set(known, value)
  }
  return Object.fromEntries(read)
}
