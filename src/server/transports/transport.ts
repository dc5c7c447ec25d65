// The transport of a server that speaks more than plain HTTP/1.1: its certificate, and the front before it.
import type { Server as HttpServer } from "node:http"
import type { Server } from "node:net"
import type { Observe } from "../observation.ts"
import { type CertificateFiles, readCertificate, watchCertificate, watchValidity } from "./certificate.ts"
import { createFront, type Front } from "./front.ts"
import { createHttp2, type Http2Options } from "./http2.ts"

export interface TransportOptions {
  /** Absent: HTTP/2 without TLS, beside HTTP/1.1. */
  readonly tls?: CertificateFiles | undefined
  readonly observe: Observe
}

export interface Transport {
  /** Gives what listens in the server's place. */
  before(server: HttpServer, options: Http2Options): Server
  /** The end of its certificate's validity, if it has one. */
  validUntil(): Date | undefined
  end(): void
}

/** Milliseconds for a handshake, and for the first bytes of a connection. */
const patience = 10_000

/** Rejects with a Refusal where the certificate cannot be used. */
export async function createTransport({ tls, observe }: TransportOptions): Promise<Transport> {
  let certificate = tls && (await readCertificate(tls))
  const validity = certificate && watchValidity(() => certificate?.valid, observe)
  const fronts: Front[] = []
  const watching =
    tls &&
    watchCertificate(tls, {
      renewed(read) {
        certificate = read
        for (const front of fronts) front.renew(read)
        observe({ kind: "certificate", problem: undefined })
        validity?.look()
      },
      failed: (problem) => observe({ kind: "certificate", problem }),
    })
  return {
    before(server, options) {
      const front = createFront({
        certificate,
        patience,
        takeHttp2: createHttp2(options),
        takeHttp1: (socket) => void server.emit("connection", socket),
      })
      // Node looks at deadlines of its connections from then on.
      front.server.once("listening", () => server.emit("listening"))
      fronts.push(front)
      return front.server
    },
    validUntil: () => certificate?.valid.until,
    end() {
      watching?.end()
      validity?.end()
    },
  }
}
