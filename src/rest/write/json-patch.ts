// JSON Patch (RFC 6902): its operations read from a body, and applied to a record. rfc6902 carries operations out;
// this file checks that their pointers name existing members, by own names and by whole numbers.

import { applyPatch as applyOperations, type Operation as GivenOperation } from "rfc6902"
import { collectProblems, type Place, type Problems, type Refusal, refusal } from "../../base/problem.ts"
import { isObject } from "../../plan/pending-key.ts"
import { quoteInput } from "../../plan/quote-input.ts"

const names = ["add", "remove", "replace", "move", "copy", "test"] as const

export interface Operation {
  readonly op: (typeof names)[number]
  /** The pointer's parts. */
  readonly path: readonly string[]
  readonly from?: readonly string[]
  readonly value?: unknown
}

const mostOperations = 100

/** Throws a Refusal with every mistake in the document. */
export function readPatch(body: unknown, place: Place): readonly Operation[] {
  if (!Array.isArray(body))
    throw refusal("invalid_value", `A JSON Patch is a list of operations, not ${quoteInput(body)}.`, {
      hint: 'Send a list such as [{"op": "replace", "path": "/note", "value": "…"}].',
      place,
    })
  if (body.length > mostOperations)
    throw refusal(
      "too_large",
      `There are ${body.length} operations; at most ${mostOperations} are applied.`,
      {
        place,
      },
    )
  const problems = collectProblems()
  const operations = body.map((item, index) => readOperation(item, [...place, index], problems))
  problems.settle()
  return operations
}

function readOperation(item: unknown, place: Place, problems: Problems): Operation {
  const given = isObject(item) ? item : {}
  const op = names.find((name) => name === given["op"]) ?? "test"
  if (given["op"] !== op)
    problems.add("invalid_value", [...place, "op"], `\`op\` must be one of ${names.join(", ")}.`)
  const pointer = (name: "path" | "from"): readonly string[] => {
    const text = given[name]
    if (typeof text === "string" && /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)) return tokensOf(text)
    const message = `\`${name}\` must be a JSON Pointer such as "/note", not ${quoteInput(text)}.`
    problems.add("invalid_value", [...place, name], message)
    return []
  }
  const wantsValue = given["op"] === op && (op === "add" || op === "replace" || op === "test")
  if (wantsValue && !Object.hasOwn(given, "value"))
    problems.add("invalid_value", [...place, "value"], `\`value\` must be given to ${op}.`)
  return {
    op,
    path: pointer("path"),
    ...(op === "move" || op === "copy" ? { from: pointer("from") } : {}),
    ...(wantsValue ? { value: given["value"] } : {}),
  }
}

const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))

type JsonObject = Readonly<Record<string, unknown>>

/** Characters of JSON that copying may add to a record: copies of copies double it. */
const mostGrowth = 1_000_000

/** The record after all operations; throws a Refusal that names the one that cannot be done. */
export function applyPatch(record: JsonObject, operations: readonly Operation[], place: Place): JsonObject {
  // One level deeper, so that the whole record is a member that can be replaced as well.
  const around = { record: structuredClone(record) as unknown }
  const most = mostGrowth + JSON.stringify(record).length
  for (const [index, operation] of operations.entries()) {
    const at = [...place, index]
    refuseMissing(around.record, operation, at)
    const [error] = applyOperations(around, [libraryOperation(operation)])
    if (error) throw cannotApply(operation, at)
    if (operation.op === "copy" && JSON.stringify(around).length > most)
      throw refusal("too_large", "The record would become too large by copying.", { place: at })
  }
  if (isObject(around.record)) return around.record
  throw refusal("invalid_value", `A record is an object, not ${quoteInput(around.record)}.`, { place })
}

/** Pointers lead along own members and list positions; only the last step may be new. */
function refuseMissing(record: unknown, { op, path, from }: Operation, at: Place): void {
  if (from && !reaches(record, from)) throw missing(from, [...at, "from"])
  const last = path.at(-1)
  if (op !== "add" && op !== "move" && op !== "copy") {
    if (!reaches(record, path)) throw missing(path, [...at, "path"])
    return
  }
  if (last === undefined) return
  const parent = follow(record, path.slice(0, -1))
  const list = Array.isArray(parent?.value)
  const fits = list ? last === "-" || isPosition(last) : isObject(parent?.value) && !isSpecial(last)
  if (!fits) throw missing(path, [...at, "path"])
}

const reaches = (record: unknown, tokens: readonly string[]): boolean => follow(record, tokens) !== undefined

function follow(record: unknown, tokens: readonly string[]): { readonly value: unknown } | undefined {
  let value = record
  for (const token of tokens) {
    const known = Array.isArray(value) ? isPosition(token) : isObject(value) && !isSpecial(token)
    if (!known || !Object.hasOwn(value as object, token)) return undefined
    value = (value as JsonObject)[token]
  }
  return { value }
}

const isPosition = (token: string): boolean => /^(?:0|[1-9][0-9]{0,8})$/.test(token)

/** Names that objects of JavaScript have of themselves. */
const isSpecial = (token: string): boolean => ["__proto__", "constructor", "prototype"].includes(token)

function missing(tokens: readonly string[], place: Place): Refusal {
  return refusal("patch_failed", `The record has nothing at ${quoteInput(pointerOf(tokens))}.`, {
    hint: "Read the record as it is now: a patch is about all of its fields.",
    place,
  })
}

function cannotApply({ op, path }: Operation, place: Place): Refusal {
  const where = quoteInput(pointerOf(path))
  return op === "test"
    ? refusal("patch_failed", `The record's value at ${where} differs from the test's.`, {
        hint: "Read the record as it is now, and make the patch anew.",
        place,
      })
    : refusal("patch_failed", `The ${op} at ${where} cannot be done to the record as it is.`, { place })
}

const pointerOf = (tokens: readonly string[]): string =>
  tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

function libraryOperation({ op, path, from, value }: Operation): GivenOperation {
  const within = (tokens: readonly string[]): string => `/record${pointerOf(tokens)}`
  return { op, path: within(path), ...(from && { from: within(from) }), value } as GivenOperation
}
