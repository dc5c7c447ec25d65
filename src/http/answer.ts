// An answer over HTTP: its headers, and its body.

import { perObject } from "../base/caches.ts"
import { type Json, joinJson, sizeOf } from "../base/json.ts"
import type { Model } from "../model/model.ts"
import { versionHeader, versionOf } from "../model/versions/served.ts"

// The headers of answers: one table of their names, from which the types of responses and cross-origin sharing follow.

/**
 * The reader of the header where a page of another origin has the answer. `page`: a script, which needs it exposed. `safe`: a
 * script, which can always read it (Fetch standard, section 2.2.2). `transport`: the browser, or a cache before it.
 */
type Reader = "page" | "safe" | "transport"

const answerHeaders = {
  "accept-encoding": "page",
  "accept-patch": "page",
  "accept-post": "page",
  "access-control-allow-headers": "transport",
  "access-control-allow-methods": "transport",
  "access-control-allow-origin": "transport",
  "access-control-expose-headers": "transport",
  "access-control-max-age": "transport",
  allow: "page",
  "api-version": "page",
  "cache-control": "safe",
  connection: "transport",
  "content-encoding": "transport",
  "content-length": "safe",
  "content-security-policy": "transport",
  "content-type": "safe",
  cost: "page",
  "cross-origin-opener-policy": "transport",
  deprecation: "page",
  etag: "page",
  "idempotency-replayed": "page",
  link: "page",
  location: "page",
  "preference-applied": "page",
  ratelimit: "page",
  "ratelimit-policy": "page",
  "referrer-policy": "transport",
  "retry-after": "page",
  "strict-transport-security": "transport",
  sunset: "page",
  "value-errors": "page",
  vary: "transport",
  "www-authenticate": "page",
  "x-accel-buffering": "transport",
  "x-content-type-options": "transport",
  "x-frame-options": "transport",
  "x-request-id": "page",
} as const satisfies Readonly<Record<string, Reader>>

/** In lower case. */
export type AnswerHeader = keyof typeof answerHeaders

export type AnswerHeaders = Readonly<Partial<Record<AnswerHeader, string>>>

/** Names of headers of answers, in lower case. */
export const headerNames = Object.keys(answerHeaders) as readonly AnswerHeader[]

/** Headers that a page of another origin may read only where the answer says so. */
export const exposedHeaders: readonly AnswerHeader[] = headerNames.filter(
  (name) => answerHeaders[name] === "page",
)

// Headers with the served version, and with the end of an older one.
export interface VersionHeaders {
  /** Names and values in turn. */
  readonly own: readonly string[]
  /** Relations to put beside the answer's own `Link` (RFC 8288). */
  readonly link?: string
}

const none: VersionHeaders = { own: [] }

/** @param base the path before both faces */
export const versionHeaders = perObject((model: Model, base: string): VersionHeaders => {
  const { versions } = model
  if (!versions) return none
  const name = versionOf(model)
  const at = versions.findIndex((version) => version.name === name)
  const served = [versionHeader, name ?? ""]
  const [newer, own] = [versions[at - 1], versions[at]]
  if (!newer) return { own: served }
  const sunset = own?.ends === undefined ? [] : ["sunset", new Date(`${own.ends}T00:00:00Z`).toUTCString()]
  return {
    // RFC 9745 section 2, RFC 8594 section 3.
    own: [...served, "deprecation", `@${Date.parse(`${newer.name}T00:00:00Z`) / 1_000}`, ...sunset],
    // RFC 9745 section 3, RFC 5829 section 3.3.
    link: `<${base}/changelog>; rel="deprecation", <${base}/changelog#${newer.name}>; rel="successor-version"`,
  }
})

// The body of a response: JSON that is there as a whole, or a stream of pieces that are made while they are sent.

/** Pieces of UTF-8 in their order. The stream is iterated at most once, and only while its client reads. */
export interface BodyStream extends AsyncIterable<string | Buffer> {
  /** Aborts to end the answer at once, whatever its client has not taken. */
  readonly cut?: AbortSignal
}

/** Options of a pipeline. */
export const cutBy = ({ cut }: BodyStream): { readonly signal?: AbortSignal } => (cut ? { signal: cut } : {})

export type Body = Json | BodyStream

export const isStream = (body: Body): body is BodyStream =>
  typeof body === "object" && Symbol.asyncIterator in body

/** Waits for all pieces. */
export async function wholeBody(body: Body): Promise<Json> {
  return isStream(body) ? joinJson(await Array.fromAsync(body)) : body
}

/** The body of an answer to HEAD. A stream stays one, so that its answer has no length either (RFC 9110 section 8.6). */
export const emptied = (body: Body): Body => (isStream(body) ? noPieces : "")

export const noPieces: BodyStream = { async *[Symbol.asyncIterator]() {} }

/** Bytes of a response up to which it is sent as a whole, with its length. */
const mostWhole = 64 * 1024

/** A stream, or the whole where the source is small. @param source the data that the stream sends */
export async function streamed(source: Json, stream: BodyStream): Promise<Body> {
  return sizeOf(source) <= mostWhole ? wholeBody(stream) : stream
}
