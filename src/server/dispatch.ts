// Decides who answers a request: a face, the index, the health check; and words it as HTTP.
import type { IncomingMessage } from "node:http"
import { isIPv6 } from "node:net"
import { answering } from "../base/asker.ts"
import type { Json } from "../base/json.ts"
import { internalRefusal, Refusal, refusal } from "../base/problem.ts"
import { type FaceRequest, type FaceResponse, retryAfter } from "../http/face.ts"
import { faultOf } from "../identity/credential-error.ts"
import type { Identify } from "../identity/identify.ts"
import type { Actor } from "../plan/access/actor.ts"
import { quoteInput } from "../plan/quote-input.ts"
import { problemResponse } from "../rest/question/problem.ts"
import { hasBody, noBody, readBody } from "./body.ts"
import { type AllowedOrigins, preflightHeaders, shareHeaders } from "./cors.ts"
import { indexPage } from "./index-page.ts"
import type { Observe } from "./observation.ts"
import { requestIdOf } from "./request-id.ts"
import type { Faces, Health } from "./service.ts"

export interface Dispatch {
  /** The caller. Rejects with a Refusal if its credentials are not accepted. */
  readonly identify: Identify
  readonly facesFor: (actor: Actor) => Faces
  /** Path before both faces: empty, or such as `/api`. */
  readonly base: string
  readonly cors: AllowedOrigins
  /** Bytes. */
  readonly bodyLimit: number
  /** Only requests that name this machine as their host are answered (against DNS rebinding). */
  readonly loopbackOnly: boolean
  /** Rejects when the service cannot answer now. */
  readonly health: () => Promise<Health>
  readonly observe: Observe
}

/** A response as it is sent. */
export interface Dispatched {
  readonly status: number
  /** Names and values in turn, without `content-length`; the receiver's own. */
  readonly headers: string[]
  /** As the face says; that of the body when it does not. An answer to HEAD has the length of another one's body. */
  readonly length: string | undefined
  readonly body: Json
}

const security = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
] as const

/** Undefined when the client went away before its request was complete. */
export async function dispatch(to: Dispatch, message: IncomingMessage): Promise<Dispatched | undefined> {
  const [path, query] = targetOf(message.url ?? "/")
  const headers = headersOf(message)
  const requestId = requestIdOf(headers["x-request-id"])
  const body = hasBody(message) ? await readBody(message, to.bodyLimit) : noBody
  if (body === undefined) return undefined
  const since = Date.now()
  const nowhere = refusedHost(to, message)
  // A malformed request is not authenticated.
  const standing = nowhere ? asStranger(to, nowhere) : identified(to, headers)
  // A known caller is not waited for.
  const known = standing instanceof Promise ? await standing : standing
  const { actor, refused = body.refused } = known
  const request: FaceRequest = {
    actor,
    method: message.method ?? "GET",
    path,
    query,
    headers,
    body: body.bytes,
    requestId,
    ...(refused && { refused }),
  }
  let response: FaceResponse
  try {
    response = await answering({ client: clientOf(actor, message), since }, () => route(to, request))
  } catch (error) {
    response = failed(to, request, error)
  }
  if (refused) sayFault(to, requestId, refused)
  if (response.fault !== undefined) to.observe({ kind: "failed", requestId, error: response.fault })
  if (response.unable) sayUnable(to, requestId, response.unable)
  return {
    status: response.status,
    headers: headersFor(response, {
      requestId,
      // Nothing more is read from a client that does not finish, or names no host.
      ends: body.unread === true || headers["host"] === undefined || nowhere !== undefined,
      added: added(response, request),
      shared: shareHeaders(to.cors, request),
    }),
    length: response.headers["content-length"],
    body: response.body,
  }
}

/** Requests without credentials are told apart by their address; behind a proxy that is the proxy's. */
const clientOf = ({ name }: Actor, { socket }: IncomingMessage): string =>
  name === "" ? `address ${socket.remoteAddress ?? ""}` : `actor ${name}`

/** Refused credentials are answered as an anonymous caller, with the reason. */
function identified(to: Dispatch, headers: FaceRequest["headers"]): Standing | Promise<Standing> {
  try {
    const actor = to.identify(headers)
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

function sayUnable({ observe }: Dispatch, requestId: string, { problems: [problem], cause }: Refusal): void {
  observe({ kind: "unanswered", requestId, problem, cause, count: 1 })
}

/**
 * Adds headers that depend on the caller: answers to signed-in callers are private (RFC 9111 section 5.2.2), and a 401 names
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

/** Headers by what they are about. */
interface Added {
  readonly vary: string | undefined
  /** Instead of what the face says. */
  readonly stored: string | undefined
  readonly challenge: string | undefined
}

const nothingAdded: Added = { vary: undefined, stored: undefined, challenge: undefined }

interface Sending {
  readonly requestId: string
  readonly ends: boolean
  readonly added: Added
  readonly shared: Readonly<Record<string, string>>
}

/** With one `vary` that holds what all sides say. */
function headersFor({ headers: own }: FaceResponse, { requestId, ends, added, shared }: Sending): string[] {
  const sent = ["x-request-id", requestId]
  for (const [name, value] of security) if (own[name] === undefined) sent.push(name, value)
  for (const name in own) {
    const value = own[name]
    if (value === undefined || name === "content-length" || name === "vary" || shared[name] !== undefined)
      continue
    if (name === "cache-control" && added.stored !== undefined) continue
    sent.push(name, value)
  }
  for (const name in shared) {
    const value = shared[name]
    if (value !== undefined && name !== "vary") sent.push(name, value)
  }
  const vary = joined(joined(own["vary"], added.vary), shared["vary"])
  if (vary !== undefined) sent.push("vary", vary)
  if (added.stored !== undefined) sent.push("cache-control", added.stored)
  if (added.challenge !== undefined) sent.push("www-authenticate", added.challenge)
  if (ends) sent.push("connection", "close")
  return sent
}

const joined = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || one === other ? other : other === undefined ? one : `${one}, ${other}`

function failed(to: Dispatch, request: FaceRequest, error: unknown): FaceResponse {
  to.observe({ kind: "failed", requestId: request.requestId, error })
  return problem(request, internalRefusal())
}

function route(to: Dispatch, request: FaceRequest): FaceResponse | Promise<FaceResponse> {
  const preflight = preflightHeaders(to.cors, request)
  if (preflight) return { status: 204, headers: preflight, body: "" }
  const { path } = request
  if (request.refused === undefined && path === "/")
    return readOnly(request) ?? indexPage(request.actor.model, to.base, request.headers["accept"])
  if (request.refused === undefined && path === "/health") return readOnly(request) ?? health(to)
  // The server as a whole (RFC 9110 section 9.3.7).
  if (path === "*" && request.method === "OPTIONS" && request.refused === undefined)
    return { status: 204, headers: { allow: "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT" }, body: "" }
  if (path !== to.base && !path.startsWith(`${to.base}/`))
    return problem(
      request,
      request.refused ??
        refusal("not_found", `There is nothing at ${path}.`, {
          hint: `The service is below ${to.base || "/"}.`,
        }),
    )
  const below = to.base === "" ? request : { ...request, path: path.slice(to.base.length) }
  const { graphql, rest } = to.facesFor(request.actor)
  return below.path === "/graphql" ? graphql(below) : rest(below)
}

function readOnly(request: FaceRequest): FaceResponse | undefined {
  if (request.method === "GET" || request.method === "HEAD") return undefined
  const allow = { allow: "GET, HEAD, OPTIONS" }
  if (request.method === "OPTIONS") return { status: 204, headers: allow, body: "" }
  const refused = problem(request, refusal("method_not_allowed", `${request.method} is not allowed here.`))
  return { ...refused, headers: { ...refused.headers, ...allow } }
}

async function health(to: Dispatch): Promise<FaceResponse> {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }
  try {
    const { unavailable } = await to.health()
    // 200: a balancer that took the process away would take the other resources with it. Names are for the log.
    const body = unavailable === 0 ? { status: "ok" } : { status: "degraded", unavailable }
    return { status: 200, headers, body: JSON.stringify(body) }
  } catch {
    return {
      status: 503,
      headers: { ...headers, ...retryAfter(503) },
      body: '{"status":"unavailable"}',
    }
  }
}

function problem({ requestId }: FaceRequest, refused: Refusal): FaceResponse {
  return problemResponse(refused, { requestId, locate: () => ({}) })
}

/**
 * RFC 9112 section 3.2: one Host that can be read, which only HTTP/1.0 may leave out. Where the target names a host it goes
 * before the header, and is looked at the same way.
 */
function refusedHost(to: Dispatch, message: IncomingMessage): Refusal | undefined {
  const {
    headers: { host },
    httpVersion,
    url = "/",
  } = message
  if (host === undefined && httpVersion === "1.1")
    return refusal("malformed_request", "The request has no header Host.")
  if (host !== undefined && timesNamed(message, "host") > 1)
    return refusal("malformed_request", "The request has several headers Host.", {
      hint: "Send one, with the name of the service.",
    })
  const named = url.startsWith("/") ? host : (authorityIn(url) ?? host)
  if (host !== undefined && !isHost(host)) return noHost(host)
  if (named !== undefined && named !== host && !isHost(named)) return noHost(named)
  return to.loopbackOnly && !namesLoopback(named) ? notThisHost(named) : undefined
}

const noHost = (text: string): Refusal =>
  refusal("malformed_request", `${quoteInput(text)} is not the name of a host.`, {
    hint: "Send a name or an address, with a port or without it, such as example.org:8080.",
  })

/** Of the absolute form (RFC 9112 section 3.2.2); undefined for any other. */
const authorityIn = (target: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]

/** `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2.2); empty where the target has no host. */
function isHost(text: string): boolean {
  const found = hostForm.exec(text)
  if (!found) return false
  const [, literal, port = ""] = found
  return (literal === undefined || isIPv6(literal)) && Number(port) <= 65_535
}

const hostForm = /^(?:\[([0-9A-Fa-f:.]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::(\d{0,5}))?$/

function namesLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

function notThisHost(host: string | undefined): Refusal {
  return refusal(
    "malformed_request",
    `This service is open to its own machine only, not as ${quoteInput(host ?? "")}.`,
    {
      hint: "Ask for it as localhost or 127.0.0.1.",
    },
  )
}

/** The path and the query of a request target (RFC 9112 section 3.2), still percent-encoded. */
function targetOf(url: string): readonly [path: string, query: string] {
  const origin = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "")
  const mark = origin.indexOf("?")
  const path = mark < 0 ? origin : origin.slice(0, mark)
  return [path === "" ? "/" : path, mark < 0 ? "" : origin.slice(mark + 1)]
}

/**
 * Node gives them in lower case, each once, but for one that is of no use in a request. Of several that say who asks it would
 * keep the first in silence.
 */
function headersOf(message: IncomingMessage): FaceRequest["headers"] {
  const headers = withoutCookies(message.headers)
  if (headers["authorization"] === undefined || timesNamed(message, "authorization") === 1) return headers
  return { ...headers, authorization: (message.headersDistinct["authorization"] ?? []).join(", ") }
}

/** The only header of which Node gives a list, and one that only a response has. */
function withoutCookies(headers: IncomingMessage["headers"]): FaceRequest["headers"] {
  if (headers["set-cookie"] === undefined) return headers as FaceRequest["headers"]
  const { "set-cookie": _, ...others } = headers
  return others as FaceRequest["headers"]
}

/** Names and values stand in turn. */
function timesNamed({ rawHeaders }: IncomingMessage, header: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (name.length === header.length && name.toLowerCase() === header) times += 1
  }
  return times
}
