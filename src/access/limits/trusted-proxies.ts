// Proxies whose word is taken for who a client is: by their addresses, or because they come by a socket of this machine.
import ipaddr from "ipaddr.js"
import { lately } from "../../base/caches.ts"
import { namedNetworks } from "../../base/networks.ts"

/** The header in which they report it: only one is believed, as a client may send the other. */
export type ProxyHeader = "x-forwarded-for" | "forwarded"

export interface TrustedProxies {
  readonly header: ProxyHeader
  /** @param address of a connection; undefined for one by a unix socket */
  trusts(address: string | undefined): boolean
}

type Network = ReturnType<typeof ipaddr.parseCIDR>

/** @param texts addresses, networks and names, as `isProxyText` knows them */
export function createTrustedProxies(texts: readonly string[], header: ProxyHeader): TrustedProxies {
  const networks = texts
    .filter((text) => text !== "unix")
    .flatMap((text) => namedNetworks[text] ?? [text])
    .map(networkOf)
  const trustsSockets = texts.includes("unix")
  const isTrusted = lately((text) => {
    if (!ipaddr.isValid(text)) return false
    const address = plain(ipaddr.parse(text))
    return networks.some((network) => network[0].kind() === address.kind() && address.match(network))
  }, mostKnown)
  return {
    header,
    trusts(address) {
      if (address === undefined) return trustsSockets
      if (address.length > longest) return false
      return isTrusted(address)
    },
  }
}

const mostKnown = 10_000
/** Characters of an address, with its zone. */
const longest = 64

type Address = ReturnType<typeof ipaddr.parse>

/** An IPv4 address that is written as one of IPv6 (RFC 4291 section 2.5.5.2), as IPv4. */
const plain = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

function networkOf(text: string): Network {
  if (text.includes("/")) return ipaddr.parseCIDR(text)
  const address = plain(ipaddr.parse(text))
  return [address, address.kind() === "ipv4" ? 32 : 128]
}
