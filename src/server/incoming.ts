// A request as dispatch sees it: what a message of node:http has, and a request of the web can be given.
import { randomUUID } from "node:crypto"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { type Refusal, refusal } from "../base/problem.ts"
import type { Request } from "../base/request.ts"
import type { HeldBytes, Hold } from "./held-bytes.ts"

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

/** A body on its way. */
export interface ArrivingBody {
  /** Refuses it for want of memory. */
  giveUp(): void
}

export interface Arriving extends Pick<Incoming, "headers"> {
  readonly message: Readable
  /** Counts the bytes of bodies that are not whole; absent where a host does. */
  readonly held?: HeldBytes<ArrivingBody>
  /** Whether the end of the message is not the end of its body, as its client has given it up. */
  readonly isCut?: () => boolean
}

/** The body of a message that has one. */
export async function readWhole(arriving: Arriving, limit: number): Promise<Body | undefined> {
  // Its client may have left while the request waited: then no event comes any more.
  return arriving.message.destroyed ? undefined : await readAhead(arriving, limit)()
}

/** Begins to read a body whose request may have to wait: Node would keep each piece of it. Gives the reader of the rest. */
export function readAhead(arriving: Arriving, limit: number): () => Body | Promise<Body | undefined> {
  const { "content-length": length, "content-encoding": encoding } = arriving.headers
  if (Number(length ?? 0) > limit) return () => tooLarge(limit)
  const reading = new Reading(arriving, limit)
  return async () => plainBody(await reading.whole(), encoding)
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

/** Bytes of a body that are read before they are asked for. */
const mostAhead = 65_536

class Reading implements ArrivingBody {
  readonly #message: Readable
  readonly #held: Arriving["held"]
  /** Bytes that the client has announced; not a number where it has not. */
  readonly #length: number
  #hold: Hold | undefined
  readonly #gathered: Gathered
  readonly #read = Promise.withResolvers<Body | undefined>()
  #isOver = false
  #isAsked = false

  constructor({ message, headers, held, isCut }: Arriving, limit: number) {
    this.#message = message
    this.#held = held
    this.#length = Number(headers["content-length"] ?? Number.NaN)
    this.#gathered = new Gathered(limit)
    message.on("data", (chunk: Buffer) => this.#take(chunk))
    message.on("end", () => this.#settle(isCut?.() ? undefined : { bytes: this.#gathered.bytes }))
    message.on("error", () => this.#settle(undefined))
    message.on("close", () => this.#settle(undefined))
  }

  whole(): Promise<Body | undefined> {
    this.#isAsked = true
    this.#message.resume()
    return this.#read.promise
  }

  giveUp(): void {
    this.#settle(this.#gathered.refuse(crowded))
  }

  /** The rest of a body that is refused is thrown away: see farewell.ts. */
  #take(chunk: Buffer): void {
    const refused = this.#gathered.add(chunk)
    if (refused) this.#settle(refused)
    else if (this.#gathered.bytes.length !== this.#length) {
      this.#hold ??= this.#held?.hold(this, { bytes: 0 })
      this.#hold?.set(this.#gathered.room)
    }
    if (this.#gathered.isFlood) this.#message.destroy()
    else if (!this.#isAsked && this.#gathered.bytes.length >= mostAhead) this.#message.pause()
  }

  /** Settling a promise twice makes Node check for warnings. */
  #settle(body: Body | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#hold?.end()
    this.#read.resolve(body)
  }
}

/** Small pieces of a body, at the most; as many more are read when the body is refused. Each costs as much work as a large one. */
const mostSmall = 4_096
/** Bytes of a piece that is not small. */
const large = 256

/** A body that arrives in pieces, which are copied together: a piece of one byte would hold hundreds of bytes of memory. */
export class Gathered {
  readonly #limit: number
  #room: Uint8Array = empty
  #size = 0
  #small = 0
  #refused: Body | undefined

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Gives the refusal of a body that is not taken: what comes of it then is left out. */
  add(piece: Uint8Array): Body | undefined {
    if (piece.length < large) this.#small += 1
    const size = this.#size + piece.length
    if (this.#refused) return this.#refused
    if (size > this.#limit) return this.refuse(tooLarge(this.#limit))
    if (this.#small > mostSmall) return this.refuse(scattered)
    if (this.#size === 0) this.#room = piece
    else {
      if (size > this.#room.length) this.#grow(size)
      this.#room.set(piece, this.#size)
    }
    this.#size = size
    return undefined
  }

  refuse(refused: Body): Body {
    this.#refused = refused
    this.#room = empty
    this.#size = 0
    return refused
  }

  /** Bytes of memory that it takes. */
  get room(): number {
    return this.#room.length
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size)
  }

  /** The client goes on with small pieces, so that not even its answer is worth the work. */
  get isFlood(): boolean {
    return this.#small > 2 * mostSmall
  }

  #grow(size: number): void {
    const before = this.bytes
    this.#room = Buffer.allocUnsafe(Math.min(2 * size, this.#limit))
    this.#room.set(before)
  }
}

const scattered: Body = {
  bytes: empty,
  refused: refusal(
    "too_large",
    `The request's body has more than ${mostSmall} pieces of less than ${large} bytes.`,
    { hint: "Send it in larger pieces (chunks of HTTP/1.1, DATA frames of HTTP/2), or with its length." },
  ),
  unread: true,
}

const crowded: Body = {
  bytes: empty,
  refused: refusal("overloaded", "Too many bodies of requests are on their way.", {
    hint: "Try again in a moment.",
  }),
  unread: true,
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
