// Texts that name addresses and networks.
import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

export const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
}

/** Whether only this machine connects to what listens there. */
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
