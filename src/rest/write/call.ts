// Own operations by REST: a request becomes a step of a WritePlan, what the code gave becomes the response.

import { present } from "../../base/invariant.ts"
import { sizeOf } from "../../base/json.ts"
import { type Problem, refusal } from "../../base/problem.ts"
import { json } from "../../http/accept.ts"
import type { FaceRequest, FaceResponse, JsonResponse } from "../../http/face.ts"
import { replayedHeader, withIdempotency } from "../../http/idempotency.ts"
import { parseStrict } from "../../http/strict-json.ts"
import { type Draft, startDraft } from "../../plan/draft/draft.ts"
import { createShapes, type Shapes } from "../../plan/draft/plan-cache.ts"
import type { PendingKey } from "../../plan/pending-key.ts"
import type { Answer, RecordRoot } from "../../plan/read-plan.ts"
import { type CallEffect, callKey, readAction, readOperation } from "../../plan/write/write-call.ts"
import type { Step } from "../../plan/write-plan.ts"
import { type Conditions, readConditions } from "../http/conditions.ts"
import { bodyTypes, requireMediaType } from "../http/media.ts"
import { missingRecord } from "../http/not-found.ts"
import type { CallRoute } from "../http/route.ts"
import { findAddress } from "../question/address.ts"
import { decodeUtf8 } from "../question/body.ts"
import { refuseParameters } from "../question/parameters.ts"
import { inBody, type Selecting } from "../question/request-context.ts"
import { addressKey } from "../read/plan.ts"
import type { Serving } from "./context.ts"
import { versionPlaces } from "./write-plan.ts"
import { decisive } from "./write-request.ts"

export interface AskedCall {
  readonly route: CallRoute
  /** The body, as JSON.parse gives it; undefined without a body. */
  readonly input: unknown
  /** Where the call stands, and where its body does. */
  readonly at: Problem["place"] & {}
  readonly place: Problem["place"] & {}
  readonly conditions: Conditions
  /** For a batch, as for other requests. */
  readonly earlier?: ReadonlyMap<string, PendingKey>
}

export type Call = (route: CallRoute, request: FaceRequest) => Promise<FaceResponse>

export function createCall(serving: Serving): Call {
  const shapes: Shapes<AskedCall, readonly Step[]> = createShapes(serving.cache)
  const planned = (asked: AskedCall) => {
    const draft = startDraft(serving.context)
    const known = shapes.find(draft, asked)
    if (known) return draft.finishWrite(known)
    const fresh = startDraft(serving.context)
    const steps = shapes.plan(fresh, asked, (ask) => [planCall({ problems: fresh.problems, ask }, asked)])
    return fresh.finishWrite(steps)
  }
  return async (route, request) => {
    refuseParameters(request.query, "The input of an operation belongs in the body.")
    const { actor, headers } = request
    const input = readCallBody(request)
    const asked: AskedCall = {
      route,
      input,
      at: ["path"],
      place: [inBody],
      conditions: readConditions(headers),
    }
    const inner = withIdempotency(request, () => decisive(request))
    return calledResponse(route, await serving.answer(planned(asked), actor, inner), 0)
  }
}

/** Undefined without a body. */
function readCallBody({ headers, body }: FaceRequest): unknown {
  if (body.length === 0) return undefined
  requireMediaType(headers, bodyTypes("call"), "The body is JSON in UTF-8, and its media type says so.")
  const parsed = parseStrict(decodeUtf8(body))
  if ("value" in parsed) return parsed.value
  throw refusal("malformed_request", `The body is not JSON: ${parsed.fault}`, { place: [inBody] })
}

/** Throws a Refusal when there is a mistake. */
export function planCall({ ask, problems }: Pick<Selecting, "problems"> & AskOf, asked: AskedCall): Step {
  ask({ read: (_, request) => request, keyOf: routeKey })
  const effect = ask({ read: readCall, keyOf: callKey })
  problems.settle()
  const { writes, call } = present(effect, "a call that cannot be read has a problem")
  const { action } = asked.route
  const gives = [...action.output.keys()].map((name) => ({ kind: "output", key: name, name }) as const)
  const answer = { kind: "constant", key: "call", json: "null" } as const
  return { writes, answer, reads: "after", call: { ...call, gives }, nulls: true }
}

interface AskOf {
  readonly ask: Parameters<Parameters<Shapes<AskedCall, unknown>["plan"]>[2]>[0]
}

const routeKey = ({ route, conditions }: AskedCall): string =>
  [
    route.action.name,
    ...(route.resource ? [route.resource.name, addressKey(route.address)] : []),
    conditions.absent,
  ].join(" ")

function readCall(draft: Draft, asked: AskedCall): CallEffect | undefined {
  const { route, conditions, at, place, input } = asked
  if (conditions.absent)
    draft.problems.add("stale_version", ["If-None-Match"], "If-None-Match: * asks for no record to be there.")
  const given = { input: input ?? {}, place, at, places: versionPlaces(place) }
  if (!route.resource) return readOperation(draft, route.action, given)
  const { resource, action } = route
  const { match } = conditions
  return readAction(draft, resource, action, {
    ...given,
    by: recordOf(draft, asked),
    ...(match && { match }),
  })
}

function recordOf(draft: Draft, { route, earlier, at }: AskedCall): RecordRoot["by"] {
  const { resource, address } = present(route.resource && route, "an action is on a record")
  const read = { kind: "record", resource, address } as const
  const found = findAddress(draft, { route: read, ...(earlier && { earlier }) })
  if (found !== "missing") return found
  const [problem] = missingRecord(resource, address).problems
  draft.problems.add(problem.code, at, problem.message, problem.hint)
  return [{ subject: { kind: "id" }, slot: draft.pending().slot }]
}

/** The answer's step of this number, as a response; the number is 0 unless the request is a batch. */
export function calledResponse({ action }: CallRoute, answer: Answer, index: number): JsonResponse {
  const empty = action.output.size === 0
  const body = empty ? "" : present(answer.roots[index], "what was called has an answer")
  return {
    status: empty ? 204 : 200,
    headers: {
      "cache-control": "no-store",
      ...(answer.replayed ? { [replayedHeader]: "true" } : {}),
      ...(empty ? {} : { "content-type": json.contentType, "content-length": String(sizeOf(body)) }),
    },
    body,
  }
}
