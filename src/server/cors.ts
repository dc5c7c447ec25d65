// Cross-origin sharing (Fetch standard, section 3.3): off unless the service says which origins may read its answers.
import type { FaceRequest } from "../http/face.ts"

/** Origins such as `https://shop.example`, or `*` for every one. */
export type AllowedOrigins = readonly string[]

type Headers = Readonly<Record<string, string>>

const exposed =
  "Accept-Patch, Allow, API-Version, Cost, Deprecation, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id"
const preflightLifetime = "600"

const none: Headers = {}

/** Headers for the answer; none when the origin is not allowed, so that the browser keeps the answer from it. */
export function shareHeaders(allowed: AllowedOrigins, request: FaceRequest): Headers {
  const origin = request.headers["origin"]
  if (allowed.length === 0) return none
  if (allowed.includes("*"))
    return { "access-control-allow-origin": "*", "access-control-expose-headers": exposed }
  if (origin === undefined || !allowed.includes(origin)) return { vary: "Origin" }
  return { "access-control-allow-origin": origin, "access-control-expose-headers": exposed, vary: "Origin" }
}

/** The answer to a preflight, or undefined when the request is none. */
export function preflightHeaders(allowed: AllowedOrigins, request: FaceRequest): Headers | undefined {
  const method = request.headers["access-control-request-method"]
  if (allowed.length === 0 || request.method !== "OPTIONS" || method === undefined) return undefined
  const shared = shareHeaders(allowed, request)
  if (shared["access-control-allow-origin"] === undefined) return shared
  return {
    ...shared,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "Content-Type",
    "access-control-max-age": preflightLifetime,
    vary: "Origin, Access-Control-Request-Headers",
  }
}
