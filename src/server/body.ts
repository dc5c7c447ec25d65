// Reads a request's body as it came, within its limit.
import type { IncomingMessage } from "node:http"
import { type Refusal, refusal } from "../base/problem.ts"

export interface Body {
  readonly bytes: Uint8Array
  /** Set when the body cannot be taken; `bytes` is empty then. */
  readonly refused?: Refusal
  /** The rest of the body is not worth waiting for: the connection has to end with the answer. */
  readonly unread?: true
}

const empty = new Uint8Array()

export const noBody: Body = { bytes: empty }

/** RFC 9112 section 6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"]
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
}

/** How many times the limit is still read and thrown away, so that the client gets to read its answer. */
const patience = 16

/** Undefined when the client went away in the middle. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body | undefined> {
  const { "content-length": length, "content-encoding": encoding } = request.headers
  const announced = Number(length ?? 0)
  if (announced > limit * patience) return { bytes: empty, refused: tooLarge(limit), unread: true }
  const read = await collect(request, limit)
  if (read === undefined || read.refused) return read
  if (encoding === undefined || encoding.toLowerCase() === "identity") return read
  return {
    bytes: empty,
    refused: refusal(
      "unsupported_media_type",
      `Content-Encoding ${JSON.stringify(encoding)} is not accepted.`,
      {
        hint: "Send the body as it is, without compressing it.",
      },
    ),
  }
}

function collect(request: IncomingMessage, limit: number): Promise<Body | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let over = false
    // A promise that is settled again has Node look whether somebody should be warned.
    const settle = (body: Body | undefined): void => {
      if (over) return
      over = true
      resolve(body)
    }
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (size > limit * patience) settle({ bytes: empty, refused: tooLarge(limit), unread: true })
    })
    request.on("end", () =>
      settle(size > limit ? { bytes: empty, refused: tooLarge(limit) } : { bytes: joined(chunks) }),
    )
    request.on("error", () => settle(undefined))
    request.on("close", () => settle(undefined))
  })
}

function joined(chunks: readonly Buffer[]): Uint8Array {
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
}

function tooLarge(limit: number): Refusal {
  return refusal("too_large", `The request's body is larger than ${limit} bytes.`, {
    hint: "Ask for less at a time.",
  })
}
