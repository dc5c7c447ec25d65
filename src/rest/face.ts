// The REST face: a request -> its route -> the question -> a Plan -> the answer -> a response.
import { RequestCache } from "../base/caches.ts"
import { invariant } from "../base/invariant.ts"
import { isText, type Json, type JsonValue, joinJson, sizeOf, textOf } from "../base/json.ts"
import { expectModules, lateModule, lazily } from "../base/lazily.ts"
import { match } from "../base/match.ts"
import { internalRefusal, Refusal, refusal } from "../base/problem.ts"
import { csv, json, type MediaType, ndjson, negotiate } from "../http/accept.ts"
import type { AnswerHeader } from "../http/answer.ts"
import { streamed } from "../http/answer.ts"
import { chargeText, DryRun } from "../http/dry-run.ts"
import { type AnswerPlan, type Face, type FaceRequest, type FaceResponse, faultIn } from "../http/face.ts"
import type { Detail } from "../http/schemas/values.ts"
import { apiName, kebabCase } from "../model/names.ts"
import { explainCharge } from "../plan/cost/points.ts"
import type { PlanContext } from "../plan/draft/draft.ts"
import { createShapes } from "../plan/draft/plan-cache.ts"
import { subjectName } from "../plan/lookup.ts"
import { transitions as transitionsSegment } from "../plan/member.ts"
import { findServed } from "./http/hidden-routes.ts"
import { bodyTypes, requireMediaType } from "./http/media.ts"
import { missingNode, missingRecord } from "./http/not-found.ts"
import { isDryRun, readPreferences } from "./http/preferences.ts"
import { csvColumns, csvForm, csvModule, type Form, ndjsonForm, refuseEnvelope } from "./http/records.ts"
import {
  createEntityTag,
  enveloped,
  isEnveloped,
  pageCursors,
  pageLinks,
  type Representation,
  representationResponse,
} from "./http/respond.ts"
import {
  type Address,
  actionsSegment,
  allowedMethods,
  bulkSegment,
  createAddresses,
  isRead,
  type ReadRoute,
  type Route,
} from "./http/route.ts"
import { readDetail } from "./question/detail.ts"
import { refuseParameters } from "./question/parameters.ts"
import { locateIn, problemResponse, withNulls } from "./question/problem.ts"
import type { RestShapes } from "./read/plan.ts"
import { createPlans, type PlannedRead } from "./read/plan-cache.ts"
import type { Serving } from "./write/context.ts"
import type { Writer } from "./write/write.ts"

interface RestOptions extends PlanContext {
  readonly answer: AnswerPlan
  /** The path that the face's own paths are below, without a slash at the end; the empty one when absent. */
  readonly base?: string
  /** The secret of entity tags: processes that share it give equal ones. */
  readonly secret?: string
  /** The cache of the model's audience; one of its own when absent. */
  readonly cache?: RequestCache
}

export function restFace(options: RestOptions): Face {
  const { answer, base = "", secret, cache = new RequestCache(), ...context } = options
  const shapes: RestShapes = createShapes(cache)
  const service: Serving = {
    context,
    answer,
    base,
    descriptions: {
      openapi: onceEach(async (detail) =>
        (await openapiModule()).openapi(options.model, { base, ...detail }),
      ),
      asyncapi: onceEach(async () => (await asyncapiModule()).asyncapi(options.model, { base })),
    },
    addresses: createAddresses(options.model),
    cache,
    plans: createPlans(context, { shapes, base, cache }),
    shapes,
    entityTag: createEntityTag(secret),
  }
  const writer = writeLazily(service)
  const dry: Serving = {
    ...service,
    answer: async (plan) => {
      throw new DryRun(explainCharge(plan))
    },
  }
  const dryWriter = writeLazily(dry)
  return (request) => {
    return isDryRun(request.headers["prefer"])
      ? respond(dry, request, dryWriter)
      : respond(service, request, writer)
  }
}

const openapiModule = lateModule(() => import("./openapi/openapi.ts"))
const asyncapiModule = lateModule(() => import("./openapi/asyncapi.ts"))
const writeModule = lateModule(() => import("./write/write.ts"))

expectModules(openapiModule, asyncapiModule, writeModule, csvModule)

const writeLazily = (serving: Serving): (() => Promise<Writer>) =>
  lazily(async () => (await writeModule()).createWriter(serving))

/** Made at the first request for this detail. */
function onceEach(make: (detail: Detail) => Promise<JsonValue>): (detail: Detail) => Promise<string> {
  const texts = new Map<string, () => Promise<string>>()
  return (detail) => {
    const name = `${detail.depth} ${detail.purpose}`
    const text = texts.get(name) ?? lazily(async () => JSON.stringify(await make(detail)))
    texts.set(name, text)
    return text()
  }
}

async function respond(
  service: Serving,
  request: FaceRequest,
  writer: () => Promise<Writer>,
): Promise<FaceResponse> {
  let route: Route | undefined
  try {
    if (request.refused) throw request.refused
    const known = isGet(request) ? service.plans.find(request) : undefined
    route = known?.route
    const record = request.inner?.record
    if (record && known) record.route = templateOf(known.route)
    if (known) return await read(service, known.route, request, known)
    const served = findServed(service.context.model, service.addresses, request)
    route = served.route
    if (record && route) record.route = templateOf(route)
    if (!route) return otherMethod(request, allowedMethods(served.routes))
    if (route.kind === "description") return await describe(service, route.of, request)
    if (isRead(route)) return await read(service, route, request)
    chooseType(request, [json])
    const { batch, call, write } = await writer()
    if (route.kind === "call") return await call(route, request)
    return await (route.kind === "batch" ? batch(request) : write(route, request))
  } catch (error) {
    if (error instanceof DryRun) return dryRun(error)
    const refused = fault(request, error)
    return refused.status === 415 && request.method === "PATCH" && route
      ? withHeader(refused, "accept-patch", bodyTypes(route.kind).join(", "))
      : refused
  }
}

/** The price of a request that was not run. */
function dryRun({ charge }: DryRun): FaceResponse {
  const body = `{"cost":${chargeText(charge)}}`
  return {
    status: 200,
    headers: {
      "content-type": json.contentType,
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
      "preference-applied": "dry-run",
    },
    body,
  }
}

const isGet = ({ method }: FaceRequest): boolean => method === "GET" || method === "HEAD"

/** @param known the address's plan, if cached */
async function read(
  service: Serving,
  route: ReadRoute,
  request: FaceRequest,
  known?: PlannedRead,
): Promise<FaceResponse> {
  const list = isList(route)
  const type = chooseType(request, list ? [json, csv, ndjson] : [json])
  if (request.method === "POST")
    requireMediaType(request.headers, [json.name], "The body of a query is JSON in UTF-8.")
  const counted = list && type === json && readPreferences(request.headers["prefer"]).count === true
  const { plan, pages } = known && !counted ? known : service.plans.plan(route, request, counted)
  if (type !== json) refuseEnvelope(plan, type)
  const form = type === csv ? csvForm(csvColumns(plan)) : type === ndjson ? ndjsonForm : undefined
  const answer = await service.answer(plan, request.actor, request.inner)
  const [root = null] = answer.roots
  if (root === null || isNull(root)) throw missing(route, root)
  const told = withNulls(enveloped(route, root), answer, {
    envelope: type === json && (list || isEnveloped(route)),
  })
  const found = told.json
  const link = list && request.method !== "POST" ? pageLinks(pages, pageCursors(found)) : undefined
  const headers: Partial<Record<AnswerHeader, string>> = { ...told.headers }
  if (link !== undefined) headers["link"] = link
  if (counted) headers["preference-applied"] = "count=exact"
  return representationResponse(service.entityTag, request, {
    type,
    ...(form ? await formed(form, found) : { body: found }),
    version: type === json ? answer.versions?.[0] : undefined,
    publicFor: answer.publicFor,
    passing: route.kind === "transitions",
    headers,
  })
}

async function formed(form: Form, list: Json): Promise<Pick<Representation, "body" | "told">> {
  const body = await streamed(list, form.pieces(textOf(list)))
  return { body, told: joinJson([form.label, list]) }
}

async function describe(
  service: Serving,
  of: keyof Serving["descriptions"],
  request: FaceRequest,
): Promise<FaceResponse> {
  const type = chooseType(request, [json])
  if (of === "asyncapi") refuseParameters(request.query, "The description is one document.")
  const detail = readDetail(service.context.model, request.query)
  const body = await service.descriptions[of](detail)
  return { ...representationResponse(service.entityTag, request, { type, body }), isDocument: true }
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

/** The size is asked of bytes only, where it is known. */
const isNull = (json: Json): boolean =>
  isText(json) ? json === "null" : sizeOf(json) === 4 && textOf(json) === "null"

function missing(route: ReadRoute, text: Json | null): Refusal {
  if (route.kind === "node") return missingNode(route.id)
  if (route.kind === "related" && text !== null)
    return refusal("not_found", `This ${apiName(route.resource)} has no ${route.relation.name}.`)
  invariant("address" in route, "a list has an answer")
  return missingRecord(route.resource, route.address)
}

function methodRefusal({ method }: FaceRequest, allow: string): Refusal {
  return refusal("method_not_allowed", `${method} is not served here.`, { hint: `Allowed: ${allow}.` })
}

function otherMethod(request: FaceRequest, allow: string): FaceResponse {
  if (request.method === "OPTIONS") return { status: 204, headers: { allow }, body: "" }
  return withHeader(fault(request, methodRefusal(request, allow)), "allow", allow)
}

function withHeader(response: FaceResponse, name: AnswerHeader, value: string): FaceResponse {
  return { ...response, headers: { ...response.headers, [name]: value } }
}

/** A Refusal is shown to the client; anything else is an internal fault. */
function fault(request: FaceRequest, error: unknown): FaceResponse {
  const { requestId } = request
  const locate = locateIn(request)
  if (error instanceof Refusal) return { ...problemResponse(error, { requestId, locate }), ...faultIn(error) }
  return { ...problemResponse(internalRefusal(), { requestId, locate }), fault: error }
}

// The path of a route with names in the place of values, as in openapi.json: `/orders/{id}`. Only names of the model are in it.
function templateOf(route: Route): string {
  return match(route, {
    description: ({ of }) => `/${of}.json`,
    batch: () => "/batch",
    viewer: () => "/viewer",
    nodes: () => "/nodes",
    node: () => "/nodes/{id}",
    list: listPath,
    create: listPath,
    updateMany: listPath,
    deleteMany: listPath,
    createMany: (of) => `${listPath(of)}/${bulkSegment}`,
    record: recordPath,
    update: recordPath,
    replace: recordPath,
    delete: recordPath,
    related: relatedPath,
    createRelated: relatedPath,
    link: (of) => `${relatedPath(of)}/{otherId}`,
    unlink: (of) => `${relatedPath(of)}/{otherId}`,
    transitions: (of) => `${recordPath(of)}/${transitionsSegment}`,
    fire: (of) => `${recordPath(of)}/${transitionsSegment}/${kebabCase(of.transition.name)}`,
    fireMany: (of) => `${listPath(of)}/${transitionsSegment}/${kebabCase(of.transition.name)}`,
    call: (of) => {
      const action = `/${actionsSegment}/${kebabCase(of.action.name)}`
      return of.resource === undefined ? action : recordPath(of) + action
    },
  })
}

type OfResource = Pick<Extract<Route, { readonly kind: "list" }>, "resource">
type OfRecord = OfResource & { readonly address: Address }

const listPath = ({ resource }: OfResource): string => `/${resource.path}`

function recordPath({ resource, address }: OfRecord): string {
  if (address.kind === "id") return `${listPath({ resource })}/{id}`
  const names = address.unique.members.map((member) => subjectName(resource, member))
  return `${listPath({ resource })}/${names.map((name) => `${name}={${name}}`).join(",")}`
}

const relatedPath = (of: Extract<Route, { readonly kind: "related" }> | OfRelated): string =>
  `${recordPath(of)}/${kebabCase(of.relation.name)}`

type OfRelated = Extract<Route, { readonly kind: "createRelated" | "link" | "unlink" }>
