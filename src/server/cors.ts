// Cross-origin sharing (Fetch standard, section 3.3): off unless the service says which origins may read its answers.
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { type AnswerHeaders, exposedHeaders } from "../http/answer-headers.ts"
import type { FaceRequest } from "../http/face.ts"

/** Origins such as `https://shop.example`, or `*` for every one. */
export type AllowedOrigins = readonly string[]

const exposed = exposedHeaders.join(", ")
/** Seconds: the longest that a browser of today keeps a preflight for, that of Chromium. */
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

/** Headers of the answer to a preflight, beside those of each answer; undefined when the request is none. */
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
