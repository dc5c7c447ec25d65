// An answer's text becomes a response: validators, conditional requests (RFC 9110 section 13), links (RFC 8288).

import { createCipheriv, createHash, createSecretKey, hash } from "node:crypto"
import { invariant } from "../../base/invariant.ts"
import { isText, type Json, type JsonText, joinJson, piecesOf, sizeOf } from "../../base/json.ts"
import type { MediaType } from "../../http/accept.ts"
import type { AnswerHeaders } from "../../http/answer.ts"
import { type Body, isStream } from "../../http/answer.ts"
import type { FaceRequest, FaceResponse } from "../../http/face.ts"
import { decodePercent } from "./query.ts"
import type { Route } from "./route.ts"

export interface Representation {
  readonly type: MediaType
  readonly body: Body
  /** The source of the entity tag, where the body itself is not known yet. */
  readonly told?: Json
  /** The version of the answered record: its entity tag begins with it. */
  readonly version?: string | null | undefined
  /** Seconds for which caches may show it to any caller. */
  readonly publicFor?: number | undefined
  /** The answer depends on more than the record, and on the moment: it is not cached, and has no tag of the record. */
  readonly passing?: boolean
  /** Headers that only this kind of answer has. */
  readonly headers?: AnswerHeaders
}

/** 200, or 304 for a client that has the same already. An answer to POST has no validator. */
export function representationResponse(
  entityTag: EntityTag,
  request: FaceRequest,
  { type, body, told, version, publicFor, passing, headers }: Representation,
): FaceResponse {
  const unkept = request.method === "POST" || passing === true
  const etag = unkept ? undefined : entityTag(told ?? whole(body), version)
  const vary = "Accept, Prefer"
  const caching =
    etag === undefined ? { "cache-control": "no-store", vary } : { etag, "cache-control": "no-cache", vary }
  const shared = unkept || publicFor === undefined ? {} : { publicFor }
  if (etag !== undefined && matches(request.headers["if-none-match"], etag))
    return { status: 304, headers: { ...caching, ...headers }, body: "", size: sizeOfBody(body), ...shared }
  const content = { "content-type": type.contentType, ...lengthOf(body) }
  return { status: 200, headers: { ...content, ...caching, ...headers }, body, ...shared }
}

function whole(body: Body): Json {
  invariant(!isStream(body), "a stream is told by what it is made from")
  return body
}

const lengthOf = (body: Body): AnswerHeaders =>
  isStream(body) ? {} : { "content-length": String(sizeOf(body)) }

const sizeOfBody = (body: Body): number => (isStream(body) ? Number.POSITIVE_INFINITY : sizeOf(body))

/** Weak comparison (RFC 9110 section 8.8.3.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === "*") return true
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag)
}

/** The answer to these routes is a list that is no page. */
export const enveloped = (route: Route, root: Json): Json =>
  isEnveloped(route) ? joinJson([`{"data":`, root, "}"]) : root

export const isEnveloped = ({ kind }: Route): boolean => kind === "nodes" || kind === "transitions"

const pageBegin = '"page":{"next":'
const pagePrev = ',"prev":'

/** From the last beginning of a page on, which is within a piece, as none ends before a cursor's own quotation mark. */
function lastPage(json: Json): JsonText {
  if (isText(json)) {
    const begin = json.lastIndexOf(pageBegin)
    return begin < 0 ? "" : json.slice(begin)
  }
  let after = ""
  for (const piece of piecesOf(json).toReversed()) {
    const begin = piece.lastIndexOf(pageBegin)
    if (begin >= 0) return piece.toString("utf8", begin) + after
    after = piece.toString() + after
  }
  return ""
}

interface PageCursors {
  readonly next: string | null
  readonly prev: string | null
}

/**
 * The cursors of a list's own page. The last match in the text belongs to that page: no lists follow it, and a quotation
 * mark within strings has a backslash before it.
 */
export function pageCursors(list: Json): PageCursors {
  const page = lastPage(list)
  if (page === "") return { next: null, prev: null }
  const next = cursorAt(page, pageBegin.length)
  const prev = cursorAt(page, pageBegin.length + (next === null ? 4 : next.length + 2) + pagePrev.length)
  return { next, prev }
}

/** Null, or a cursor in quotation marks, which needs no escapes. */
const cursorAt = (page: JsonText, from: number): string | null =>
  page[from] === '"' ? page.slice(from + 1, page.indexOf('"', from + 1)) : null

/** The address of a list without the position of a page, as a URI reference. */
export function pageAddress(path: string, query: string): string {
  const kept = query.split("&").filter((piece) => piece !== "" && !isPosition(piece))
  return escaped(`${path}${kept.length === 0 ? "" : `?${kept.join("&")}`}`)
}

/** `Link` with the addresses of the neighboring pages; undefined when there are none. @param address of `pageAddress` */
export function pageLinks(address: string, { next, prev }: PageCursors): string | undefined {
  const begin = `<${address}${address.includes("?") ? "&" : "?"}`
  const after = next === null ? undefined : `${begin}after=${next}>; rel="next"`
  if (prev === null) return after
  const before = `${begin}before=${prev}>; rel="prev", <${address}>; rel="first"`
  return after === undefined ? before : `${after}, ${before}`
}

function isPosition(piece: string): boolean {
  const [text = ""] = piece.split("=", 1)
  const name = text.includes("%") ? decodePercent(text) : text
  return name === "after" || name === "before" || name === "from"
}

/** A request's address may hold characters that a URI reference does not (RFC 3986 section 2). */
function escaped(address: string): string {
  if (/^[\w\-./?[\]=&,%~]*$/.test(address)) return address
  return address.replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu, encodeURIComponent)
}

// Entity tags distinguish the bytes of one answer from all others (RFC 9110 section 8.8.3).

/**
 * Strong: equal tags mean equal bytes. A tag begins with the version, the part that `If-Match` compares, since a client
 * may have asked for some of the record's members only.
 */
export type EntityTag = (body: Json, version?: string | null) => string

/** Bytes from which on a GMAC takes less time than a hash. */
const long = 4_096

/** Characters of base64url: 162 bits. */
const length = 27

/** @param secret equal secrets give equal tags; without one long bodies are hashed as short ones are */
export function createEntityTag(secret?: string): EntityTag {
  const digestOfLong = secret === undefined ? digestOf : createMac(secret)
  return (body, version) => {
    const digest = (isLong(body) ? digestOfLong : digestOf)(body).slice(0, length)
    return version === undefined || version === null ? `"${digest}"` : `"${version}.${digest}"`
  }
}

/** A character is at most three bytes of UTF-8. */
const isLong = (body: Json): boolean => (!isText(body) || 3 * body.length >= long) && sizeOf(body) >= long

function digestOf(body: Json): string {
  if (isText(body)) return hash("sha256", body, "base64url")
  const [first, ...more] = piecesOf(body)
  if (first && more.length === 0) return hash("sha256", first, "base64url")
  const sum = createHash("sha256")
  for (const piece of piecesOf(body)) sum.update(piece)
  return sum.digest("base64url")
}

/** The same for every body, which is safe as long as clients never see the GMAC. */
const nonce = Buffer.alloc(12)

/**
 * GMAC (NIST SP 800-38D): many times as fast as SHA-256. With the key, though, two bodies of one tag can be made, and two
 * tags of one nonce reveal the key. So clients get a keyed hash of it.
 */
function createMac(secret: string): (body: Json) => string {
  const keyFor = (use: string): Buffer => hash("sha256", `bifold entity tag 1 ${use} ${secret}`, "buffer")
  // A key that is bytes would be made ready each time, which takes longer than the rest.
  const [inner, outer] = [createSecretKey(keyFor("inner")), keyFor("outer")]
  return (body) => {
    const mac = createCipheriv("aes-256-gcm", inner, nonce)
    for (const piece of isText(body) ? [Buffer.from(body)] : piecesOf(body)) mac.setAAD(piece)
    mac.final()
    return hash("sha256", Buffer.concat([outer, mac.getAuthTag()]), "base64url")
  }
}
