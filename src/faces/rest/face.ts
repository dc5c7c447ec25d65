// The REST face: a request -> its route -> the question -> a Plan -> the answer -> a response.
import { invariant } from "../../base/invariant.ts"
import { type Json, joinJson, textOf } from "../../base/json.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type { PlanContext } from "../../plan/draft.ts"
import { csv, json, type MediaType, ndjson, negotiate } from "../accept.ts"
import type { AnswerPlan, Face, FaceRequest, FaceResponse } from "../exchange.ts"
import type { Asked, ReadRoute } from "./asked.ts"
import { refuseParameters } from "./parameters.ts"
import { createRestShapes, missingNode, missingRecord, planRoute, type RestShapes } from "./plan.ts"
import { flawedAnswer, locateInJson, locateInQuery, problemResponse } from "./problem.ts"
import { createQuestions, type Questions } from "./questions.ts"
import { csvColumns, refuseEnvelope, toCsv, toNdjson } from "./records.ts"
import { pageCursors, pageLinks, representationResponse, withoutBody } from "./respond.ts"
import { type Addresses, allowedMethods, createAddresses, findRoutes, routeFor } from "./route.ts"

export interface RestOptions extends PlanContext {
  readonly answer: AnswerPlan
  /** The path that the face's own paths are below, without a slash at the end; the empty one when absent. */
  readonly base?: string
}

export function restFace(options: RestOptions): Face {
  const service: Service = {
    context: { model: options.model, cursors: options.cursors },
    answer: options.answer,
    base: options.base ?? "",
    description: describeOnce(options),
    addresses: createAddresses(options.model),
    questions: createQuestions(),
    shapes: createRestShapes(),
  }
  return (request) =>
    request.method === "HEAD" ? respond(service, request).then(withoutBody) : respond(service, request)
}

interface Service {
  readonly context: PlanContext
  readonly answer: AnswerPlan
  readonly base: string
  readonly description: () => Promise<string>
  readonly addresses: Addresses
  readonly questions: Questions
  readonly shapes: RestShapes
}

function describeOnce({ model, base = "" }: RestOptions): () => Promise<string> {
  let text: Promise<string> | undefined
  const describe = async (): Promise<string> => {
    const { openapi } = await import("./openapi.ts")
    return JSON.stringify(openapi(model, { base }))
  }
  return () => (text ??= describe())
}

async function respond(service: Service, request: FaceRequest): Promise<FaceResponse> {
  try {
    if (request.refused) throw request.refused
    const routes = findRoutes(service.addresses, request.path)
    const route = routeFor(routes, request.method)
    if (!route) return otherMethod(request, allowedMethods(routes))
    return await (route.kind === "openapi" ? describe(service, request) : read(service, route, request))
  } catch (error) {
    return fault(request, error)
  }
}

async function read(service: Service, route: ReadRoute, request: FaceRequest): Promise<FaceResponse> {
  const list = isList(route)
  const type = chooseType(request, list ? [json, csv, ndjson] : [json])
  if (request.method === "POST") requireJson(request)
  const counted = list && type === json && prefersCount(request.headers.prefer)
  const asked = service.questions(route, request)
  const plan = planRoute(service.context, service.shapes, counted ? withTotal(asked) : asked)
  if (type !== json) refuseEnvelope(plan, type)
  const columns = type === csv ? csvColumns(plan) : []
  const answer = await service.answer(plan)
  const [root = null] = answer.roots
  if (root === null || isNull(root)) throw missing(route, root)
  const found = route.kind === "nodes" ? joinJson([`{"data":`, root, "}"]) : root
  if (answer.flawed) throw flawedAnswer(textOf(found))
  const link =
    list && request.method !== "POST"
      ? pageLinks({ path: service.base + request.path, query: request.query }, pageCursors(found))
      : undefined
  const body =
    type === csv ? await toCsv(textOf(found), columns) : type === ndjson ? toNdjson(textOf(found)) : found
  return representationResponse(request, {
    type,
    body,
    headers: {
      ...(link === undefined ? {} : { link }),
      ...(counted ? { "preference-applied": "count=exact" } : {}),
    },
  })
}

function withTotal({ route, question, structure }: Asked): Asked {
  return { route, question: { ...question, total: true }, structure: `${structure}, counted` }
}

async function describe(service: Service, request: FaceRequest): Promise<FaceResponse> {
  const type = chooseType(request, [json])
  refuseParameters(request.query, "The description is one document.")
  return representationResponse(request, { type, body: await service.description() })
}

function isList(route: ReadRoute): boolean {
  return route.kind === "list" || (route.kind === "related" && route.relation.kind === "many")
}

function chooseType({ headers }: FaceRequest, offers: readonly MediaType[]): MediaType {
  const chosen = negotiate(headers.accept, offers)
  if (chosen) return chosen
  const names = offers.map(({ name }) => name).join(", ")
  throw refusal("not_acceptable", "None of the media types in Accept is available.", {
    hint: `Available: ${names}.`,
  })
}

function requireJson({ headers }: FaceRequest): void {
  const [name = "", ...parameters] = (headers["content-type"] ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "")
  if (name === "application/json" && (charset === undefined || charset === "utf-8" || charset === "utf8"))
    return
  throw refusal("unsupported_media_type", "The body of a query is JSON in UTF-8.", {
    hint: "Send Content-Type: application/json.",
  })
}

/** RFC 7240; preferences that are not known are ignored, as its section 2 says. */
function prefersCount(prefer: string | undefined): boolean {
  const preferences = (prefer ?? "").split(",").map((part) => part.split(";", 1)[0] ?? "")
  return preferences.some((part) => /^\s*count\s*=\s*"?exact"?\s*$/i.test(part))
}

const isNull = (json: Json): boolean => json.length === 4 && textOf(json) === "null"

function missing(route: ReadRoute, text: Json | null): Refusal {
  if (route.kind === "node") return missingNode(route.id)
  if (route.kind === "related" && text !== null)
    return refusal("not_found", `This ${route.resource.name} has no ${route.relation.name}.`)
  invariant(route.kind === "record" || route.kind === "related", "a list has an answer")
  return missingRecord(route.resource, route.address)
}

function methodRefusal({ method }: FaceRequest, allow: string): Refusal {
  return refusal("method_not_allowed", `${method} is not served here.`, { hint: `Allowed: ${allow}.` })
}

function otherMethod(request: FaceRequest, allow: string): FaceResponse {
  if (request.method === "OPTIONS") return { status: 204, headers: { allow }, body: "" }
  return withAllow(fault(request, methodRefusal(request, allow)), allow)
}

function withAllow(response: FaceResponse, allow: string): FaceResponse {
  return { ...response, headers: { ...response.headers, allow } }
}

/** A Refusal is told; anything else is our own fault, and the client learns only that there is one. */
function fault(request: FaceRequest, error: unknown): FaceResponse {
  const { requestId } = request
  const locate =
    request.method === "POST" && request.query === "" ? locateInJson : locateInQuery(request.query)
  if (error instanceof Refusal) return problemResponse(error, { requestId, locate })
  const hidden = refusal("internal", "Something went wrong inside the service.", {
    hint: "Quote the requestId when you report it.",
  })
  return { ...problemResponse(hidden, { requestId, locate }), fault: error }
}
