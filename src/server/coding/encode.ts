// Sends an answer in the content coding that its client likes best (RFC 9110 section 8.4). Small answers stay as they are:
// one that fits into a packet would gain nothing.
import type { Transform } from "node:stream"
import { isText, type Json, piecesOf, sizeOf } from "../../base/json.ts"
import { isStream } from "../../http/body.ts"
import type { FaceResponse } from "../../http/face.ts"
import { type Coding, codings, createNegotiate, type Negotiate, type Negotiated } from "./accept-encoding.ts"
import { codedTag, heldTag } from "./coded-tags.ts"
import { compress, compressPieces } from "./compress.ts"
import { createKept, type Keep } from "./kept-documents.ts"

export type Compression = "auto" | "off"

export interface ContentCoding {
  /** Besides identity. */
  readonly available: readonly Coding[]
  readonly negotiate: Negotiate
  /** Nothing is awaited for an answer that stays as it is. */
  encode(response: FaceResponse, asked: Asked): Coded | Promise<Coded>
}

interface Asked {
  readonly negotiated: Negotiated
  /** As the client sent it. */
  readonly ifNoneMatch: string | undefined
  /** The answer shows what must not be guessed from its length: it is coded only for a client that takes nothing else. */
  readonly isSecret: boolean
}

export interface Coded extends FaceResponse {
  /** Makes what the pieces of a stream pass through on their way. */
  readonly through?: () => Transform
}

/** Bytes from which on an answer is coded. */
const threshold = 1024

export function createCoding(compression: Compression): ContentCoding {
  if (compression === "off")
    return { available: [], negotiate: createNegotiate([]), encode: (response) => response }
  const keep = createKept()
  return {
    available: codings,
    negotiate: createNegotiate(codings),
    encode(response, asked) {
      const size = sizeOfAnswer(response)
      const { needed } = asked.negotiated
      if (size === 0) return response
      // A client that excluded identity before may hold it in a coding.
      if (size < threshold && needed === undefined)
        return response.status === 304 ? withHeldTag(response, asked, undefined) : response
      const isLive = response.headers["content-type"]?.startsWith("text/event-stream") === true
      if (isLive && needed === undefined) return response
      const isPlain = asked.isSecret || isLive || size < threshold
      const coding = isPlain ? needed : asked.negotiated.chosen
      const varied = withVary(response)
      if (response.status === 304) return withHeldTag(varied, asked, coding)
      return coding === undefined ? varied : encodeAs(coding, varied, keep)
    },
  }
}

/** Bytes of the body, or of the one that a 304 stands for. */
function sizeOfAnswer({ status, body, size = 0 }: FaceResponse): number {
  if (status === 304) return size
  return isStream(body) ? Number.POSITIVE_INFINITY : sizeOf(body)
}

function withVary(response: FaceResponse): FaceResponse {
  const { vary } = response.headers
  const all = vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`
  return { ...response, headers: { ...response.headers, vary: all } }
}

function withHeldTag(
  response: FaceResponse,
  { negotiated: { accepts }, ifNoneMatch = "*" }: Asked,
  would: Coding | undefined,
): FaceResponse {
  const { etag: tag } = response.headers
  if (tag === undefined) return response
  return {
    ...response,
    headers: { ...response.headers, etag: heldTag(ifNoneMatch, { tag, would, accepts }) },
  }
}

function encodeAs(coding: Coding, response: FaceResponse, keep: Keep): Coded | Promise<Coded> {
  const { body } = response
  const { "content-length": _, etag: tag, ...others } = response.headers
  const headers = {
    ...others,
    "content-encoding": coding,
    ...(tag !== undefined && { etag: codedTag(tag, coding) }),
  }
  if (isStream(body)) return { ...response, headers, through: () => compressPieces(coding) }
  const made =
    response.isDocument && tag !== undefined
      ? keep(coding, tag, () => bytesOf(body))
      : compress(coding, bytesOf(body))
  const finish = (bytes: Buffer): Coded => ({
    ...response,
    headers: { ...headers, "content-length": String(bytes.length) },
    body: bytes,
  })
  return made instanceof Promise ? made.then(finish) : finish(made)
}

function bytesOf(body: Json): Buffer {
  if (isText(body)) return Buffer.from(body)
  return Buffer.isBuffer(body) ? body : Buffer.concat(piecesOf(body))
}
