// POST /batch: several requests as one, done together or not at all.
import { present } from "../../base/invariant.ts"
import { type Json, joinJson, sizeOf } from "../../base/json.ts"
import { type Place, type Problem, Refusal, refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import { json } from "../../http/accept.ts"
import type { FaceResponse, JsonResponse } from "../../http/face.ts"
import { replayedHeader } from "../../http/idempotency.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { type Draft, startDraft } from "../../plan/draft/draft.ts"
import type { PendingKey } from "../../plan/pending-key.ts"
import type { Answer, RecordRoot } from "../../plan/read-plan.ts"
import type { Step } from "../../plan/write-plan.ts"
import { readConditions } from "../http/conditions.ts"
import { findServed } from "../http/hidden-routes.ts"
import { enveloped } from "../http/respond.ts"
import { isRead, type Route } from "../http/route.ts"
import { refuseParameters } from "../question/parameters.ts"
import { withNulls } from "../question/problem.ts"
import { inBody, type ReadContext, type WriteContext } from "../question/request-context.ts"
import { structureOf } from "../question/rest-query.ts"
import { planRead, planRoot } from "../read/plan.ts"
import { readWriteQuestion } from "../read/query-cache.ts"
import { type BatchRequest, readBatch } from "./batch-body.ts"
import { resolveReferences, unknownReference } from "./batch-references.ts"
import { type AskedCall, calledResponse, planCall } from "./call.ts"
import type { Serving } from "./context.ts"
import { refusedWrite, writtenResponse } from "./write-answer.ts"
import { planStep } from "./write-plan.ts"
import { needlessBody, readWrite, takesBody } from "./write-request.ts"

export async function answerBatch(
  serving: Serving,
  asked: unknown,
  { actor, request }: { readonly actor: Actor; readonly request: Request | undefined },
): Promise<FaceResponse> {
  const requests = readBatch(serving.context.model.limits, asked)
  const draft = startDraft(serving.context)
  const earlier = new Map<string, PendingKey>()
  const planned = requests.map((request, index) =>
    placed(draft, index, (own) => planRequest(serving, own, { request, index, earlier })),
  )
  const plan = draft.finishWrite(planned.map(({ step }) => ({ ...step, nulls: true })))
  const answer = await answerPlaced(serving, planned, serving.answer(plan, actor, request))
  const responses = planned.map((step, index) => respond(serving, step, { answer, index }))
  const texts = responses.map((response, index) => responseText(requests[index], response))
  const all = joinJson([
    '{"responses":[',
    ...texts.flatMap((text, index) => (index === 0 ? [text] : [",", text])),
    "]}",
  ])
  const { json: body, headers: told, ...fault } = withNulls(all, answer, { envelope: true, written: true })
  return {
    status: 200,
    headers: {
      "cache-control": "no-store",
      "content-type": json.contentType,
      "content-length": String(sizeOf(body)),
      ...told,
      ...(answer.replayed ? { [replayedHeader]: "true" } : {}),
    },
    body,
    ...fault,
  }
}

interface Planned {
  readonly step: Step
  readonly asked: ReadContext | WriteContext | AskedCall
}

const isCall = (asked: Planned["asked"]): asked is AskedCall => asked.route.kind === "call"
const isWrite = (asked: Planned["asked"]): asked is WriteContext => "input" in asked && !isCall(asked)

interface Placed {
  readonly request: BatchRequest
  readonly index: number
  /** Records of earlier requests, as paths call them: `$c.id`. This request adds its own. */
  readonly earlier: Map<string, PendingKey>
}

function planRequest(serving: Serving, draft: Draft, { request, index, earlier }: Placed): Planned {
  const { method, path, query, headers, body } = request
  const known = new Map(earlier)
  const { model } = draft
  const { route } = findServed(model, serving.addresses, request)
  if (!route || route.kind === "batch" || route.kind === "description" || method === "HEAD")
    throw refusal("method_not_allowed", `${method} ${path} is not served within a batch.`, {
      place: ["method"],
    })
  refuseUnknown(route, known, placeOf(index, "path"))
  if (isRead(route)) {
    if (method !== "GET" || body !== undefined)
      throw refusal("invalid_value", "Within a batch, records are read by GET and without a body.")
    const question = planRead(route, query)
    const asked: ReadContext = { route, question, structure: structureOf(question), earlier: known }
    const root = planRoot({ model, problems: draft.problems, ask: ({ read }) => read(draft, asked) }, asked)
    draft.problems.settle()
    if (root.kind !== "record") return { step: { writes: [], answer: root, reads: "after" }, asked }
    const toOne = route.kind === "related" && route.relation.kind === "one"
    const answer: RecordRoot = toOne ? { ...root, required: true } : root
    return { step: { writes: [locate(draft, root, index)], answer, reads: "after" }, asked }
  }
  const place = placeOf(index, "body")
  if (route.kind === "call") {
    refuseParameters(query, "The input of an operation belongs in the body.")
    const conditions = readConditions(headers)
    const asked: AskedCall = {
      route,
      input: body,
      at: placeOf(index, "path"),
      place,
      conditions,
      earlier: known,
    }
    const step = planCall({ problems: draft.problems, ask: ({ read }) => read(draft, asked) }, asked)
    return { step, asked }
  }
  if (body !== undefined && !takesBody(route)) throw needlessBody(method, place)
  const input = resolveReferences(draft, route, { input: body, place, earlier: known })
  const read = readWriteQuestion(route, query)
  const asked: WriteContext = { ...readWrite(route, { model, read, headers, input, place }), earlier: known }
  const { step, record } = planStep(
    { model, problems: draft.problems, ask: ({ read }) => read(draft, asked) },
    asked,
  )
  if (request.id !== undefined && record) earlier.set(`$${request.id}.id`, record)
  return { step, asked }
}

/** `$c.id` where no earlier request makes a record that is called so; an id like that has its prefix. */
function refuseUnknown(route: Route, earlier: Placed["earlier"], place: Place): void {
  const texts = [
    ...("address" in route && route.address?.kind === "id" ? [route.address.text] : []),
    ...("other" in route ? [route.other] : []),
  ]
  for (const text of texts) {
    if (earlier.has(text) || !/^\$[^.]+\.id$/.test(text)) continue
    const { message, hint } = unknownReference(text.slice(1), earlier)
    throw refusal("invalid_value", message, { hint, place })
  }
}

/** An absent record fails the batch, as an absent target of a to-one relation does: steps that depend on it do not run. */
function locate(draft: Draft, { resource, by }: RecordRoot, index: number): Step["writes"][number] {
  return { kind: "locate", resource, place: placeOf(index, "path"), target: { by }, into: draft.pending() }
}

const placeOf = (index: number, member: string): Place => [inBody, "requests", index, member]

/** Mistakes outside of a request's body have the place of its path or headers. */
function placed<Result>(draft: Draft, index: number, plan: (own: Draft) => Result): Result {
  const { problems } = draft
  const own: Draft = {
    ...draft,
    problems: {
      ...problems,
      add: (code, place, ...words) => problems.add(code, inBatch(place, index), ...words),
    },
  }
  try {
    return plan(own)
  } catch (error) {
    throw error instanceof Refusal ? relocated(error, index) : error
  }
}

function relocated({ problems, cause }: Refusal, index: number): Refusal {
  const [first, ...rest] = problems
  const mend = (problem: Problem): Problem => ({ ...problem, place: inBatch(problem.place, index) })
  return new Refusal([mend(first), ...rest.map(mend)], { cause })
}

const inBatch = (place: Place = [], index: number): Place =>
  place[0] === inBody ? place : placeOf(index, memberOf(place))

function memberOf([first]: Place): string {
  if (first === "If-Match" || first === "If-None-Match" || first === "Prefer") return "headers"
  return first === "method" ? "method" : "path"
}

/** Rewords refusals of the engine for the request that they are about. */
async function answerPlaced(
  { context }: Serving,
  planned: readonly Planned[],
  answered: Promise<Answer>,
): Promise<Answer> {
  try {
    return await answered
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const index = error.problems[0].place?.[2]
    const asked = typeof index === "number" ? planned[index]?.asked : undefined
    if (!asked || typeof index !== "number") throw error
    if (isCall(asked)) throw relocated(error, index)
    if (!isWrite(asked)) throw error
    throw relocated(refusedWrite(asked, error, context), index)
  }
}

function respond(
  serving: Serving,
  { asked }: Planned,
  { answer, index }: { readonly answer: Answer; readonly index: number },
): JsonResponse {
  if (isCall(asked)) return calledResponse(asked.route, answer, index)
  if (isWrite(asked)) return writtenResponse(serving, asked, answer, index)
  const body = enveloped(asked.route, present(answer.roots[index], "what is not there refuses the batch"))
  if (asked.route.kind === "transitions") return { status: 200, headers: {}, body }
  const version = answer.versions?.[index]
  return { status: 200, headers: { etag: serving.entityTag(body, version) }, body }
}

/** Headers that say something within a batch. */
const told = ["etag", "location", "preference-applied"]

function responseText(request: BatchRequest | undefined, { status, headers, body }: JsonResponse): Json {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => told.includes(name)))
  const head = JSON.stringify({
    ...(request?.id === undefined ? {} : { id: request.id }),
    status,
    headers: kept,
  })
  return body.length === 0 ? head : joinJson([head.slice(0, -1), ',"body":', body, "}"])
}
