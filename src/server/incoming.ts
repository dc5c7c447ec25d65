// A request as dispatch sees it: what a message of node:http has, and a request of the web can be given.
import { randomUUID } from "node:crypto"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { type Refusal, refusal } from "../base/problem.ts"
import type { Request } from "../base/request.ts"

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

// Reads a request's body as it came, within its limit.
export interface Body {
  readonly bytes: Uint8Array
  /** Set when the body cannot be taken; `bytes` is empty then. */
  readonly refused?: Refusal
  /** Content codings that a body may have, where its own was refused (RFC 9110 section 12.5.3). */
  readonly takes?: "identity"
  /** The rest of the body is not worth waiting for: the connection has to end with the answer. */
  readonly unread?: true
}

const empty = new Uint8Array()

/** Gives undefined when the client went away in the middle. @param limit bytes */
export type ReadBody<Message> = (message: Message, limit: number) => Body | Promise<Body | undefined>

export const noBody: Body = { bytes: empty }

/** RFC 9112 section 6.3. */
export function hasBody({ headers }: Pick<Incoming, "headers">): boolean {
  const length = headers["content-length"]
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
}

/** Paths whose requests are never refused for load, as long as they take no more than an answer. */
const probes: ReadonlySet<string> = new Set(["/health", "/livez", "/readyz"])

/** Reads without a body. Credentials are looked up at one of the paths, so that a request with them waits its turn there. */
export const isProbe = ({
  method,
  url = "",
  headers,
}: Pick<Incoming, "method" | "url" | "headers">): boolean =>
  probes.has(url) &&
  (method === "GET" || method === "HEAD") &&
  !hasBody({ headers }) &&
  (url !== "/health" || headers.authorization === undefined)

/** Whether the transfer has a coding that Node does not undo. */
export function hasTransferCoding({ headers }: Pick<Incoming, "headers">): boolean {
  const codings = headers["transfer-encoding"]
  return codings !== undefined && codings.toLowerCase() !== "chunked"
}

/** The body of a message of node:http. */
export const readBody: ReadBody<IncomingMessage> = (request, limit) =>
  hasBody(request) ? readWhole({ message: request, headers: request.headers }, limit) : noBody

interface Arriving extends Pick<Incoming, "headers"> {
  readonly message: Readable
  /** Whether the end of the message is not the end of its body, as its client has given it up. */
  readonly isCut?: () => boolean
}

/** The body of a message that has one. */
export async function readWhole(arriving: Arriving, limit: number): Promise<Body | undefined> {
  const { "content-length": length, "content-encoding": encoding } = arriving.headers
  const announced = Number(length ?? 0)
  if (announced > limit) return tooLarge(limit)
  return plainBody(await collect(arriving, limit), encoding)
}

/** Refuses the body that has a content coding. */
export function plainBody(read: Body | undefined, encoding: string | undefined): Body | undefined {
  if (read === undefined || read.refused) return read
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity") return read
  return {
    bytes: empty,
    takes: "identity",
    refused: refusal(
      "unsupported_media_type",
      `Content-Encoding ${JSON.stringify(encoding)} is not accepted.`,
      {
        hint: "Send the body as it is, without compressing it and without this header.",
      },
    ),
  }
}

function collect({ message, isCut }: Arriving, limit: number): Promise<Body | undefined> {
  return new Promise((resolve) => {
    // Its client may have left while the request waited: then none of the events below comes any more.
    if (message.destroyed) return resolve(undefined)
    const chunks: Buffer[] = []
    let size = 0
    let over = false
    // Settling a promise twice makes Node check for warnings.
    const settle = (body: Body | undefined): void => {
      if (over) return
      over = true
      resolve(body)
    }
    message.on("data", (chunk: Buffer) => {
      // The rest is thrown away: see farewell.ts.
      if (over) return
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else settle(tooLarge(limit))
    })
    message.on("end", () => settle(isCut?.() ? undefined : { bytes: joined(chunks) }))
    message.on("error", () => settle(undefined))
    message.on("close", () => settle(undefined))
  })
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
}

/** Refused as soon as it is known: the client may send the rest slowly, or never. */
export const tooLarge = (limit: number): Body => ({
  bytes: empty,
  refused: refusal("too_large", `The request's body is larger than ${limit} bytes.`, {
    hint: "Send less at a time.",
  }),
  unread: true,
})

/** @param watch calls back when the client is gone, and gives the function that ends the watch */
export const goneUnlessShared =
  (marks: Request["marks"], watch: (gone: () => void) => () => void): NonNullable<Request["whenGone"]> =>
  (listener) =>
    watch(() => {
      if (marks.shared) return
      marks.gone = true
      listener()
    })
