// Answers what is not HTTP, or takes too long to become it: nothing of it has reached a face.
import type { Socket } from "node:net"
import { codes } from "../base/codes.ts"
import { problemTypeUri } from "../faces/rest/problem.ts"

interface Fault {
  readonly status: string
  readonly detail: string
}

const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    detail:
      "The address and headers are larger than this server reads. Send a long question in a body instead.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", detail: "The request took too long to arrive." },
}
const malformed: Fault = { status: "400 Bad Request", detail: "This is not an HTTP request." }

const code = "malformed_request"

/** For Node's `clientError` event. */
export function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const fault = faults[error.code ?? ""] ?? malformed
  const body = JSON.stringify({
    type: problemTypeUri(code),
    title: codes[code].title,
    status: Number(fault.status.slice(0, 3)),
    detail: fault.detail,
    code,
  })
  socket.end(
    `HTTP/1.1 ${fault.status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
