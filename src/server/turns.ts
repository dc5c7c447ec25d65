// Requests that arrive on a connection before others there are answered are done at the same time only when all of them
// are safe (RFC 9112 section 9.3.2): what is sent after a write sees what it wrote.
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

export interface Turns {
  /** When the request may be looked at; undefined: now, as is that of a client that waits for its answers. */
  wait(request: IncomingMessage, to: ServerResponse): Promise<void> | undefined
  /** It is answered. */
  end(request: IncomingMessage): void
}

/** RFC 9110 section 9.2.1. */
const safe: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"])

export function createTurns(): Turns {
  /** The last request of a connection that is not safe, while it is unanswered. */
  const unsafe = new WeakMap<Socket, IncomingMessage>()
  return {
    wait(request, to) {
      const isSafe = safe.has(request.method)
      // A response has a connection when all before it are sent.
      const isFirst = to.socket !== null
      if (isFirst && isSafe) return undefined
      const { socket } = request
      const waits = !isFirst && (!isSafe || unsafe.has(socket))
      if (!isSafe) unsafe.set(socket, request)
      return waits ? new Promise((resolve) => to.once("socket", () => resolve())) : undefined
    },
    end(request) {
      if (!safe.has(request.method) && unsafe.get(request.socket) === request) unsafe.delete(request.socket)
    },
  }
}
