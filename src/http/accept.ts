// Content negotiation (RFC 9110 section 12.5.1) among the few media types that an address offers.

export interface MediaType {
  readonly name: string
  /** The full value of Content-Type. */
  readonly contentType: string
}

export const json: MediaType = { name: "application/json", contentType: "application/json; charset=utf-8" }
export const csv: MediaType = { name: "text/csv", contentType: "text/csv; charset=utf-8; header=present" }
export const ndjson: MediaType = { name: "application/x-ndjson", contentType: "application/x-ndjson" }

interface Range {
  readonly type: string
  readonly quality: number
}

/** The offer that the client likes best, the earlier one of equals; undefined when none will do. */
export function negotiate(accept: string | undefined, offers: readonly MediaType[]): MediaType | undefined {
  if (accept === undefined || accept === "*/*" || accept.trim() === "") return offers[0]
  const named = offers.find(({ name }) => name === accept)
  if (named) return named
  const ranges = accept.split(",").flatMap((text) => readRange(text) ?? [])
  let best: MediaType | undefined
  let bestQuality = 0
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges)
    if (quality > bestQuality) {
      best = offer
      bestQuality = quality
    }
  }
  return best
}

/** The most specific range that covers the offer decides. */
function qualityOf({ name }: MediaType, ranges: readonly Range[]): number {
  for (const type of [name, `${name.split("/")[0]}/*`, "*/*"]) {
    const found = ranges.filter((range) => range.type === type)
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality))
  }
  return 0
}

/** Parameters that describe the offered types anyway; a range with others asks for something else. */
const harmless = new Set(["charset=utf-8", "header=present"])

function readRange(text: string): Range | undefined {
  const [type = "", ...parameters] = text
    .split(";")
    .map((part) => part.trim().toLowerCase().replaceAll('"', ""))
  let quality = 1
  for (const parameter of parameters) {
    if (parameter.startsWith("q="))
      quality = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(parameter) ? Number(parameter.slice(2)) : 0
    else if (parameter !== "" && !harmless.has(parameter)) return undefined
  }
  return { type, quality }
}
