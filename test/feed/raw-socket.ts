// A WebSocket client that sends the bytes that it is given, whatever RFC 6455 says of them.
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export interface Frame {
  /** First byte: FIN, reserved bits and opcode. */
  readonly first: number
  readonly payload: Buffer
  /** Clients mask their frames; true when absent. */
  readonly masked?: boolean
  /** The length that the frame claims, where that is another. */
  readonly claimed?: number
}

export const text = 0x81

export function frameBytes({ first, payload, masked = true, claimed = payload.length }: Frame): Buffer {
  const bit = masked ? 0x80 : 0
  const head =
    claimed < 126
      ? Buffer.from([first, bit | claimed])
      : claimed < 65_536
        ? Buffer.from([first, bit | 126, claimed >> 8, claimed & 0xff])
        : Buffer.concat([Buffer.from([first, bit | 127]), lengthOf(claimed)])
  if (!masked) return Buffer.concat([head, payload])
  const mask = randomBytes(4)
  const hidden = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return Buffer.concat([head, mask, hidden])
}

function lengthOf(claimed: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(claimed))
  return bytes
}

/** Sends the bytes on a connection of its own. @returns the code that the server closes with; undefined for none */
export async function closeCodeAfter(url: string, bytes: readonly Buffer[]): Promise<number | undefined> {
  const { port } = new URL(url)
  const socket = connect(Number(port), "127.0.0.1")
  await once(socket, "connect")
  socket.write(
    [
      "GET /graphql HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Protocol: graphql-transport-ws",
      "\r\n",
    ].join("\r\n"),
  )
  for (const one of bytes) socket.write(one)
  return closeCode(await received(socket))
}

async function received(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = []
  socket.on("data", (part) => void parts.push(part))
  // The server has the last word: it waits for the answer to its close, and cuts then.
  socket.on("error", () => {})
  const closing = setInterval(() => {
    if (closeCode(Buffer.concat(parts)) !== undefined) socket.destroy()
  }, 5)
  await once(socket, "close")
  clearInterval(closing)
  return Buffer.concat(parts)
}

/** Frames of the server are not masked, and these are short. */
function closeCode(all: Buffer): number | undefined {
  const begin = all.indexOf("\r\n\r\n")
  for (let at = begin + 4; begin >= 0 && at + 2 <= all.length; ) {
    const length = (all[at + 1] ?? 0) & 0x7f
    if (all[at] === 0x88) return length >= 2 && at + 4 <= all.length ? all.readUInt16BE(at + 2) : undefined
    at += 2 + length
  }
  return undefined
}
