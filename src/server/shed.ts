// The answer to a request that is refused before anything of it is read: as cheap as it can be.
import type { IncomingMessage, ServerResponse } from "node:http"
import { textOf } from "../base/json.ts"
import type { Telemetry } from "../base/telemetry.ts"
import type { AnswerHeaders } from "../http/answer.ts"
import { problemResponse } from "../rest/question/problem.ts"
import { overloaded } from "../storage/faults.ts"
import type { Incoming } from "./incoming.ts"
import { hasBody, requestIdOf } from "./incoming.ts"

const mark = "REQUEST-ID"
const refused = overloaded()
const problem = textOf(problemResponse(refused, { requestId: mark, locate: () => ({}) }).body).split(mark)
const [{ message, hint, code }] = refused.problems
const graphql = JSON.stringify({
  data: null,
  errors: [{ message, extensions: { code, requestId: mark, hint } }],
}).split(mark)

/** Seconds. */
const retryAfter = "1"

/** Bytes of a body that Node reads to its end, so that the connection can go on: a new one costs more. */
const shortBody = 65_536

const isShort = (request: IncomingMessage): boolean =>
  !hasBody(request) || Number(request.headers["content-length"] ?? Number.NaN) <= shortBody

interface Shedding {
  readonly isGraphql: boolean
  readonly shared: AnswerHeaders
  readonly telemetry?: Telemetry | undefined
}

/** The body of the request is not waited for. A long one ends the connection. */
export function shed(
  request: IncomingMessage,
  to: ServerResponse,
  { isGraphql, shared, telemetry }: Shedding,
): void {
  const { headers, body } = shedResponse(request, { isGraphql, shared, telemetry })
  if (!isShort(request)) headers.push("connection", "close")
  to.writeHead(503, headers)
  to.end(body)
}

interface Shed {
  /** Names and values in turn. */
  readonly headers: string[]
  readonly body: string
}

/** Its status is 503. */
export function shedResponse(
  { headers, method = "GET" }: Pick<Incoming, "headers" | "method">,
  { isGraphql, shared, telemetry }: Shedding,
): Shed {
  const { "x-request-id": given } = headers
  const requestId = requestIdOf(typeof given === "string" ? given : undefined)
  const body = (isGraphql ? graphql : problem).join(requestId)
  const sent = [
    "content-type",
    isGraphql ? "application/json; charset=utf-8" : "application/problem+json",
    "cache-control",
    "no-store",
    "retry-after",
    retryAfter,
    "x-request-id",
    requestId,
    "content-length",
    String(Buffer.byteLength(body)),
    ...Object.entries(shared).flat(),
  ]
  const record = telemetry?.beginRequest(requestId, method, headers)
  if (record) {
    record.face = isGraphql ? "graphql" : "none"
    record.status = 503
    record.code = code
    record.sent()
  }
  return { headers: sent, body }
}
