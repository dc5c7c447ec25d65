// Reads from headers the connections that proxies took: the nearest one's first. Lists are read from their end, only as far
// as needed. A client can write anything to the left of entries that trusted proxies add.
import type { IncomingHttpHeaders } from "node:http"

interface Hop {
  /** Undefined where it is hidden or malformed. */
  readonly address: string | undefined
  /** `http` or `https`, if reported. */
  readonly protocol: string | undefined
}

/** Proxies on the way of a request, at the most. */
const mostHops = 32
/** Characters of one proxy's entry. */
const longest = 1_024

/** `X-Forwarded-For`, with `X-Forwarded-Proto`: of one protocol for all, or of one for each. */
export function* readForwardedFor(headers: IncomingHttpHeaders): Generator<Hop, void> {
  const addresses = textOf(headers["x-forwarded-for"])
  if (addresses === undefined) return
  const protocols = textOf(headers["x-forwarded-proto"])
  const each = protocols !== undefined && commasIn(protocols) === commasIn(addresses)
  const said = fromEnd(protocols ?? "", lastComma)
  let protocol = protocolIn(said.next())
  let isFirst = true
  for (const address of fromEnd(addresses, lastComma)) {
    if (each && !isFirst) protocol = protocolIn(said.next())
    isFirst = false
    yield { address: address === "" ? undefined : withoutPort(address), protocol }
  }
}

/** RFC 7239 section 4. An element that is not well formed hides its address, and ends the search for a client there. */
export function* readForwarded({ forwarded }: IncomingHttpHeaders): Generator<Hop, void> {
  for (const element of fromEnd(textOf(forwarded) ?? "", lastUnquotedComma)) {
    if (element === "") continue
    const pairs = pairsIn(element)
    const address = pairs?.get("for")
    yield {
      address: address === undefined || !isAddress(address) ? undefined : withoutPort(address),
      protocol: pairs?.get("proto")?.toLowerCase(),
    }
  }
}

/** Undefined for a malformed element, such as one with a repeated name. */
function pairsIn(element: string): ReadonlyMap<string, string> | undefined {
  if (element.length > longest) return undefined
  const pairs = new Map<string, string>()
  let at = 0
  while (at < element.length) {
    pairForm.lastIndex = at
    const [whole, name, value = ""] = pairForm.exec(element) ?? []
    if (whole === undefined) return undefined
    at += whole.length
    if (name === undefined) continue
    if (pairs.has(name.toLowerCase())) return undefined
    pairs.set(name.toLowerCase(), unquoted(value))
  }
  return pairs
}

/** A pair, which may be absent, with the sign that ends it. */
const pairForm = /\s*(?:([!#$%&'*+.^_`|~\w-]+)=([!#$%&'*+.^_`|~\w-]+|"(?:[^"\\]|\\.)*")\s*)?(?:;|$)/y

const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value

/** Names such as `unknown` and `_hidden` are none (section 6). */
const isAddress = (text: string): boolean => /^[\d.]+(?::\w+)?$|^\[[\da-fA-F:.]+\](?::\w+)?$/.test(text)

/** @param end the last character to look at. Gives -1 without a comma */
type FindComma = (text: string, end: number) => number

/** Parts of a list, its last first. @param before finds the comma before a part */
function* fromEnd(text: string, before: FindComma): Generator<string, void> {
  let end = text.length
  for (let count = 0; count < mostHops && end >= 0; count += 1) {
    const comma = end === 0 ? -1 : before(text, end - 1)
    yield text.slice(comma + 1, end).trim()
    end = comma
  }
}

const lastComma: FindComma = (text, end) => text.lastIndexOf(",", end)

/**
 * The last comma outside quoted strings, as seen from the end. A string that a client opened and never closed does not
 * swallow the entries after it.
 */
const lastUnquotedComma: FindComma = (text, end) => {
  let isQuoted = false
  for (let index = end; index >= 0 && index >= end - longest; index -= 1) {
    const sign = text[index]
    if (sign === "," && !isQuoted) return index
    if (sign === '"' && !isEscaped(text, index)) isQuoted = !isQuoted
  }
  return -1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === "\\") first -= 1
  return (at - first) % 2 === 1
}

function commasIn(text: string): number {
  let count = 0
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) count += 1
  return count
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === "string" ? header : header?.join(",")

const protocolIn = ({ value }: IteratorResult<string, void>): string | undefined =>
  value === undefined || value === "" ? undefined : value.toLowerCase()

/** Some proxies add the port. */
const withoutPort = (address: string): string =>
  /^\[(.+)\](?::\w+)?$/.exec(address)?.[1] ?? /^([0-9.]+):\w+$/.exec(address)?.[1] ?? address
