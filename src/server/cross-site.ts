// Requests of other sites: the `Host` that they name, and answers that scripts of other origins may read (CORS).

import type { IncomingMessage } from "node:http"
import { isIPv6, type Socket } from "node:net"
import { type Refusal, refusal } from "../base/problem.ts"
import { type AnswerHeaders, exposedHeaders } from "../http/answer.ts"
import type { FaceRequest } from "../http/face.ts"
import { quoteInput } from "../plan/quote-input.ts"
import type { Incoming } from "./incoming.ts"

// The host that a request names, and requests that name none, several or the wrong one.

/**
 * RFC 9112 section 3.2: one Host that can be read, which only HTTP/1.0 may leave out. Where the target names a host it goes
 * before the header, and is looked at the same way.
 */
export function refusedHost(message: Incoming, loopbackOnly: boolean): Refusal | undefined {
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
  return loopbackOnly && !namesLoopback(named) ? notThisHost(named) : undefined
}

const noHost = (text: string): Refusal =>
  refusal("malformed_request", `${quoteInput(text)} is not the name of a host.`, {
    hint: "Send a name or an address, with a port or without it, such as example.org:8080.",
  })

/** The host of the absolute form (RFC 9112 section 3.2.2); undefined for any other. */
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

/** Names and values stand in turn. */
export function timesNamed({ rawHeaders }: Incoming, header: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (name.length === header.length && name.toLowerCase() === header) times += 1
  }
  return times
}

// Cross-origin sharing (Fetch standard, section 3.3): off unless the service says which origins may read its answers.

/** Origins such as `https://shop.example`, or `*` for every one. */
export type AllowedOrigins = readonly string[]

const exposed = exposedHeaders.join(", ")
/** Seconds for which browsers keep a preflight: Chromium's bound. */
const preflightLifetime = "7200"

const none: AnswerHeaders = {}
const varying: AnswerHeaders = { vary: "Origin" }

const sharedWith = (origin: string): AnswerHeaders => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": exposed,
})

/** Headers for the answer; none when the origin is not allowed, so that the browser keeps the answer from it. */
export function shareHeaders(allowed: AllowedOrigins, origin: string | undefined): AnswerHeaders {
  if (allowed.length === 0) return none
  if (allowed.includes("*")) return sharedWith("*")
  if (origin === undefined || !allowed.includes(origin)) return varying
  return { ...sharedWith(origin), ...varying }
}

/** Headers of the answer to a preflight, beside the headers of each answer; undefined for other requests. */
export function preflightHeaders(
  allowed: AllowedOrigins,
  { method, headers }: Pick<FaceRequest, "method" | "headers">,
): AnswerHeaders | undefined {
  const asked = headers["access-control-request-method"]
  if (allowed.length === 0 || method !== "OPTIONS" || asked === undefined) return undefined
  const shared = shareHeaders(allowed, headers["origin"])
  if (shared["access-control-allow-origin"] === undefined) return none
  return {
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": headers["access-control-request-headers"] ?? "Content-Type",
    "access-control-max-age": preflightLifetime,
    vary: "Access-Control-Request-Headers",
  }
}

/** Origins of requests that no face sees: those that are refused before all of their headers are known. */
export interface EarlySharing {
  /** For a request with all its headers. */
  note(request: IncomingMessage): void
  /** Headers for an answer on the connection. @param bytes of the request, as far as they are known */
  headersFor(socket: Socket, bytes?: Uint8Array): AnswerHeaders
}

const originLine = /\r\nOrigin:[ \t]*([^\r\n]*?)[ \t]*\r\n/i

export function createEarlySharing(allowed: AllowedOrigins): EarlySharing {
  const [only = "", ...others] = allowed
  // An answer for all origins, or for the only one, does not depend on the request.
  if (allowed.length === 0 || allowed.includes("*") || others.length === 0)
    return { note: () => {}, headersFor: () => shareHeaders(allowed, only) }
  const last = new WeakMap<Socket, string>()
  return {
    note({ socket, headers: { origin } }) {
      if (origin !== undefined && allowed.includes(origin)) last.set(socket, origin)
    },
    headersFor(socket, bytes) {
      const [, said] = originLine.exec(bytes ? Buffer.from(bytes).toString("latin1") : "") ?? []
      return shareHeaders(allowed, said ?? last.get(socket))
    },
  }
}
