import { RequestCache } from "../base/caches.ts"
import { type JsonText, textOf } from "../base/json.ts"
import { internalRefusal, Refusal, refusal } from "../base/problem.ts"
import type { Request } from "../base/request.ts"
import type { RequestRecord } from "../base/telemetry.ts"
import { isStream } from "../http/answer.ts"
import type { AwaitWrites, FollowChanges, ReadEvents } from "../http/changes.ts"
import { openEventStream, streamHead } from "../http/event-stream.ts"
import { type AnswerPlan, type Face, type FaceRequest, type FaceResponse, faultIn } from "../http/face.ts"
import { isKeyed, withIdempotency } from "../http/idempotency.ts"
import { createSharedBytes, type SharedBytes } from "../http/shared-bytes.ts"
import type { Actor } from "../plan/access/actor.ts"
import { explainCharge, prices } from "../plan/cost/points.ts"
import type { PlanContext } from "../plan/draft/draft.ts"
import { fieldHint } from "../plan/other-versions.ts"
import type { Answer } from "../plan/read-plan.ts"
import type { WritePlan } from "../plan/write-plan.ts"
import { dataIn } from "./data.ts"
import { createDocumentCache } from "./document/document-cache.ts"
import { framesOf, wholeFrames } from "./document/event-frames.ts"
import { acceptsFrames, graphqlResponse, json, negotiateResponse, wantsFrames } from "./document/media.ts"
import type { Operation } from "./document/operation.ts"
import type { Output } from "./document/planned-operation.ts"
import { findOperation, type GraphqlRequest, type PreparedOperation } from "./document/prepare.ts"
import { createQueries, type Executable, type Queries, type Query } from "./document/query-cache.ts"
import { readEnvelopeOf, readSent, type Sent } from "./document/request.ts"
import {
  dryRun,
  executed,
  malformedEnvelope,
  notExecuted,
  type ResponseContext,
  replayed,
} from "./document/response.ts"
import { documentText, nothingSaved, type SavedTexts } from "./document/saved-texts.ts"
import type { VariableRequest } from "./document/variables.ts"
import { noPages, type WithEvents, withEvents } from "./events.ts"
import { followQuery, intervalOf } from "./live-query.ts"
import { besideInput, groupMistakes, upsertedBy } from "./planning/mutation-errors.ts"
import { planOperation } from "./planning/plan.ts"
import { locateArgument } from "./planning/planning.ts"
import { buildSchema } from "./schema/schema.ts"
import { type Subscriber, type Subscribing, subscribe } from "./subscription.ts"

export interface GraphqlFaceOptions extends PlanContext {
  readonly answer: AnswerPlan
  /** Whether clients may ask about the schema, and get suggestions from it; they may when absent. */
  readonly introspection?: boolean
  /** Documents that clients may name by an id; none when absent. */
  readonly saved?: SavedTexts
  /** Changes of records; there are no subscriptions when absent. */
  readonly follow?: FollowChanges
  /** Pages of events; there are none when absent. */
  readonly events?: ReadEvents
  /** Writes of all resources; there are no live reads when absent. */
  readonly writes?: AwaitWrites
  /** The cache of the model's audience; one of its own when absent. */
  readonly cache?: RequestCache
}

export interface GraphqlFace {
  readonly face: Face
  readonly operate: Operate
}

/** One operation of a transport other than HTTP: its results as JSON, or the only one as HTTP would have it. */
export type Operate = (asked: AskedOperation) => Promise<AsyncIterable<JsonText> | FaceResponse>

interface AskedOperation extends Subscriber {
  /** An object with `query`, `variables`, `operationName` and `extensions`, as JSON. */
  readonly text: JsonText
}

interface Service extends Subscribing {
  readonly writes: AwaitWrites | undefined
  readonly queries: Queries
  readonly saved: SavedTexts
  readonly share: SharedBytes
}

export const graphqlFace = (options: GraphqlFaceOptions): Face => createGraphqlFace(options).face

export function createGraphqlFace({
  answer,
  introspection = true,
  saved = nothingSaved,
  follow,
  writes,
  events,
  cache = new RequestCache(),
  ...context
}: GraphqlFaceOptions): GraphqlFace {
  const { model } = context
  const schema = buildSchema(model)
  const stranger = model.audience !== undefined && !model.audience.signedIn
  const documents = createDocumentCache(schema, {
    ...{ introspection, stranger, limits: model.limits, cache },
    elsewhere: (type, field) => fieldHint(model, type, field),
  })
  const queries = createQueries(cache)
  const service: Service = {
    context,
    answer,
    introspection,
    documents,
    queries,
    saved,
    follow,
    writes,
    events,
    share: createSharedBytes(),
  }
  return {
    face: (request) =>
      handle(service, request.method === "HEAD" ? { ...request, method: "GET", isHead: true } : request),
    operate: (asked) => operate(service, asked),
  }
}

interface Handled extends FaceRequest {
  readonly isHead?: true
}

async function handle(service: Service, request: Handled): Promise<FaceResponse> {
  const answered = await answerRequest(service, request)
  return wantsFrames(request.headers["accept"]) ? inFrames(answered) : answered
}

/** A request that was not answered keeps its status. */
function inFrames(answered: FaceResponse): FaceResponse {
  const { status, headers, body } = answered
  if (isStream(body) || (status !== 200 && status !== 400)) return answered
  return {
    ...answered,
    status: 200,
    headers: { ...headers, ...streamHead.headers },
    body: wholeFrames(textOf(body)),
    publicFor: undefined,
  }
}

const allowed = "GET, HEAD, POST, OPTIONS"

async function answerRequest(service: Service, request: Handled): Promise<FaceResponse> {
  if (request.method === "OPTIONS") return { status: 204, headers: { allow: allowed }, body: "" }
  const { introspection } = service
  let response: ResponseContext = { media: json, requestId: request.requestId, introspection }
  try {
    refuseMethod(request)
    response = { ...response, media: negotiateResponse(request.headers["accept"]) }
    if (request.refused) throw request.refused
    const sent = readSent(request)
    const known = service.queries.find(sent)
    if (known) {
      const { actor, inner } = request
      noteOperation(inner?.record, known.operation)
      return await query(service, known, { actor, request: inner }, response)
    }
    const read = readEnvelopeOf(sent)
    const found = documentText(service.saved, read, request.inner)
    const text = typeof found === "string" ? found : await found
    if (typeof text !== "string") return notExecuted(response, [text])
    const asked = { ...read, query: text, isNamed: read.documentId !== undefined }
    // For most requests the kind makes no difference.
    const operation =
      request.method === "GET" || isKeyed(request.headers) ? operationOf(service, asked) : undefined
    refuseChangeByGet(request, operation)
    const inner = operation === "mutation" ? withIdempotency(request, () => partsOf(asked)) : request.inner
    const lasts = (results: FollowResults) =>
      answerInFrames(results, request, { response, share: service.share })
    const { actor } = request
    return await executePaid(service, { ...asked, sent, actor, inner, lasts }, response)
  } catch (error) {
    if (error instanceof Refusal) {
      const refused = withAllow(malformedEnvelope(response, error.problems), request)
      return { ...refused, ...faultIn(error) }
    }
    return internal(response, error)
  }
}

type Executing = GraphqlRequest & {
  /** Whether an id stands for the document. */
  readonly isNamed: boolean
  readonly sent: Sent
  readonly actor: Actor
  readonly inner: Request | undefined
  /** Answers what has several results. */
  readonly lasts: (results: FollowResults) => Promise<FaceResponse>
}

/** Results as JSON. Rejects with a Refusal for what cannot be followed. */
type FollowResults = (follower: Subscriber) => Promise<AsyncIterable<JsonText>>

/** Undefined for what has one result. */
function lastingOf(
  service: Service,
  prepared: PreparedOperation,
  variables: VariableRequest,
): FollowResults | undefined {
  const { operation } = prepared.operation.definition
  if (operation === "subscription") return (follower) => subscribe(service, { prepared, variables }, follower)
  const { writes } = service
  const interval = operation === "query" && writes ? intervalOf(prepared, variables) : undefined
  if (interval === undefined || !writes) return undefined
  return (follower) => followQuery(service, { prepared, variables, interval }, follower, writes)
}

/** Nothing of it is suspended while it waits for the engine. */
function execute(
  service: Service,
  asked: Executing,
  response: ResponseContext,
  document = service.documents.read(asked.query),
): FaceResponse | Promise<FaceResponse> {
  const { context, answer, documents, queries, saved } = service
  if (!document.document || document.errors.length > 0) return notExecuted(response, document.errors)
  if (asked.isNamed) saved.keep(asked.query)
  try {
    const prepared = document.operation(asked.operationName)
    noteOperation(asked.inner?.record, prepared.operation)
    const variables = prepared.readVariables(asked.variables ?? none)
    const lasting = asked.dryRun ? undefined : lastingOf(service, prepared, variables)
    if (lasting) return refusedLater(asked.lasts(lasting), response)
    const { plan, outputs, isNew } = planOperation(context, prepared, variables)
    if (isNew) document.planned?.()
    if (asked.dryRun) return dryRun(response, explainCharge(plan))
    const executable = {
      operation: prepared.operation,
      asked: variables,
      outputs,
      ...(document.isShared && { own: ownOf(service, asked) }),
    }
    if (plan.kind === "write")
      return change(executable, plan, () => answer(plan, asked.actor, asked.inner), response)
    // A cached query would be answered after its registration has ended.
    if (!saved.required && !asked.isNamed) queries.keep(asked.sent, { ...executable, plan })
    return query(service, { ...executable, plan }, { actor: asked.actor, request: asked.inner }, response)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return document.isShared
      ? execute(service, asked, response, documents.readOwn(asked.query))
      : refused(response, error)
  }
}

/** Reading a document takes as much work where it is refused before it runs, for whatever reason. */
async function executePaid(
  service: Service,
  asked: Executing,
  response: ResponseContext,
): Promise<FaceResponse> {
  const answered = await execute(service, asked, response)
  const meter = asked.inner?.meter
  if (answered.code === undefined || !meter || meter.cost.requested > 0) return answered
  const { characters, points } = prices.refused
  await meter.spend(Math.max(prices.request, points * Math.floor(asked.query.length / characters)))
  return answered
}

/** Holds nothing but the request's parts, since queries are kept. */
const ownOf =
  ({ context, documents }: Service, { query, operationName, variables = none }: GraphqlRequest) =>
  (): Executable => {
    const prepared = documents.readOwn(query).operation(operationName)
    const asked = prepared.readVariables(variables)
    return { operation: prepared.operation, asked, outputs: planOperation(context, prepared, asked).outputs }
  }

const refusedLater = (answered: Promise<FaceResponse>, response: ResponseContext): Promise<FaceResponse> =>
  answered.catch((error: unknown) => {
    if (error instanceof Refusal) return refused(response, error)
    throw error
  })

/** Several results have frames; a client that cannot read them is refused. */
async function answerInFrames(
  follow: FollowResults,
  request: Handled,
  { response: { requestId }, share }: { readonly response: ResponseContext; readonly share: SharedBytes },
): Promise<FaceResponse> {
  if (!acceptsFrames(request.headers["accept"]))
    throw refusal("not_acceptable", "The operation has several results.", {
      hint: "Accept text/event-stream, or send it over a WebSocket.",
    })
  if (request.isHead) return streamHead
  const { actor, inner, lasting } = request
  const opened = openEventStream(request)
  const { signal, cut } = opened
  try {
    const results = await follow({
      actor,
      inner,
      requestId,
      signal,
      cut,
      ...(lasting && { run: lasting.run, report: lasting.report }),
    })
    return opened.respond(framesOf(results, share))
  } catch (error) {
    opened.end()
    throw error
  }
}

function noteOperation(
  record: RequestRecord | undefined,
  { definition: { operation, name } }: Operation,
): void {
  if (record) record.operation = { kind: operation, name: name?.value }
}

async function operate(service: Service, { text, ...follower }: AskedOperation): ReturnType<Operate> {
  const { introspection } = service
  const { actor, inner, requestId } = follower
  const response: ResponseContext = { media: graphqlResponse, requestId, introspection }
  try {
    const sent: Sent = { kind: "json", text }
    const read = readEnvelopeOf(sent)
    const query = await documentText(service.saved, read, inner)
    if (typeof query !== "string") return notExecuted(response, [query])
    let results: AsyncIterable<JsonText> | undefined
    const lasts = async (follow: FollowResults): Promise<FaceResponse> => {
      results = await follow(follower)
      return streamHead
    }
    const asked = { ...read, query, isNamed: read.documentId !== undefined, sent, actor, inner, lasts }
    const answered = await executePaid(service, asked, response)
    return results ?? answered
  } catch (error) {
    if (error instanceof Refusal) return { ...malformedEnvelope(response, error.problems), ...faultIn(error) }
    return internal(response, error)
  }
}

async function query(
  { answer, events }: Service,
  executable: Query,
  by: { readonly actor: Actor; readonly request: Request | undefined },
  response: ResponseContext,
): Promise<FaceResponse> {
  try {
    const answered = await answer(executable.plan, by.actor, by.request)
    return respond(executable, await withEvents(events, executable, { answer: answered, ...by }), response)
  } catch (error) {
    if (error instanceof Refusal) return refused(response, error)
    throw error
  }
}

const none = {}

/** Parts that decide what the request does. */
const partsOf = ({ query, operationName, variables = none }: GraphqlRequest) => [
  "graphql",
  query,
  operationName,
  JSON.stringify(variables),
]

/** Refusals name the fields of the mutation that they are about. */
async function change(
  of: Executable,
  plan: WritePlan,
  answer: () => Promise<Answer>,
  response: ResponseContext,
): Promise<FaceResponse> {
  try {
    const data = await answer()
    const told = respond(of, { answer: data, pages: noPages }, response)
    return data.replayed ? replayed(told) : told
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { outputs } = of.own?.() ?? of
    const groups = new Map(outputs.map(({ group }) => [group.key, group]))
    const field = (key: string) => groups.get(key)?.nodes[0]
    const problems = error.problems.map((problem) => besideInput(problem, upsertedBy(plan, problem)))
    const mistakes = groupMistakes(problems, { field, locate: locateArgument })
    return { ...notExecuted(response, mistakes), ...faultIn(error) }
  }
}

const refused = (response: ResponseContext, error: Refusal): FaceResponse => ({
  ...notExecuted(response, error.problems),
  ...faultIn(error),
})

function respond(of: Executable, answered: WithEvents, response: ResponseContext): FaceResponse {
  const { answer } = answered
  const { data, errors } = dataIn(of, answered)
  const told = executed(response, data, { errors, cost: answer.cost })
  if (answer.fault !== undefined) return { ...told, fault: answer.fault }
  const { publicFor } = answer
  return publicFor === undefined || errors.length > 0 || !of.outputs.every(isSameForAll)
    ? told
    : { ...told, publicFor }
}

/** A caller is shown the schema, and events, as far as they are for it. */
const isSameForAll = ({ kind }: Output): boolean => kind === "data" || kind === "typename"

function refuseMethod({ method }: FaceRequest): void {
  if (method === "GET" || method === "POST") return
  throw refusal("method_not_allowed", `${method} is not allowed here: send a query by POST or GET.`)
}

/** Undefined if unknown. */
function operationOf({ documents }: Service, { query, operationName }: GraphqlRequest) {
  const { document } = documents.read(query)
  return document && findOperation(document, operationName)?.operation
}

/** Mutations are never run by GET, which is repeated and cached at will. */
function refuseChangeByGet({ method }: FaceRequest, operation: ReturnType<typeof operationOf>): void {
  if (method !== "GET" || operation === undefined || operation === "query") return
  throw refusal("method_not_allowed", `A ${operation} cannot be sent by GET: send it by POST.`)
}

function withAllow(response: FaceResponse, { method }: FaceRequest): FaceResponse {
  if (response.status !== 405) return response
  return {
    ...response,
    headers: { ...response.headers, allow: method === "GET" ? "POST, OPTIONS" : allowed },
  }
}

function internal(response: ResponseContext, fault: unknown): FaceResponse {
  return { ...notExecuted(response, internalRefusal().problems), fault }
}
