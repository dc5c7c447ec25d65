// Ends a connection so that its client gets the last answer, also while the client still sends.
import type { Socket } from "node:net"

/** Milliseconds in which a client has to send something, or close, once its answers have all been sent. */
const silence = 1_000
/** Milliseconds that it has in all. */
const longest = 30_000

/**
 * Bytes that nobody has read when a socket is closed have the kernel send a reset, for which the client loses an answer that
 * it has not read. So what comes is read until the client has closed (RFC 9112 section 9.6).
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
