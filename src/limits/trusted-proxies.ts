// Proxies whose word is taken for who a client is: by their addresses, or because they come by a socket of this machine.
import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

/** The header in which they say it: only one is believed, as a client may send the other. */
export type ProxyHeader = "x-forwarded-for" | "forwarded"

export interface TrustedProxies {
  readonly header: ProxyHeader
  /** @param address of a connection; undefined for one by a unix socket */
  trusts(address: string | undefined): boolean
}

type Network = ReturnType<typeof ipaddr.parseCIDR>

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
}

/** Names for several networks, and for unix sockets. */
export const proxyNames: readonly string[] = [...Object.keys(named), "unix"]

/** Whether a text is an address, a network or a name of several. */
export function isProxyText(text: string): boolean {
  if (proxyNames.includes(text)) return true
  const [address = ""] = text.split("/")
  return isIP(address) > 0 && (address === text || ipaddr.isValidCIDR(text))
}

/** @param texts addresses, networks and names, as `isProxyText` knows them */
export function createTrustedProxies(texts: readonly string[], header: ProxyHeader): TrustedProxies {
  const networks = texts
    .filter((text) => text !== "unix")
    .flatMap((text) => named[text] ?? [text])
    .map(networkOf)
  const trustsSockets = texts.includes("unix")
  const known = new Map<string, boolean>()
  const isTrusted = (text: string): boolean => {
    if (!ipaddr.isValid(text)) return false
    const address = plain(ipaddr.parse(text))
    return networks.some((network) => network[0].kind() === address.kind() && address.match(network))
  }
  return {
    header,
    trusts(address) {
      if (address === undefined) return trustsSockets
      const found = known.get(address)
      if (found !== undefined) return found
      if (known.size >= mostKnown) known.clear()
      const trusted = isTrusted(address)
      known.set(address, trusted)
      return trusted
    },
  }
}

const mostKnown = 10_000

type Address = ReturnType<typeof ipaddr.parse>

/** An IPv4 address that is written as one of IPv6 (RFC 4291 section 2.5.5.2), as IPv4. */
const plain = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

function networkOf(text: string): Network {
  if (text.includes("/")) return ipaddr.parseCIDR(text)
  const address = plain(ipaddr.parse(text))
  return [address, address.kind() === "ipv4" ? 32 : 128]
}
