// Ends a connection so that its client gets the last answer, also while the client still sends.
import type { Socket } from "node:net"
import type { AnswerHeaders } from "../http/answer.ts"

/** Milliseconds in which a client has to send something, or close, once its answers have all been sent. */
const silence = 1_000
/** Milliseconds that it has in all. */
const longest = 30_000

/**
 * A socket that closes with unread bytes makes the kernel send a reset, and the client loses an answer that it has not read.
 * So the server reads until the client has closed (RFC 9112 section 9.6).
 */
export function endGently(socket: Socket): void {
  if (socket.writableEnded || socket.destroyed) return
  socket.end()
  const until = performance.now() + longest
  let read = socket.bytesRead
  const look = setInterval(() => {
    const isSilent = socket.writableFinished && socket.bytesRead === read
    if (isSilent || performance.now() > until) socket.destroy()
    read = socket.bytesRead
  }, silence)
  socket.once("close", () => clearInterval(look))
}

/** Whether the connection has had its last answer, and nothing that comes is looked at any more. */
export const isEnding = (socket: Socket): boolean => socket.writableEnded && !socket.destroyed

/** The client learns why before anything of its request is read. */
export function refuseConnection(socket: Socket, detail: string, shared: AnswerHeaders = {}): void {
  const body = JSON.stringify({ title: "Overloaded", status: 503, detail, code: "overloaded" })
  const head = [
    "HTTP/1.1 503 Service Unavailable",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Retry-After: 1",
    ...Object.entries(shared).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
  ]
  socket.on("error", () => {})
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
  endGently(socket)
  socket.resume()
}
