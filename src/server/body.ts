// Reads a request's body as it came, within its limit.
import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { type Refusal, refusal } from "../base/problem.ts"
import type { Incoming } from "./incoming.ts"

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
