// Answers requests that are malformed, arrive too slowly, or have an unknown expectation; they reach no face.
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { textOf } from "../base/json.ts"
import { refusal } from "../base/problem.ts"
import type { Telemetry } from "../base/telemetry.ts"
import type { AnswerHeaders } from "../http/answer.ts"
import { problemResponse } from "../rest/question/problem.ts"
import type { EarlySharing } from "./cross-site.ts"
import { endGently, isEnding } from "./farewell.ts"
import { requestIdOf } from "./incoming.ts"

interface Fault {
  /** Code and reason (RFC 9110 section 15). */
  readonly status: readonly [number, string]
  readonly detail: string
  readonly hint?: string
}

const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: [431, "Request Header Fields Too Large"],
    detail: "The address and headers are larger than this server reads.",
    hint: "Send a long question in a body instead.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: [408, "Request Timeout"],
    detail: "The request took too long to arrive.",
  },
}
const malformed: Fault = { status: [400, "Bad Request"], detail: "This is not an HTTP request." }

/** RFC 9110 section 10.1.1. */
const expecting: Fault = {
  status: [417, "Expectation Failed"],
  detail: "The header Expect asks for what this server does not do.",
  hint: "Send 100-continue, or leave the header out.",
}

/** RFC 9112 section 6.1: the server cannot undo the coding, and the body's length without it is unknown. */
const coded: Fault = {
  status: [501, "Not Implemented"],
  detail: "The header Transfer-Encoding names a coding other than chunked.",
  hint: "Send the body without it: Transfer-Encoding: chunked, or Content-Length.",
}

interface Early extends Pick<EarlySharing, "headersFor"> {
  readonly telemetry: Telemetry | undefined
}

/** For Node's `clientError` event. */
export function answerMalformed(
  error: Error & { readonly code?: string; readonly rawPacket?: Uint8Array },
  socket: Socket,
  { headersFor, telemetry }: Early,
): void {
  // The rest of what was refused is no request either.
  if (isEnding(socket) && error.code !== "ECONNRESET") return
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const fault = faults[error.code ?? ""] ?? malformed
  const { requestId, head, body } = worded(fault, undefined, headersFor(socket, error.rawPacket))
  telemetry?.refused(requestId, {
    method: methodIn(error.rawPacket),
    status: fault.status[0],
    code: "malformed_request",
  })
  const lines = [...head, ["Connection", "close"]].map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${fault.status.join(" ")}\r\n${lines.join("")}\r\n${body}`)
  endGently(socket)
}

interface Refusing {
  readonly shared: AnswerHeaders
  readonly telemetry: Telemetry | undefined
}

/** For Node's `checkExpectation` event, which Node emits for expectations other than `100-continue`. */
export const answerExpectation = (request: IncomingMessage, to: ServerResponse, by: Refusing): void =>
  refuse(expecting, request, { to, ...by })

/** For requests that have a transfer coding. The rest may be malformed, too, and has no answer of its own. */
export function answerTransferCoding(request: IncomingMessage, to: ServerResponse, by: Refusing): void {
  refuse(coded, request, { to, ...by })
  if (to.socket) endGently(to.socket)
}

function refuse(
  fault: Fault,
  { headers, method = "" }: IncomingMessage,
  { to, shared, telemetry }: Refusing & { readonly to: ServerResponse },
): void {
  const { requestId, head, body } = worded(fault, headers["x-request-id"], shared)
  const [status] = fault.status
  telemetry?.refused(requestId, { method, status, code: "malformed_request" })
  // The next bytes may be a body that waits for an answer, or the next request.
  to.writeHead(status, [...head, ["Connection", "close"]].flat())
  to.end(body)
}

/** The packet came last, and may be the middle of a request. */
const methodIn = (packet: Uint8Array | undefined): string =>
  /^[A-Z]{1,16}(?= )/.exec(Buffer.from(packet?.subarray(0, 17) ?? []).toString("latin1"))?.[0] ?? "unknown"

interface Worded {
  readonly requestId: string
  readonly head: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

function worded(
  { status: [status], detail, hint }: Fault,
  given: string | string[] | undefined,
  shared: AnswerHeaders,
): Worded {
  const requestId = requestIdOf(typeof given === "string" ? given : undefined)
  const refused = refusal("malformed_request", detail, hint === undefined ? {} : { hint })
  const { headers, body } = problemResponse(refused, { requestId, locate: () => ({}), status })
  return {
    requestId,
    head: [["x-request-id", requestId], ...Object.entries({ ...headers, ...shared })],
    body: textOf(body),
  }
}
