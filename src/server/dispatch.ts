// Decides who answers a request: a face, the index, the health check; and words it as HTTP.
import type { IncomingMessage } from "node:http"
import { type Refusal, refusal } from "../base/problem.ts"
import type { Face, FaceRequest, FaceResponse } from "../faces/exchange.ts"
import { problemResponse } from "../faces/rest/problem.ts"
import type { Model } from "../model/model.ts"
import { type Body, readBody } from "./body.ts"
import { type AllowedOrigins, preflightHeaders, shareHeaders } from "./cors.ts"
import { indexPage } from "./index-page.ts"
import type { Observe } from "./observation.ts"
import { requestIdOf } from "./request-id.ts"

export interface Dispatch {
  readonly model: Model
  readonly graphql: Face
  readonly rest: Face
  /** Path before both faces: empty, or such as `/api`. */
  readonly base: string
  readonly cors: AllowedOrigins
  /** Bytes. */
  readonly bodyLimit: number
  /** Only requests that name this machine as their host are answered (against DNS rebinding). */
  readonly loopbackOnly: boolean
  /** Rejects when the service cannot answer now. */
  readonly health: () => Promise<void>
  readonly observe: Observe
}

const security = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}

/** Undefined when the client went away before its request was complete. */
export async function dispatch(to: Dispatch, message: IncomingMessage): Promise<FaceResponse | undefined> {
  const [path, query] = targetOf(message.url ?? "/")
  const headers = headersOf(message)
  const requestId = requestIdOf(headers["x-request-id"])
  const body = await readBody(message, to.bodyLimit)
  if (body === undefined) return undefined
  const request: FaceRequest = {
    method: message.method ?? "GET",
    path,
    query,
    headers,
    body: body.bytes,
    requestId,
    ...refusedBefore(to, headers["host"], body),
  }
  const { fault, ...response } = await answer(to, request)
  if (fault !== undefined) to.observe({ kind: "failed", requestId, error: fault })
  return {
    ...response,
    headers: {
      ...security,
      "x-request-id": requestId,
      ...(body.unread ? { connection: "close" } : {}),
      ...merged(response.headers, shareHeaders(to.cors, request)),
    },
  }
}

async function answer(to: Dispatch, request: FaceRequest): Promise<FaceResponse> {
  const preflight = preflightHeaders(to.cors, request)
  if (preflight) return { status: 204, headers: preflight, body: "" }
  try {
    return await route(to, request)
  } catch (error) {
    to.observe({ kind: "failed", requestId: request.requestId, error })
    return problem(
      request,
      refusal("internal", "Something is wrong on our side.", {
        hint: "Name the request id when you report it.",
      }),
    )
  }
}

async function route(to: Dispatch, request: FaceRequest): Promise<FaceResponse> {
  const { path } = request
  if (request.refused === undefined && path === "/")
    return readOnly(request) ?? indexPage(to.model, to.base, request.headers["accept"])
  if (request.refused === undefined && path === "/health") return readOnly(request) ?? (await health(to))
  if (path !== to.base && !path.startsWith(`${to.base}/`))
    return problem(
      request,
      refusal("not_found", `There is nothing at ${path}.`, { hint: `The service is below ${to.base}.` }),
    )
  const below = { ...request, path: path.slice(to.base.length) }
  return below.path === "/graphql" ? to.graphql(below) : to.rest(below)
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
    await to.health()
    return { status: 200, headers, body: '{"status":"ok"}' }
  } catch {
    return {
      status: 503,
      headers: { ...headers, "retry-after": "5" },
      body: '{"status":"unavailable"}',
    }
  }
}

function problem({ requestId }: FaceRequest, refused: Refusal): FaceResponse {
  return problemResponse(refused, { requestId, locate: () => ({}) })
}

function refusedBefore(to: Dispatch, host: string | undefined, body: Body): Pick<FaceRequest, "refused"> {
  if (to.loopbackOnly && !namesLoopback(host)) return { refused: notThisHost(host) }
  return body.refused === undefined ? {} : { refused: body.refused }
}

function namesLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

function notThisHost(host: string | undefined): Refusal {
  return refusal(
    "malformed_request",
    `This service is open to its own machine only, not as ${JSON.stringify(host ?? "")}.`,
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

function headersOf(message: IncomingMessage): Readonly<Record<string, string | undefined>> {
  const headers: Record<string, string | undefined> = Object.create(null)
  for (const [name, value] of Object.entries(message.headers))
    headers[name] = Array.isArray(value) ? value.join(", ") : value
  return headers
}

/** Both, with one `vary` that holds what either says. */
function merged(
  own: Readonly<Record<string, string>>,
  shared: Readonly<Record<string, string>>,
): Record<string, string> {
  const lower = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  const vary = [lower["vary"], shared["vary"]].filter((part) => part !== undefined)
  return { ...lower, ...shared, ...(vary.length === 0 ? {} : { vary: [...new Set(vary)].join(", ") }) }
}
