// PATCH bodies that change a record relative to its present members. They are JSON Patch (RFC 6902), and merge patches
// (RFC 7396) that reach into a json value.

import { isDeepStrictEqual } from "node:util"
import { type Place, type Problem, refusal } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import { isObject } from "../../plan/pending-key.ts"
import { jsonPatch, mergePatch } from "../http/media.ts"
import { inBody, type WriteContext } from "../question/request-context.ts"
import { applyPatch, readPatch } from "./json-patch.ts"

type JsonObject = Readonly<Record<string, unknown>>

export interface Change {
  /** The input of the update, from the record's scalar members as they are. Throws a Refusal when it cannot be. */
  inputFor(record: JsonObject): unknown
  /** A mistake in that input, where it stands in the request's body. */
  relocate(problem: Problem): Problem
}

/** Undefined when the body is the input of the update itself. Throws a Refusal when the body is no such patch. */
export function changeOf({ route, input }: WriteContext, type: string): Change | undefined {
  if (type === jsonPatch) {
    const operations = readPatch(input, [inBody])
    return {
      inputFor: (record) => difference(record, applyPatch(record, operations, [inBody])),
      relocate: (problem) => ({ ...problem, place: operationAt(operations, problem.place ?? []) }),
    }
  }
  if (type !== mergePatch || !isObject(input)) return undefined
  const reaching = Object.keys(input).filter((name) => isJson(route.resource, name) && isObject(input[name]))
  if (reaching.length === 0) return undefined
  if (route.kind === "updateMany")
    throw refusal("invalid_value", `\`${reaching[0]}\` cannot be merged into many records at once.`, {
      hint: "Send application/json to give all of them the same value.",
      place: [inBody, reaching[0] ?? ""],
    })
  return {
    inputFor: (record) =>
      Object.fromEntries(
        Object.entries(input).map(([name, value]) => [
          name,
          reaching.includes(name) ? merged(record[name], value) : value,
        ]),
      ),
    relocate: (problem) => problem,
  }
}

function isJson({ fields }: Resource, name: string): boolean {
  const field = fields.get(name)
  return field?.scalar === "json" && !field.list
}

/** RFC 7396 section 2. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const members = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, merged(members.get(name), value))
  }
  return Object.fromEntries(members)
}

/** The members that differ; removed ones are null. */
function difference(before: JsonObject, after: JsonObject): JsonObject {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  const changed = Object.entries(after).filter(
    ([name, value]) => !Object.hasOwn(before, name) || !isDeepStrictEqual(before[name], value),
  )
  return Object.fromEntries([...changed, ...gone.map((name): [string, unknown] => [name, null])])
}

/** The last operation that changes the member at the place. */
function operationAt(operations: ReturnType<typeof readPatch>, place: Place): Place {
  const [root, member] = place
  if (root !== inBody || member === undefined) return place
  const index = operations.findLastIndex(
    ({ op, path, from }) =>
      op !== "test" && [path, op === "move" ? from : undefined].some((tokens) => tokens?.[0] === member),
  )
  return index < 0 ? [inBody] : [inBody, index]
}
