// Content codings: what a client accepts, compressed answers, their tags, and documents that are kept compressed.
import type { Transform } from "node:stream"
import { promisify } from "node:util"
import type { BrotliOptions, ZlibOptions, ZstdOptions } from "node:zlib"
import { RequestCache } from "../base/caches.ts"
import { isText, type Json, piecesOf, sizeOf } from "../base/json.ts"
import { isStream } from "../http/answer.ts"
import type { FaceResponse } from "../http/face.ts"

// Chooses the content coding of an answer, by the client's Accept-Encoding (RFC 9110 section 12.5.3).

/** In the order in which they are chosen among those that the client likes equally: the least work for a size comes first. */
export const codings = ["zstd", "br", "gzip"] as const

export type Coding = (typeof codings)[number]

export interface Negotiated {
  /** Undefined: the server sends the answer without a coding. */
  readonly chosen: Coding | undefined
  /** For an answer that prefers no coding: undefined where the client accepts that. */
  readonly needed: Coding | undefined
  /** Whether the client takes the coding; undefined stands for none. */
  accepts(coding: Coding | undefined): boolean
}

/** Undefined: the client accepts no available coding. @param header of the request; without it, answers have no coding */
type Negotiate = (header: string | undefined) => Negotiated | undefined

/** Headers that are remembered: clients send few, each of them again and again. */
const mostKnown = 200
const longestKnown = 200

/** @param available none where answers are never coded */
export function createNegotiate(available: readonly Coding[]): Negotiate {
  const known = new Map<string, Negotiated | undefined>()
  const plain: Negotiated = {
    chosen: undefined,
    needed: undefined,
    accepts: (coding) => coding === undefined || available.includes(coding),
  }
  return (header) => {
    if (header === undefined) return plain
    if (known.has(header)) return known.get(header)
    const found = negotiate(header, available)
    if (header.length > longestKnown) return found
    if (known.size >= mostKnown) known.clear()
    known.set(header, found)
    return found
  }
}

function negotiate(header: string, available: readonly Coding[]): Negotiated | undefined {
  const ranges = readRanges(header)
  const star = ranges.get("*")
  const qualities = new Map(available.map((coding) => [coding, ranges.get(coding) ?? star ?? 0]))
  // Each client of today reads gzip, which `*` does not say of the others.
  const named = available.filter((coding) => ranges.has(coding))
  const unnamed = available.filter((coding) => !ranges.has(coding)).toReversed()
  const [best] = [...named, ...unnamed].toSorted(
    (one, other) => (qualities.get(other) ?? 0) - (qualities.get(one) ?? 0),
  )
  const quality = best === undefined ? 0 : (qualities.get(best) ?? 0)
  // Acceptable unless it is excluded; better than a coding only where it is weighed.
  const identity = ranges.get("identity") ?? star
  const excluded = identity === 0
  if (quality === 0 && excluded) return undefined
  const coded = quality > 0 && quality >= (identity ?? 0)
  return {
    chosen: coded ? best : undefined,
    needed: excluded ? best : undefined,
    accepts: (coding) => (coding === undefined ? !excluded : (qualities.get(coding) ?? 0) > 0),
  }
}

const element = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** The quality of each coding that is named, the best where it is so twice. Elements that are malformed say nothing. */
function readRanges(header: string): ReadonlyMap<string, number> {
  const ranges = new Map<string, number>()
  for (const text of header.split(",")) {
    const [, name, quality = "1"] = element.exec(text) ?? []
    if (name === undefined) continue
    const lower = name.toLowerCase()
    // RFC 9110 section 8.4.1.3.
    const coding = lower === "x-gzip" ? "gzip" : lower
    ranges.set(coding, Math.max(ranges.get(coding) ?? 0, Number(quality)))
  }
  return ranges
}

// Entity tags of coded answers: equal strong tags mean equal bytes, so that each coding has a tag of its own (RFC 9110
// section 8.8.3.3).

/** Stands in no digest and in no version. */
const separator = ":"

/** `"7.x3f…:br"` for `"7.x3f…"`. */
const codedTag = (tag: string, coding: Coding | undefined): string =>
  coding === undefined ? tag : `${tag.slice(0, -1)}${separator}${coding}"`

interface Tag {
  /** Without its coding. */
  readonly plain: string
  readonly coding: Coding | undefined
}

function readTag(tag: string): Tag {
  const coding = codings.find((name) => tag.endsWith(`${separator}${name}"`))
  return coding === undefined
    ? { plain: tag, coding }
    : { plain: `${tag.slice(0, -coding.length - separator.length - 1)}"`, coding }
}

const tagsIn = (header: string): readonly Tag[] =>
  [...header.matchAll(/"[^"]*"/g)].map(([tag]) => readTag(tag))

type Accepts = (coding: Coding | undefined) => boolean

/**
 * `If-None-Match` as a face compares it, which knows no coding. Tags of codings that the client does not take are left out.
 * A cache asks for several clients, and gives this one the answer of the tag in a 304.
 */
export function plainCondition(header: string, accepts: Accepts): string {
  if (!header.includes('"')) return header
  const tags = tagsIn(header).filter(({ coding }) => accepts(coding))
  // A list of no tags matches nothing, as a tag of no answer does.
  return tags.length === 0 ? '""' : tags.map(({ plain }) => plain).join(", ")
}

/**
 * The tag of a 304. It names the client's stored answer, so that caches find it (RFC 9111 section 4.3.4).
 * @param would the tag of a full answer
 */
function heldTag(
  header: string,
  {
    tag,
    would,
    accepts,
  }: { readonly tag: string; readonly would: Coding | undefined; readonly accepts: Accepts },
): string {
  const held = tagsIn(header).filter(({ plain, coding }) => plain === tag && accepts(coding))
  const [first = { coding: would }] = held
  return codedTag(tag, held.some(({ coding }) => coding === would) ? would : first.coding)
}

// The content codings, by what zlib makes of bytes: at once, beside other work, for good, and piece by piece.

/** An import would load it in each process, also where nothing is ever coded. */
const zlibOf = () => process.getBuiltinModule("node:zlib")

/** Bytes up to which coding takes about as long as handing it to another thread does: less than half a millisecond. */
const mostAtOnce = 32 * 1024

type Speed = "answer" | "document"

/** By measurement: the next level of an answer would take more time than its bytes are worth. A document is coded once. */
const levels: Readonly<Record<Speed, Readonly<Record<Coding, number>>>> = {
  answer: { zstd: 1, br: 4, gzip: 6 },
  document: { zstd: 12, br: 9, gzip: 9 },
}

interface Compressor {
  atOnce(bytes: Buffer): Buffer
  later(bytes: Buffer, speed: Speed): Promise<Buffer>
  /** Each piece that goes in comes out, without waiting for the next one. */
  stream(): Transform
}

const zstdOptions = (speed: Speed): ZstdOptions => {
  const { ZSTD_c_compressionLevel } = zlibOf().constants
  return { params: { [ZSTD_c_compressionLevel]: levels[speed].zstd } }
}

const brotliOptions = (speed: Speed, size?: number): BrotliOptions => {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlibOf().constants
  return {
    params: {
      [BROTLI_PARAM_QUALITY]: levels[speed].br,
      ...(size !== undefined && { [BROTLI_PARAM_SIZE_HINT]: size }),
    },
  }
}

const gzipOptions = (speed: Speed): ZlibOptions => ({ level: levels[speed].gzip })

const compressors: Readonly<Record<Coding, Compressor>> = {
  zstd: {
    atOnce: (bytes) => zlibOf().zstdCompressSync(bytes, zstdOptions("answer")),
    later: (bytes, speed) => promisify(zlibOf().zstdCompress)(bytes, zstdOptions(speed)),
    stream: () =>
      zlibOf().createZstdCompress({ ...zstdOptions("answer"), flush: zlibOf().constants.ZSTD_e_flush }),
  },
  br: {
    atOnce: (bytes) => zlibOf().brotliCompressSync(bytes, brotliOptions("answer", bytes.length)),
    later: (bytes, speed) => promisify(zlibOf().brotliCompress)(bytes, brotliOptions(speed, bytes.length)),
    stream: () =>
      zlibOf().createBrotliCompress({
        ...brotliOptions("answer"),
        flush: zlibOf().constants.BROTLI_OPERATION_FLUSH,
      }),
  },
  gzip: {
    atOnce: (bytes) => zlibOf().gzipSync(bytes, gzipOptions("answer")),
    later: (bytes, speed) => promisify(zlibOf().gzip)(bytes, gzipOptions(speed)),
    stream: () => zlibOf().createGzip({ ...gzipOptions("answer"), flush: zlibOf().constants.Z_SYNC_FLUSH }),
  },
}

function compress(coding: Coding, bytes: Buffer): Buffer | Promise<Buffer> {
  const compressor = compressors[coding]
  return bytes.length <= mostAtOnce ? compressor.atOnce(bytes) : compressor.later(bytes, "answer")
}

const compressDocument = (coding: Coding, bytes: Buffer): Promise<Buffer> =>
  compressors[coding].later(bytes, "document")

const compressPieces = (coding: Coding): Transform => compressors[coding].stream()

// Documents are asked for again and again, and long: each is coded once, better than there is time for while an answer waits.

/** @param tag of the bytes, strong */
type Keep = (coding: Coding, tag: string, bytes: () => Buffer) => Buffer | Promise<Buffer>

function createKept(): Keep {
  const kept = new RequestCache().open<string, Buffer>()
  const making = new Map<string, Promise<Buffer>>()
  return (coding, tag, bytes) => {
    const key = `${coding} ${tag}`
    const known = kept.get(key) ?? making.get(key)
    if (known) return known
    const made = compressDocument(coding, bytes())
      .then((coded) => {
        kept.set(key, coded, coded.length)
        return coded
      })
      .finally(() => making.delete(key))
    making.set(key, made)
    return made
  }
}

// Sends an answer in the content coding that its client likes best (RFC 9110 section 8.4). Small answers stay as they are:
// one that fits into a packet would gain nothing.
export type Compression = "auto" | "off"

export interface ContentCoding {
  /** Besides identity. */
  readonly available: readonly Coding[]
  readonly negotiate: Negotiate
  /** Synchronous for an answer without a coding. */
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
