// The headers of Bifold's answers, written by hand. They separate the cost of headers from the cost of rules,
// plans and checks.
import { hash, randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { FaceName } from "../workloads.ts"

/** Names and values in turn, besides the content's type and length. */
export type Wire = (request: IncomingMessage, body: string | Uint8Array) => readonly string[]

const security = [
  "x-content-type-options",
  "nosniff",
  "referrer-policy",
  "no-referrer",
  "content-security-policy",
  "default-src 'none'; frame-ancestors 'none'",
]

/** Bytes from which on answers are coded where the client wants it, and say so. */
const coded = 1_024

/** @param signedIn the answer is private to its caller, so that shared caches must not keep it */
export function fullWire(face: FaceName, signedIn: boolean): Wire {
  const varying = (names: string, last: string) => {
    const headers = (all: string) => [
      ...security,
      "vary",
      signedIn ? `${all}, Authorization` : all,
      "cache-control",
      last,
    ]
    return { short: headers(names), long: headers(`${names}, Accept-Encoding`) }
  }
  const byGraphql = varying("Accept", "no-store")
  const read = varying("Accept, Prefer", signedIn ? "private, no-store" : "no-cache")
  const written = [...security, "cache-control", "no-store"]
  return ({ headers, method, url = "" }, body) => {
    const given = headers["x-request-id"]
    const id = ["x-request-id", typeof given === "string" ? given : randomUUID()]
    const size = Buffer.byteLength(body) < coded ? "short" : "long"
    if (face === "graphql") return [...id, ...byGraphql[size]]
    const tag = ["etag", `"${hash("sha256", body, "base64url").slice(0, 27)}"`]
    if (method === "POST")
      return [...id, ...written, ...tag, "location", `${url.slice(0, url.indexOf("?"))}/${idIn(body)}`]
    if (method !== "GET") return [...id, ...written, ...tag]
    const link = linkOf(url, body)
    return [...id, ...read[size], ...tag, ...(link === undefined ? [] : ["link", link])]
  }
}

const pageBegin = '"page":{"next":'
const pagePrev = ',"prev":'

/** Undefined of what has no pages beside it. */
function linkOf(url: string, body: string | Uint8Array): string | undefined {
  const text = typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const begin = text.lastIndexOf(pageBegin)
  if (begin < 0) return undefined
  const page = typeof text === "string" ? text.slice(begin) : text.toString("latin1", begin)
  const middle = page.indexOf(pagePrev)
  const next = bare(page.slice(pageBegin.length, middle))
  const prev = bare(page.slice(middle + pagePrev.length, page.indexOf("}")))
  const address = url.slice(0, url.indexOf("&after="))
  const after = next === undefined ? [] : [`<${address}&after=${next}>; rel="next"`]
  const before =
    prev === undefined ? [] : [`<${address}&before=${prev}>; rel="prev"`, `<${address}>; rel="first"`]
  return after.length + before.length === 0 ? undefined : [...after, ...before].join(", ")
}

/** The id of a record, its first member. */
const idIn = (body: string | Uint8Array): string | undefined =>
  /^\{"id":"([^"]*)"/.exec(typeof body === "string" ? body : String(Buffer.from(body.slice(0, 40))))?.[1]

/** A cursor without its quotation marks; undefined for null. */
const bare = (json: string): string | undefined => (json === "null" ? undefined : json.slice(1, -1))
