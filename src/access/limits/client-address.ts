// The address of a client: the peer of its connection, or the address that the nearest trusted proxies report.
import type { IncomingHttpHeaders } from "node:http"
import ipaddr from "ipaddr.js"
import { lately } from "../../base/caches.ts"
import { readForwarded, readForwardedFor } from "./forwarded.ts"
import type { ProxyHeader, TrustedProxies } from "./trusted-proxies.ts"

/** The number of proxies that every request passes and that add their peers to the header, or the trusted proxies. */
export type Proxies = number | TrustedHops | TrustedProxies

interface TrustedHops {
  readonly header: ProxyHeader
  readonly hops: number
}

interface Message {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean | undefined }
}

/**
 * The address that counts as one client. IPv4 counts as it is, and IPv6 by its network of 64 bits (RFC 6177). An IPv4-mapped
 * IPv6 address (RFC 4291 section 2.5.5.2) counts as IPv4.
 */
export function clientAddress(message: Message, proxies: Proxies): string {
  const own = message.socket.remoteAddress ?? ""
  return networkOf(proxies === 0 ? own : (clientHop(message, proxies)?.address ?? own))
}

/** Whether the client's own connection is one of TLS: to this server, or to a trusted proxy that says so. */
export function isSecure(message: Message, proxies: Proxies = 0): boolean {
  if (message.socket.encrypted === true) return true
  return proxies !== 0 && clientHop(message, proxies)?.protocol === "https"
}

/** One connection, as its proxy reports it. */
interface Hop {
  /** Undefined where a proxy hides it. */
  readonly address: string | undefined
  readonly protocol: string | undefined
}

/**
 * The list is read from its end, since clients can write anything to the left of entries that trusted proxies add. Undefined
 * where no trusted proxy has added an entry.
 */
function clientHop({ headers, socket }: Message, proxies: Proxies): Hop | undefined {
  if (typeof proxies === "number") return nth(readForwardedFor(headers), proxies)
  const hops = proxies.header === "forwarded" ? readForwarded(headers) : readForwardedFor(headers)
  if ("hops" in proxies) return nth(hops, proxies.hops)
  if (!proxies.trusts(socket.remoteAddress)) return undefined
  // The client is the first hop without a trusted address; if all are trusted, the farthest.
  let farthest: Hop | undefined
  for (const hop of hops) {
    farthest = hop
    if (hop.address === undefined || !proxies.trusts(hop.address)) break
  }
  return farthest
}

function nth(hops: Iterable<Hop>, number: number): Hop | undefined {
  let count = 0
  for (const hop of hops) {
    count += 1
    if (count === number) return hop
  }
  return undefined
}

const mostKnown = 10_000

/** Characters of an address, with its zone. */
const longest = 64

// A longer text is no address, and is not kept.
const networkOf = (address: string): string => (address.length > longest ? "unknown" : keptNetwork(address))

const keptNetwork = lately(readNetwork, mostKnown)

function readNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown"
  const parsed = ipaddr.parse(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/64`
}
