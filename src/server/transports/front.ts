// The front of a server that speaks more than plain HTTP/1.1: TLS, and the choice of the protocol.
import { createServer as createPlain, type Server, type Socket } from "node:net"
import { createServer as createSecure } from "node:tls"
import type { Certificate } from "./certificate.ts"
import type { TakeHttp2 } from "./http2.ts"

export interface FrontOptions {
  /** Absent: without TLS, where first bytes distinguish clients of HTTP/2 from others. */
  readonly certificate: Certificate | undefined
  readonly takeHttp1: (socket: Socket) => void
  readonly takeHttp2: TakeHttp2
  /** Milliseconds for a handshake, and for the first bytes. */
  readonly patience: number
}

export interface Front {
  readonly server: Server
  /** For connections from now on. */
  renew(certificate: Certificate): void
}

export function createFront({ certificate, takeHttp1, takeHttp2, patience }: FrontOptions): Front {
  if (!certificate) {
    const server = createPlain({ noDelay: true, allowHalfOpen: true }, (socket) =>
      chooseByFirstBytes(socket, { takeHttp1, takeHttp2, patience }),
    )
    return { server, renew: () => {} }
  }
  const server = createSecure({
    ...certificate,
    // RFC 7301.
    ALPNProtocols: ["h2", "http/1.1"],
    handshakeTimeout: patience,
    noDelay: true,
    allowHalfOpen: true,
  })
  server.on("secureConnection", (socket) =>
    socket.alpnProtocol === "h2" ? takeHttp2(socket) : takeHttp1(socket),
  )
  // Node ends the connection; a client that speaks something else is no fault of ours.
  server.on("tlsClientError", () => {})
  return { server, renew: (renewed) => server.setSecureContext(renewed) }
}

/** The beginning of a connection whose client knows that it may speak HTTP/2 (RFC 9113 section 3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

/** Looks at as many bytes as it takes, and leaves them where they were. */
function chooseByFirstBytes(
  socket: Socket,
  { takeHttp1, takeHttp2, patience }: Pick<FrontOptions, "takeHttp1" | "takeHttp2" | "patience">,
): void {
  const seen: Buffer[] = []
  const gone = (): void => void socket.destroy()
  const cut = setTimeout(gone, patience)
  const choose = (take: (socket: Socket) => void): void => {
    clearTimeout(cut)
    for (const [event, listener] of listeners) socket.off(event, listener)
    if (seen.length > 0) socket.unshift(Buffer.concat(seen))
    if (!socket.destroyed) take(socket)
  }
  const look = (): void => {
    const bytes = socket.read() as Buffer | null
    if (!bytes) return
    seen.push(bytes)
    const begin = Buffer.concat(seen).subarray(0, preface.length)
    if (!preface.subarray(0, begin.length).equals(begin)) choose(takeHttp1)
    else if (begin.length === preface.length) choose(takeHttp2)
  }
  const listeners = [
    ["readable", look],
    // A half of a preface, or nothing.
    ["end", gone],
    ["error", gone],
    ["close", () => clearTimeout(cut)],
  ] as const
  for (const [event, listener] of listeners) socket.on(event, listener)
}
