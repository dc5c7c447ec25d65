// A request as dispatch sees it: what a message of node:http has, and a request of the web can be given.

import { randomUUID } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

export interface Incoming {
  /** GET when absent. */
  readonly method?: string | undefined
  /** The target (RFC 9112 section 3.2): a path with its query, or an absolute URL. */
  readonly url?: string | undefined
  /** Such as `1.1`. */
  readonly httpVersion: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
  readonly socket: Connection
}

/** The client, as long as it is there. */
interface Connection {
  readonly destroyed: boolean
  readonly remoteAddress?: string | undefined
  /** The connection is one of TLS. */
  readonly encrypted?: boolean | undefined
  once(event: "close", gone: () => void): unknown
  off(event: "close", gone: () => void): unknown
}

// The id that a request, its answer and our log share. https://http.dev/x-request-id
const sane = /^[A-Za-z0-9][A-Za-z0-9._~:+/=@-]{0,127}$/

/** The client's own id when it is short and harmless in a log, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && sane.test(given) ? given : randomUUID()
}
