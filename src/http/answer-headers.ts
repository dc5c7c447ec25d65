// The headers of answers: one table of their names, from which the types of responses and cross-origin sharing follow.

/**
 * The reader of the header where a page of another origin has the answer. `page`: a script, for which it is exposed. `safe`: a
 * script, which reads it anyway (Fetch standard, section 2.2.2). `transport`: the browser, or a cache before it.
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
