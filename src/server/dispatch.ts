// Turns a message into a request with its caller, gives it to the mount of its path, and adds the headers that all answers have.
import type { Socket } from "node:net"
import { faultOf } from "../access/identity/credential-error.ts"
import type { Identify } from "../access/identity/identify.ts"
import { clientAddress, isSecure, type Proxies } from "../access/limits/client-address.ts"
import type { OpenMeter } from "../access/limits/meters.ts"
import { elapsed } from "../base/clock.ts"
import { sizeOf } from "../base/json.ts"
import { internalRefusal, Refusal, refusal } from "../base/problem.ts"
import type { Request } from "../base/request.ts"
import type { RequestRecord, Telemetry } from "../base/telemetry.ts"
import { type ClientTraces, defaultClientTraces, tracedRequest } from "../base/tracing.ts"
import {
  type AnswerHeader,
  type AnswerHeaders,
  type Body,
  emptied,
  isStream,
  type VersionHeaders,
  versionHeaders,
} from "../http/answer.ts"
import type { FaceRequest, FaceResponse } from "../http/face.ts"
import type { Actor } from "../plan/access/actor.ts"
import { problemResponse } from "../rest/question/problem.ts"
import type { Accepted } from "./admission.ts"
import { type Coded, type ContentCoding, type Negotiated, plainCondition } from "./coding.ts"
import { type AllowedOrigins, preflightHeaders, refusedHost, shareHeaders, timesNamed } from "./cross-site.ts"
import type { HeldBytes } from "./held-bytes.ts"
import { type ArrivingBody, goneUnlessShared, type Incoming, type ReadBody, requestIdOf } from "./incoming.ts"
import type { FindMount, Found, Mount } from "./mounts.ts"
import { type Observe, reportFaults } from "./observation.ts"
import { timingOf } from "./server-timing.ts"
import { type BeginLasting, runCounted } from "./sockets/lasting.ts"

export interface Dispatch {
  /** The path before both faces. */
  readonly base: string
  /** The caller. Rejects with a Refusal if its credentials are not accepted. */
  readonly identify: Identify
  /** Callers are known by more than their credentials, such as by a cookie: a page of another site may send it, too. */
  readonly bySession?: true | undefined
  readonly findMount: FindMount
  readonly cors: AllowedOrigins
  /** Bytes. */
  readonly bodyLimit: number
  /** Answers that slow clients have not taken yet. */
  readonly untaken: HeldBytes<Socket>
  /** Bodies that are not whole. */
  readonly arriving: HeldBytes<ArrivingBody>
  /** Only requests that name this machine as their host are answered (against DNS rebinding). */
  readonly loopbackOnly: boolean
  /** Trusted proxies between clients and this server; none when absent. */
  readonly proxies?: Proxies | undefined
  /** Seconds for which browsers shall come by HTTPS only (RFC 6797): said in answers that go by TLS. Not said when absent. */
  readonly hsts?: number | undefined
  /** Counts requests against the limits of their callers; absent without limits. */
  readonly openMeter?: OpenMeter | undefined
  /** Receives accepted credentials. */
  readonly accepted?: Accepted | undefined
  /** Counts answers that last. */
  readonly beginLasting?: BeginLasting | undefined
  readonly coding: ContentCoding
  readonly observe: Observe
  /** Keeps a record of each request; absent without observers. */
  readonly telemetry?: Telemetry | undefined
  /** The traces that clients say they are in; linked to when absent. */
  readonly clientTraces?: ClientTraces | undefined
  /** Whether answers tell their clients where their time went. */
  readonly serverTiming?: boolean | undefined
}

/** A response as it is sent. */
export interface Dispatched {
  readonly status: number
  /** Names and values in turn, without `content-length`; the receiver's own. */
  readonly headers: string[]
  /** The face's value, else the length of a whole body. An answer to HEAD has the length of another one's body. */
  readonly length: string | undefined
  readonly body: Body
  /** Makes what the pieces of a stream pass through on their way. */
  readonly through?: Coded["through"] | undefined
  /** Receives the end of the answer; absent without observers. */
  readonly record?: RequestRecord | undefined
}

const security = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
] as const

/** Undefined when the client went away before its request was complete. */
export async function dispatch<Message extends Incoming>(
  to: Dispatch,
  message: Message,
  read: ReadBody<Message>,
): Promise<Dispatched | undefined> {
  const [path, query] = targetOf(message.url ?? "/")
  const headers = headersOf(message)
  const requestId = requestIdOf(headers["x-request-id"])
  const method = message.method ?? "GET"
  const record = to.telemetry?.beginRequest(requestId, method, headers)
  try {
    const traced = tracedRequest(record, headers["traceparent"], to.clientTraces ?? defaultClientTraces)
    const reading = read(message, to.bodyLimit)
    const body = reading instanceof Promise ? await reading : reading
    if (body === undefined) {
      record?.sent()
      return undefined
    }
    const since = elapsed()
    const nowhere = refusedHost(message, to.loopbackOnly)
    const found = to.findMount(path)
    // A malformed request is not authenticated.
    const standing = nowhere
      ? asStranger(to, nowhere)
      : found.anonymous
        ? identified(to, {})
        : identified(to, headers, message)
    // A known caller is not waited for.
    const known = standing instanceof Promise ? await standing : standing
    const { authorization } = headers
    if (authorization !== undefined && !nowhere && !found.anonymous)
      to.accepted?.note(authorization, !known.refused && known.actor.name !== "")
    const client = clientOf(known.actor, message, to.proxies)
    if (record) noteArrival(record, found, known.actor)
    // A browser's preflight asks for nothing.
    const counts = found.counted && method !== "OPTIONS"
    const meter = counts ? to.openMeter?.(known.actor, client) : undefined
    const negotiated = to.coding.negotiate(headers["accept-encoding"])
    const {
      actor,
      refused = body.refused ?? meter?.refused ?? (negotiated ? undefined : uncodable(to.coding)),
    } = known
    const marks: Request["marks"] = {}
    const inner: Request = {
      client,
      since,
      marks,
      meter,
      record,
      whenGone: goneUnlessShared(marks, (gone) => watchClient(message, gone)),
    }
    const request: FaceRequest = {
      actor,
      method,
      path: found.path,
      query,
      headers: negotiated ? withPlainTags(headers, method, negotiated) : headers,
      body: body.bytes,
      lasting: {
        begin: () => to.beginLasting?.(client) ?? nothing,
        identify: () => to.identify(headers, message),
        bySession: to.bySession,
        run: (make) =>
          runCounted({ openMeter: counts ? to.openMeter : undefined, actor: known.actor, client }, make),
        report: (faults) => reportFaults(to.observe, requestId, faults),
      },
      requestId,
      refused,
      inner,
    }
    let response: FaceResponse
    try {
      response = await traced(() => respond(to, request, found.handler))
      const settling = meter?.settle()
      if (settling) await settling
    } catch (error) {
      response = traced(() => failed(to, request, error))
    } finally {
      meter?.end()
    }
    if (refused) sayFault(to, requestId, refused)
    const { unable, ...faults } = response
    reportFaults(to.observe, requestId, unable && message.socket.destroyed ? faults : response)
    const coding = negotiated && {
      negotiated,
      ifNoneMatch: headers["if-none-match"],
      isSecret: inner.marks.isSecret === true,
    }
    const encoded: Coded | Promise<Coded> = coding ? to.coding.encode(response, coding) : response
    const coded = encoded instanceof Promise ? await encoded : encoded
    const isHead = method === "HEAD"
    const shared = publicFor(coded, method)
    if (record) noteAnswer(record, coded.status, response)
    return {
      status: coded.status,
      headers: headersFor(coded, {
        requestId,
        publicFor: shared,
        // Nothing more is read from a client that does not finish, or names no host.
        ends: body.unread === true || headers["host"] === undefined || nowhere !== undefined,
        added: shared === undefined ? added(coded, request) : addedToPublic(shared, actor),
        takes: refused !== undefined && refused === body.refused ? body.takes : undefined,
        version: versionHeaders(actor.model, to.base),
        shared: shareHeaders(to.cors, headers["origin"]),
        account: meter?.headers(),
        timing: record && to.serverTiming && shared === undefined ? timingOf(record) : undefined,
        hsts: to.hsts !== undefined && isSecure(message, to.proxies) ? `max-age=${to.hsts}` : undefined,
      }),
      length: coded.headers["content-length"] ?? (isHead ? lengthOf(coded.body) : undefined),
      body: isHead ? emptied(coded.body) : coded.body,
      through: isHead ? undefined : coded.through,
      record,
    }
  } catch (fault) {
    record?.failed()
    throw fault
  }
}

function noteArrival(record: RequestRecord, { face = "none", route }: Found, actor: Actor): void {
  record.end("read")
  record.face = face
  record.route = route
  if (actor.name !== "") record.actor = { kind: "signed_in", id: actor.name }
}

/** The rest of the time of an answer that needed no database is planning. */
function noteAnswer(record: RequestRecord, status: number, { code }: FaceResponse): void {
  record.status = status
  if (code !== undefined) record.code = code
  if (record.statements === 0 && record.joined === 0) record.end("plan")
}

const lengthOf = (body: Body): string | undefined => (isStream(body) ? undefined : String(sizeOf(body)))

/** Known before anything is done: a write that was done cannot be answered so any more. */
const uncodable = ({ available }: ContentCoding): Refusal =>
  refusal("not_acceptable", "None of the content codings in Accept-Encoding is available.", {
    hint: `Available: ${[...available, "identity"].join(", ")}.`,
  })

/** Entity tags of a read's condition are compared without their codings. */
function withPlainTags(
  headers: FaceRequest["headers"],
  method: string,
  { accepts }: Negotiated,
): FaceRequest["headers"] {
  const { "if-none-match": condition } = headers
  if (condition === undefined || (method !== "GET" && method !== "HEAD")) return headers
  return { ...headers, "if-none-match": plainCondition(condition, accepts) }
}

const nothing = (): void => {}

function watchClient({ socket }: Incoming, gone: () => void): () => void {
  socket.once("close", gone)
  return () => void socket.off("close", gone)
}

/** The name of a client; without a credential, its address. */
export const clientOf = ({ name }: Actor, message: Incoming, proxies: Proxies = 0): string =>
  name === "" ? `address ${clientAddress(message, proxies)}` : `actor ${name}`

/** Refused credentials are answered as an anonymous caller, with the reason. */
function identified(
  to: Dispatch,
  headers: FaceRequest["headers"],
  message?: Incoming,
): Standing | Promise<Standing> {
  try {
    const actor = to.identify(headers, message)
    return actor instanceof Promise ? identifiedLater(to, actor) : { actor }
  } catch (error) {
    return asStranger(to, error)
  }
}

async function identifiedLater(to: Dispatch, asked: Promise<Actor>): Promise<Standing> {
  try {
    return { actor: await asked }
  } catch (error) {
    return asStranger(to, error)
  }
}

async function asStranger({ identify }: Dispatch, error: unknown): Promise<Standing> {
  if (!(error instanceof Refusal)) throw error
  return { actor: await identify({}), refused: error }
}

interface Standing {
  readonly actor: Actor
  readonly refused?: Refusal
}

function sayFault({ observe }: Dispatch, requestId: string, refused: Refusal): void {
  const fault = faultOf(refused)
  if (fault !== undefined) observe({ kind: "unidentified", requestId, fault, count: 1 })
}

/**
 * Adds headers that depend on the caller. Answers to signed-in callers are private (RFC 9111 section 5.2.2), and a 401 names
 * the scheme (RFC 6750 section 3).
 */
function added({ status, headers }: FaceResponse, { actor, refused }: FaceRequest): Added {
  const { claims } = actor
  if (!claims) return nothingAdded
  const signedIn = claims.signedIn && !headers["cache-control"]?.includes("no-store")
  return {
    vary: "Authorization",
    stored: signedIn ? "private, no-store" : undefined,
    challenge:
      status !== 401
        ? undefined
        : refused && faultOf(refused) !== undefined
          ? 'Bearer error="invalid_token"'
          : "Bearer",
  }
}

/** Headers that depend on the caller. */
interface Added {
  readonly vary: string | undefined
  /** Instead of what the face says. */
  readonly stored: string | undefined
  readonly challenge: string | undefined
}

const nothingAdded: Added = { vary: undefined, stored: undefined, challenge: undefined }

/** Caches keep answers to reads alone. */
const publicFor = ({ status, publicFor }: FaceResponse, method: string): number | undefined =>
  (method === "GET" || method === "HEAD") && (status === 200 || status === 304) ? publicFor : undefined

/**
 * For an answer that is the same for every caller, signed in or not (RFC 9111 section 3.5). Its headers reveal nothing of this
 * caller, since caches show them to others. The answer varies by credential only where credentials pin a version.
 */
const addedToPublic = (seconds: number, { claims, model }: Actor): Added => ({
  vary: claims && model.versions ? "Authorization" : undefined,
  stored: `public, max-age=${seconds}`,
  challenge: undefined,
})

interface Sending {
  readonly requestId: string
  /** Seconds for which caches may show the answer to any caller. */
  readonly publicFor: number | undefined
  readonly ends: boolean
  readonly added: Added
  /** Content codings of bodies, where one of another coding was refused. */
  readonly takes: string | undefined
  readonly version: VersionHeaders
  readonly shared: AnswerHeaders
  /** Names and values in turn. */
  readonly account: readonly string[] | undefined
  /** The value of `server-timing`. */
  readonly timing: string | undefined
  /** The value of `strict-transport-security`. */
  readonly hsts: string | undefined
}

/** With one `vary` that holds what all sides say. */
function headersFor(
  { headers: own }: FaceResponse,
  { requestId, publicFor, ends, added, takes, version, shared, account, timing, hsts }: Sending,
): string[] {
  const sent = publicFor === undefined ? ["x-request-id", requestId] : []
  for (const [name, value] of security) if (own[name] === undefined) sent.push(name, value)
  for (const name of namesOf(own)) {
    const value = own[name]
    if (value === undefined || name === "content-length" || name === "vary" || shared[name] !== undefined)
      continue
    if (name === "link" && version.link !== undefined) continue
    if (name === "cache-control" && added.stored !== undefined) continue
    sent.push(name, value)
  }
  for (const name of namesOf(shared)) {
    const value = shared[name]
    if (value !== undefined && name !== "vary") sent.push(name, value)
  }
  sent.push(...version.own)
  const link = joined(own["link"], version.link)
  if (version.link !== undefined && link !== undefined) sent.push("link", link)
  const varied = joined(added.vary, version.own.length === 0 ? undefined : "API-Version")
  const vary = joined(joined(own["vary"], varied), shared["vary"])
  if (vary !== undefined) sent.push("vary", vary)
  if (added.stored !== undefined) sent.push("cache-control", added.stored)
  if (added.challenge !== undefined) sent.push("www-authenticate", added.challenge)
  if (takes !== undefined) sent.push("accept-encoding", takes)
  if (account && publicFor === undefined) sent.push(...account)
  if (timing !== undefined) sent.push("server-timing", timing)
  if (hsts !== undefined) sent.push("strict-transport-security", hsts)
  if (ends) sent.push("connection", "close")
  return sent
}

const namesOf = (headers: AnswerHeaders): readonly AnswerHeader[] =>
  Object.keys(headers) as readonly AnswerHeader[]

const joined = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || one === other ? other : other === undefined ? one : `${one}, ${other}`

function failed(to: Dispatch, request: FaceRequest, error: unknown): FaceResponse {
  to.observe({ kind: "failed", requestId: request.requestId, error })
  // A face that failed to load cannot answer this itself.
  const told = error instanceof Refusal && error.problems[0].code === "program_unavailable"
  return problemResponse(told ? error : internalRefusal(), {
    requestId: request.requestId,
    locate: () => ({}),
  })
}

function respond(
  { cors }: Dispatch,
  request: FaceRequest,
  handler: Mount["handler"],
): FaceResponse | Promise<FaceResponse> {
  const preflight = preflightHeaders(cors, request)
  return preflight ? { status: 204, headers: preflight, body: "" } : handler(request)
}

/** The path and the query of a request target (RFC 9112 section 3.2), still percent-encoded. */
function targetOf(url: string): readonly [path: string, query: string] {
  const origin = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "")
  const mark = origin.indexOf("?")
  const path = mark < 0 ? origin : origin.slice(0, mark)
  return [path === "" ? "/" : path, mark < 0 ? "" : origin.slice(mark + 1)]
}

/**
 * Node gives headers in lower case, each once, except `set-cookie`, which requests do not use. Node would silently keep the
 * first of several `authorization` headers.
 */
function headersOf(message: Incoming): FaceRequest["headers"] {
  const headers = withoutCookies(message.headers)
  if (headers["authorization"] === undefined || timesNamed(message, "authorization") === 1) return headers
  return { ...headers, authorization: (message.headersDistinct["authorization"] ?? []).join(", ") }
}

/** Removes `set-cookie`, a header of responses, the only one that Node gives as a list. */
function withoutCookies(headers: Incoming["headers"]): FaceRequest["headers"] {
  if (headers["set-cookie"] === undefined) return headers as FaceRequest["headers"]
  const { "set-cookie": _, ...others } = headers
  return others as FaceRequest["headers"]
}
