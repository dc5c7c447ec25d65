// Bounds the bytes that a connection of HTTP/2 sends beside its requests. nghttp2 ends floods of PING, SETTINGS and empty frames,
// but takes any number of WINDOW_UPDATE frames.
import type { ServerHttp2Session } from "node:http2"
import type { Socket } from "node:net"

export interface FrameBounds {
  /** Streams whose bytes may be on their way. */
  readonly streams: number
  /** Bytes of a request: its headers and its body. */
  readonly request: number
  /** The connection has been ended. */
  readonly ended: () => void
}

/** Bytes a second. */
const beside = 1_048_576
/** Milliseconds. */
const look = 1_000
/** Frames of a request take less than its content again. */
const framed = 2
/** ENHANCE_YOUR_CALM (RFC 9113 section 7). */
const calm = 11

export function boundFrames(
  session: ServerHttp2Session,
  socket: Socket,
  { streams, request, ended }: FrameBounds,
): void {
  /** Bytes that its requests may have. */
  let left = 0
  let seen = socket.bytesRead
  session.on("stream", () => {
    left = Math.min(left + request * framed, streams * request * framed)
  })
  const looking = setInterval(() => {
    const read = socket.bytesRead - seen
    seen = socket.bytesRead
    left -= Math.max(0, read - beside)
    if (left >= 0) return
    session.destroy(undefined, calm)
    ended()
  }, look).unref()
  session.once("close", () => clearInterval(looking))
}
