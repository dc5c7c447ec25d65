// HTTP/2 frame by frame (RFC 9113 section 4.1): for what a library's client never sends.
import type { Socket } from "node:net"

interface Frame {
  readonly type: number
  readonly flags?: number
  readonly stream: number
  readonly payload?: Uint8Array
}

const types = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, window: 8, continuation: 9 } as const
/** Of DATA and HEADERS. */
const endStream = 1
/** Of HEADERS; of SETTINGS and PING it acknowledges. */
const [endHeaders, acknowledged] = [4, 1]

function frame({ type, flags = 0, stream, payload = new Uint8Array() }: Frame): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Before all frames of a client. */
export const opening = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame({ type: types.settings, stream: 0 }),
])

/**
 * Names and values shorter than 127 bytes, as they are (RFC 7541 section 6.2.2).
 * @param isWhole whether no body follows; `begun`: more headers follow
 */
export function headers(
  stream: number,
  fields: Readonly<Record<string, string>>,
  isWhole: boolean | "begun" = false,
): Buffer {
  const texts = Object.entries(fields).map(([name, value]) => {
    const parts = [name, value].map((text) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]))
    return Buffer.concat([Buffer.of(0), ...parts])
  })
  const flags = isWhole === "begun" ? 0 : endHeaders | (isWhole ? endStream : 0)
  return frame({ type: types.headers, flags, stream, payload: Buffer.concat(texts) })
}

export const data = (stream: number, text: string, isLast = false): Buffer =>
  frame({ type: types.data, flags: isLast ? endStream : 0, stream, payload: Buffer.from(text) })

export function reset(stream: number, code: number): Buffer {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(code)
  return frame({ type: types.reset, stream, payload })
}

export const ping = frame({ type: types.ping, stream: 0, payload: Buffer.alloc(8) })
export const settings = frame({ type: types.settings, stream: 0 })

/** So many bytes more may be sent to the client; of the connection where the stream is 0. */
export function window(stream: number, bytes = 1): Buffer {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(bytes)
  return frame({ type: types.window, stream, payload })
}

/** An empty part of headers that have not ended. */
export const continuation = (stream: number): Buffer => frame({ type: types.continuation, stream })

/** Sends a PING, and resolves when the server has taken everything before it; false where the connection has ended. */
export async function taken(socket: Socket): Promise<boolean> {
  const answer = frame({ type: types.ping, flags: acknowledged, stream: 0, payload: Buffer.alloc(8) })
  const seen: Buffer[] = []
  return new Promise((resolve) => {
    const look = (chunk: Buffer): void => {
      seen.push(chunk)
      if (Buffer.concat(seen).includes(answer)) tell(true)
    }
    const gone = (): void => tell(false)
    const tell = (is: boolean): void => {
      socket.off("data", look)
      socket.off("close", gone)
      resolve(is)
    }
    if (socket.destroyed) return tell(false)
    socket.on("data", look)
    socket.on("close", gone)
    socket.write(ping)
  })
}
