// Turns the answer of a write into a response: a status, the record or nothing of it, its address and its version.

import type { Code } from "../../base/codes.ts"
import { present } from "../../base/invariant.ts"
import { type Json, type JsonText, sizeOf, textOf } from "../../base/json.ts"
import { type Problem, Refusal } from "../../base/problem.ts"
import { json } from "../../http/accept.ts"
import type { AnswerHeader } from "../../http/answer.ts"
import type { JsonResponse } from "../../http/face.ts"
import { replayedHeader } from "../../http/idempotency.ts"
import type { Resource } from "../../model/model.ts"
import { targetOf } from "../../plan/lookup.ts"
import { notFoundText } from "../../plan/not-found.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import type { Answer } from "../../plan/read-plan.ts"
import { createsByPut, isBulk, isCreation } from "../http/allowed-methods.ts"
import { membersOf } from "../http/json-text.ts"
import { missingRecord } from "../http/not-found.ts"
import type { WriteContext } from "../question/request-context.ts"
import type { Serving } from "./context.ts"
import { formOf, writtenResource } from "./write-plan.ts"

/** The answer's step of this number, as a response; the number is 0 unless the request is a batch. */
export function writtenResponse(
  { base, context, entityTag }: Pick<Serving, "base" | "context" | "entityTag">,
  asked: WriteContext,
  answer: Answer,
  index: number,
): JsonResponse {
  const { route, preferences } = asked
  const form = formOf(asked)
  const root = present(answer.roots[index], "what was written can be read")
  const headers: Partial<Record<AnswerHeader, string>> = { "cache-control": "no-store" }
  const applied = appliedPreferences(asked)
  if (applied !== "") headers["preference-applied"] = applied
  if (answer.replayed) headers[replayedHeader] = "true"
  const made = isMade(asked, answer.created?.[index])
  if (form === "record") {
    const version = answer.versions?.[index]
    if (made) headers["location"] = addressOf(base, writtenResource(context.model, route), root)
    // Without a body there are no bytes to tell apart: the tag is what `If-Match` compares.
    if (!preferences.minimal) headers["etag"] = entityTag(root, version)
    else if (version !== undefined && version !== null) headers["etag"] = `"${version}"`
  }
  const empty = form === "nothing" || preferences.minimal
  const body = empty ? "" : root
  if (!empty) headers["content-type"] = json.contentType
  if (!empty || made) headers["content-length"] = String(sizeOf(body))
  return { status: made ? 201 : empty ? 204 : 200, headers, body }
}

/** @param created whether a PUT made the record */
function isMade({ route, conditions }: WriteContext, created: boolean | undefined): boolean {
  if (isCreation(route.kind)) return true
  return route.kind === "replace" && (conditions.absent || created === true)
}

function appliedPreferences(asked: WriteContext): string {
  const { route, preferences } = asked
  if (!preferences.minimal && preferences.maxAffected === undefined) return ""
  return [
    ...(preferences.minimal && formOf(asked) !== "nothing" ? ["return=minimal"] : []),
    ...(isBulk(route.kind) && preferences.maxAffected !== undefined
      ? [`max-affected=${preferences.maxAffected}`]
      : []),
  ].join(", ")
}

function addressOf(base: string, resource: Resource, record: Json): string {
  const id = idOf(textOf(record))
  return `${base}/${resource.path}/${encodeURIComponent(id)}`
}

const idFirst = '{"id":"'

function idOf(record: JsonText): string {
  const start = idFirst.length
  const end = record.startsWith(idFirst) ? record.indexOf('"', start) : -1
  const first = record.slice(start, end)
  if (end >= 0 && !first.includes("\\")) return first
  return JSON.parse(present(membersOf(record).get("id"), "a record has an id")) as string
}

/** The refusal of a write in the words of its address, which the engine does not know. */
export function refusedWrite(
  asked: WriteContext,
  { problems, cause }: Refusal,
  context: Serving["context"],
): Refusal {
  const [first, ...rest] = problems
  const mend = (problem: Problem): Problem => mendProblem(asked, problem, context)
  return new Refusal([mend(first), ...rest.map(mend)], { cause })
}

const isEarlier = ({ route, earlier }: WriteContext): boolean =>
  "address" in route && route.address.kind === "id" && earlier?.has(route.address.text) === true

/** Wrong with the record as it is, and with nothing in the request. */
const aboutTheState: ReadonlySet<Code> = new Set(["illegal_transition", "condition_not_met"])

function mendProblem(asked: WriteContext, problem: Problem, { model }: Serving["context"]): Problem {
  const { route, conditions, place, question } = asked
  const at = problem.place ?? []
  const index = at.at(-1)
  // There is no place within a parameter for which of the ids it is.
  if (route.kind === "fireMany" && question.ids && typeof index === "number") {
    const isNamed = problem.code === "not_found"
    const message = isNamed ? problem.message : `${question.ids[index]}: ${problem.message}`
    return { ...problem, message, place: at.slice(0, -1) }
  }
  if (problem.code === "already_exists" && conditions.absent)
    return {
      ...problem,
      code: "stale_version",
      hint: "Leave If-None-Match out to change the one that is there.",
      place: ["If-None-Match"],
    }
  if (!("address" in route)) return problem
  const own = at.length <= place.length || at.at(-1) === "path"
  if (aboutTheState.has(problem.code) && own) {
    const { place: _, ...others } = problem
    return others
  }
  if (problem.code === "not_found" && own) {
    // The record was made by the same batch, and is gone with it.
    if (conditions.match && isEarlier(asked))
      return { code: "stale_version", message: "The record is of another version.", place: ["If-Match"] }
    const [missing] = missingRecord(route.resource, route.address).problems
    // Without the condition the record would have been made (RFC 9110 section 13.2.1).
    if (
      conditions.exists &&
      route.kind === "replace" &&
      createsByPut(model, route.resource, route.address.kind)
    )
      return { code: "stale_version", message: missing.message, hint: "Leave If-Match out to create it." }
    return missing
  }
  if (problem.code === "missing_reference" && (route.kind === "link" || route.kind === "unlink")) {
    const target = targetOf(model, route.resource, route.relation.name)
    return { code: "not_found", message: notFoundText(target.name, ` ${quoteInput(route.other)}`) }
  }
  return problem
}
