// Texts that name addresses and networks.

import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

export const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
}

/** Whether only programs of this machine can connect to the host. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

/** Names for several networks, and for unix sockets. */
export const proxyNames: readonly string[] = [...Object.keys(namedNetworks), "unix"]

/** Whether a text is an address, a network or a name of several. */
export function isProxyText(text: string): boolean {
  if (proxyNames.includes(text)) return true
  const [address = ""] = text.split("/")
  return isIP(address) > 0 && (address === text || ipaddr.isValidCIDR(text))
}

// Addresses that a server may connect to on a client's behalf: the public internet, and networks that its operator names.

/** Whether an IPv4 or IPv6 address, as text, may be connected to. */
export type MayReach = (address: string) => boolean

/** For measurements, documentation and relays (IANA's registries of special-purpose addresses). */
const special = ["198.18.0.0/15", "192.88.99.0/24", "3fff::/20"]
/** All of IPv6 that is given out for the internet (RFC 4291 section 2.4). */
const global = "2000::/3"

/** The operator's own networks alone; `any` for all addresses. Throws for a text that is no network. */
export function createMayReachOwn(networks: readonly string[] | "any"): MayReach {
  if (networks === "any") return () => true
  const allowed = networks.map((network) => ipaddr.parseCIDR(network))
  return (text) => ipaddr.isValid(text) && isIn(plain(ipaddr.parse(text)), allowed)
}

/**
 * @param networks that are reached beside the public ones, such as `10.0.0.0/8`; `any` for all addresses
 * Throws for a text that is no network.
 */
export function createMayReach(networks: readonly string[] | "any"): MayReach {
  if (networks === "any") return () => true
  const isOwn = createMayReachOwn(networks)
  const given = [ipaddr.parseCIDR(global)]
  const forbidden = special.map((network) => ipaddr.parseCIDR(network))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = plain(ipaddr.parse(text))
    if (isOwn(text)) return true
    const isGiven = address.kind() === "ipv4" || isIn(address, given)
    return isGiven && address.range() === "unicast" && !isIn(address, forbidden)
  }
}

type Address = ReturnType<typeof ipaddr.parse>
type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Unwraps an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2). */
const plain = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

const isIn = (address: Address, networks: readonly Network[]): boolean =>
  networks.some((network) => network[0].kind() === address.kind() && address.match(network))

/**
 * Returns the mistake in the URL of a server, as far as its text shows one: names are resolved when it is called.
 * @param networks that are reached beside the public ones, by http too
 */
export function wrongAddress(text: string, networks: readonly string[]): string | undefined {
  const url = URL.parse(text)
  if (!url) return "must be a URL that can be called"
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
  // RFC 6761 section 6.3.
  const address = /(?:^|\.)localhost$/.test(host) ? "127.0.0.1" : host
  if (!isIP(address) || createMayReachOwn(networks)(address)) return undefined
  if (!createMayReach(networks)(address))
    return "must lead to the public internet, not to a private or reserved address"
  return url.protocol === "https:" ? undefined : "must begin with https: in the public internet"
}
