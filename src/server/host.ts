// The host that a request names, and requests that name none, several or the wrong one.
import { isIPv6 } from "node:net"
import { type Refusal, refusal } from "../base/problem.ts"
import { quoteInput } from "../plan/quote-input.ts"
import type { Incoming } from "./incoming.ts"

/**
 * RFC 9112 section 3.2: one Host that can be read, which only HTTP/1.0 may leave out. Where the target names a host it goes
 * before the header, and is looked at the same way.
 */
export function refusedHost(message: Incoming, loopbackOnly: boolean): Refusal | undefined {
  const {
    headers: { host },
    httpVersion,
    url = "/",
  } = message
  if (host === undefined && httpVersion === "1.1")
    return refusal("malformed_request", "The request has no header Host.")
  if (host !== undefined && timesNamed(message, "host") > 1)
    return refusal("malformed_request", "The request has several headers Host.", {
      hint: "Send one, with the name of the service.",
    })
  const named = url.startsWith("/") ? host : (authorityIn(url) ?? host)
  if (host !== undefined && !isHost(host)) return noHost(host)
  if (named !== undefined && named !== host && !isHost(named)) return noHost(named)
  return loopbackOnly && !namesLoopback(named) ? notThisHost(named) : undefined
}

const noHost = (text: string): Refusal =>
  refusal("malformed_request", `${quoteInput(text)} is not the name of a host.`, {
    hint: "Send a name or an address, with a port or without it, such as example.org:8080.",
  })

/** The host of the absolute form (RFC 9112 section 3.2.2); undefined for any other. */
const authorityIn = (target: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]

/** `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2.2); empty where the target has no host. */
function isHost(text: string): boolean {
  const found = hostForm.exec(text)
  if (!found) return false
  const [, literal, port = ""] = found
  return (literal === undefined || isIPv6(literal)) && Number(port) <= 65_535
}

const hostForm = /^(?:\[([0-9A-Fa-f:.]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::(\d{0,5}))?$/

function namesLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

function notThisHost(host: string | undefined): Refusal {
  return refusal(
    "malformed_request",
    `This service is open to its own machine only, not as ${quoteInput(host ?? "")}.`,
    {
      hint: "Ask for it as localhost or 127.0.0.1.",
    },
  )
}

/** Names and values stand in turn. */
export function timesNamed({ rawHeaders }: Incoming, header: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (name.length === header.length && name.toLowerCase() === header) times += 1
  }
  return times
}
