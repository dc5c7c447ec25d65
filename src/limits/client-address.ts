// The address of a client: that of its connection, or the one that the nearest trusted proxy reports.
import type { IncomingMessage } from "node:http"
import ipaddr from "ipaddr.js"

/**
 * The address that counts as one client: IPv4 as it is, IPv6 by its network of 64 bits (RFC 6177), an IPv4-mapped IPv6
 * address (RFC 4291 section 2.5.5.2) as IPv4.
 * @param proxies between the client and this server: each adds the address of its peer to `X-Forwarded-For`
 */
export function clientAddress(
  {
    headers,
    socket,
  }: Pick<IncomingMessage, "headers"> & { readonly socket: { readonly remoteAddress?: string | undefined } },
  proxies: number,
): string {
  const own = socket.remoteAddress ?? ""
  return networkOf(proxies === 0 ? own : (forwarded(headers["x-forwarded-for"], proxies) ?? own))
}

/** Clients can write what they like to the left of what trusted proxies add. */
function forwarded(header: string | string[] | undefined, proxies: number): string | undefined {
  const addresses = [header ?? []].flat().join(",").split(",")
  const found = addresses[addresses.length - proxies]?.trim()
  return found === undefined || found === "" ? undefined : withoutPort(found)
}

/** Some proxies add the port. */
const withoutPort = (address: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([0-9.]+):\d+$/.exec(address)?.[1] ?? address

const known = new Map<string, string>()
const mostKnown = 10_000

function networkOf(address: string): string {
  const found = known.get(address)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const network = readNetwork(address)
  known.set(address, network)
  return network
}

function readNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown"
  const parsed = ipaddr.parse(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/64`
}
