// Webhooks are of a service that has a log, and networks that they may reach are networks.
import { isIP } from "node:net"
import { isLogged } from "../build/history.ts"
import type { Rule } from "./context.ts"

export const webhooks: Rule = ({ webhooks: declared, resources }, report) => {
  if (declared === undefined) return
  const own = Object.entries(resources).filter(([name]) => !name.startsWith("webhook"))
  if (!own.some(([, resource]) => isLogged(resource)))
    report(
      ["webhooks"],
      "Nothing of this service happens that could be sent.",
      "A resource with states, with events of its own or with history: true has events.",
    )
  if (declared === true) return
  for (const [index, network] of (declared.networks ?? []).entries())
    if (!isNetwork(network))
      report(
        ["webhooks", "networks", index],
        `${JSON.stringify(network)} is no network.`,
        'Give an address and its bits, such as "10.0.0.0/8" or "fd00::/8".',
      )
}

function isNetwork(text: string): boolean {
  const [, address = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const kind = isIP(address)
  return kind !== 0 && Number(bits) <= (kind === 4 ? 32 : 128)
}
