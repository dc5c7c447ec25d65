// Settings of how clients reach the server, as the server takes them: proxies, TLS, HTTP/2 and sockets.

import type { Proxies } from "../../access/limits/client-address.ts"
import { createTrustedProxies, type ProxyHeader } from "../../access/limits/trusted-proxies.ts"
import { refusal } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import { refuseTaken } from "../../server/listening.ts"
import type { ServerOptions } from "../../server/server.ts"
import { checkMetricsPlace } from "../../service/watch.ts"
import type { Settings } from "../../settings/settings.ts"

interface Given {
  readonly proxies: number
  readonly trustProxy: readonly string[]
  readonly proxyHeader: ProxyHeader
  readonly hsts: number
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  readonly h2c: boolean
  readonly socket?: string | undefined
  readonly socketMode: number
}

type Edge = Pick<ServerOptions, "proxies" | "hsts" | "tls" | "h2c" | "socket">

/** Throws a Refusal for settings that contradict each other. */
export function edgeOf(given: Given): Edge {
  const { hsts, tlsCert, tlsKey, h2c, socket, socketMode } = given
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw refusal(
      "invalid_command",
      tlsKey === undefined ? "A certificate needs its key." : "A key needs its certificate.",
      { hint: "Give both --tls-cert and --tls-key." },
    )
  const tls = tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined
  if (tls && h2c)
    throw refusal("invalid_command", "HTTP/2 without TLS is asked for beside a certificate.", {
      hint: "Leave out --h2c: with a certificate clients are offered HTTP/2 anyway.",
    })
  const proxies = proxiesOf(given)
  if (hsts > 0 && !tls && proxies === 0)
    throw refusal("invalid_command", "Browsers are to come by HTTPS only, and nothing here is HTTPS.", {
      hint: "Give --tls-cert and --tls-key, or the proxy that has the certificate with --trust-proxy.",
    })
  return {
    proxies,
    hsts: hsts > 0 ? hsts : undefined,
    tls,
    h2c,
    socket: socket === undefined ? undefined : { path: socket, mode: socketMode },
  }
}

function proxiesOf({ proxies, trustProxy, proxyHeader }: Given): Proxies {
  const [first, ...others] = trustProxy
  if (first === undefined) return proxies
  if (proxies > 0)
    throw refusal("invalid_command", "Both --proxies and --trust-proxy are given.", {
      hint: "Leave out --proxies, the older one.",
    })
  if (!/^[1-9]$/.test(first) || others.length > 0) return createTrustedProxies(trustProxy, proxyHeader)
  if (proxyHeader === "x-forwarded-for") return Number(first)
  return { header: proxyHeader, hops: Number(first) }
}

// The places where a server answers, tried before a database is made or changed for one that cannot be started.

/** Rejects with a Refusal that says which place cannot be had. @param model as it was declared */
export async function refusePlaces(options: Settings, model: Model | undefined): Promise<void> {
  const { socket, tls } = edgeOf(options)
  if (socket) {
    const { removeStale } = await import("../../server/transports/unix-socket.ts")
    await removeStale(socket.path)
  } else await refuseTaken(options)
  if (tls) {
    const { readCertificate } = await import("../../server/transports/certificate.ts")
    await readCertificate(tls)
  }
  await checkMetricsPlace(options.metrics, { ...options, model })
}
