// Reads from headers the connections that proxies took: the client's first, the nearest one's last.
import type { IncomingHttpHeaders } from "node:http"

interface Hop {
  /** Undefined where it is hidden, or is none. */
  readonly address: string | undefined
  /** `http` or `https`, where it is said. */
  readonly protocol: string | undefined
}

/** `X-Forwarded-For`, with `X-Forwarded-Proto`: of one protocol for all, or of one for each. */
export function readForwardedFor(headers: IncomingHttpHeaders): readonly Hop[] {
  const addresses = listOf(headers["x-forwarded-for"])
  const protocols = listOf(headers["x-forwarded-proto"])
  const each = protocols.length === addresses.length
  return addresses.map((address, index) => ({
    address: address === "" ? undefined : withoutPort(address),
    protocol: (each ? protocols[index] : protocols.at(-1))?.toLowerCase(),
  }))
}

/** RFC 7239 section 4. An element that is not well formed hides its address, and ends the search for a client there. */
export function readForwarded(headers: IncomingHttpHeaders): readonly Hop[] {
  const { forwarded } = headers
  return split([forwarded ?? []].flat().join(","), ",").flatMap((element): Hop[] => {
    if (element.trim() === "") return []
    const pairs = new Map(
      split(element, ";").map((pair) => {
        const [, name = "", value = ""] = pairForm.exec(pair) ?? []
        return [name.toLowerCase(), unquoted(value)]
      }),
    )
    const address = pairs.get("for")
    return [
      {
        address: address === undefined || !isAddress(address) ? undefined : withoutPort(address),
        protocol: pairs.get("proto")?.toLowerCase(),
      },
    ]
  })
}

const pairForm = /^\s*([!#$%&'*+.^_`|~\w-]+)=([!#$%&'*+.^_`|~\w-]+|"(?:[^"\\]|\\.)*")\s*$/

const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value

/** Names such as `unknown` and `_hidden` are none (section 6). */
const isAddress = (text: string): boolean => /^[\d.]+(?::\w+)?$|^\[[\da-fA-F:.]+\](?::\w+)?$/.test(text)

/** At signs that stand in no quoted string. */
function split(text: string, at: "," | ";"): readonly string[] {
  const parts: string[] = []
  let [begin, isQuoted] = [0, false]
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index]
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === "\\" && isQuoted) index += 1
    else if (sign === at && !isQuoted) {
      parts.push(text.slice(begin, index))
      begin = index + 1
    }
  }
  return [...parts, text.slice(begin)]
}

const listOf = (header: string | readonly string[] | undefined): readonly string[] =>
  header === undefined
    ? []
    : [header]
        .flat()
        .join(",")
        .split(",")
        .map((one) => one.trim())

/** Some proxies add the port. */
const withoutPort = (address: string): string =>
  /^\[(.+)\](?::\w+)?$/.exec(address)?.[1] ?? /^([0-9.]+):\w+$/.exec(address)?.[1] ?? address
