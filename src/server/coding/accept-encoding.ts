// Chooses the content coding of an answer, by the client's Accept-Encoding (RFC 9110 section 12.5.3).

/** In the order in which they are chosen among those that the client likes equally: the least work for a size comes first. */
export const codings = ["zstd", "br", "gzip"] as const

export type Coding = (typeof codings)[number]

export interface Negotiated {
  /** Undefined: the answer is sent as it is. */
  readonly chosen: Coding | undefined
  /** For an answer that would rather be sent as it is: undefined where the client accepts that. */
  readonly needed: Coding | undefined
  /** Whether the client takes the coding; undefined stands for none. */
  accepts(coding: Coding | undefined): boolean
}

/** Undefined: the client accepts nothing that there is. @param header of the request; absent, the answer stays as it is */
export type Negotiate = (header: string | undefined) => Negotiated | undefined

/** Headers that are remembered: clients send few, each of them again and again. */
const mostKnown = 200
const longestKnown = 200

/** @param available none where answers are never coded */
export function createNegotiate(available: readonly Coding[]): Negotiate {
  const known = new Map<string, Negotiated | undefined>()
  const plain: Negotiated = {
    chosen: undefined,
    needed: undefined,
    accepts: (coding) => coding === undefined || available.includes(coding),
  }
  return (header) => {
    if (header === undefined) return plain
    if (known.has(header)) return known.get(header)
    const found = negotiate(header, available)
    if (header.length > longestKnown) return found
    if (known.size >= mostKnown) known.clear()
    known.set(header, found)
    return found
  }
}

function negotiate(header: string, available: readonly Coding[]): Negotiated | undefined {
  const ranges = readRanges(header)
  const star = ranges.get("*")
  const qualities = new Map(available.map((coding) => [coding, ranges.get(coding) ?? star ?? 0]))
  // Each client of today reads gzip, which `*` does not say of the others.
  const named = available.filter((coding) => ranges.has(coding))
  const unnamed = available.filter((coding) => !ranges.has(coding)).toReversed()
  const [best] = [...named, ...unnamed].toSorted(
    (one, other) => (qualities.get(other) ?? 0) - (qualities.get(one) ?? 0),
  )
  const quality = best === undefined ? 0 : (qualities.get(best) ?? 0)
  // Acceptable unless it is excluded; better than a coding only where it is weighed.
  const identity = ranges.get("identity") ?? star
  const excluded = identity === 0
  if (quality === 0 && excluded) return undefined
  const coded = quality > 0 && quality >= (identity ?? 0)
  return {
    chosen: coded ? best : undefined,
    needed: excluded ? best : undefined,
    accepts: (coding) => (coding === undefined ? !excluded : (qualities.get(coding) ?? 0) > 0),
  }
}

const element = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** The quality of each coding that is named, the best where it is so twice. Elements that are malformed say nothing. */
function readRanges(header: string): ReadonlyMap<string, number> {
  const ranges = new Map<string, number>()
  for (const text of header.split(",")) {
    const [, name, quality = "1"] = element.exec(text) ?? []
    if (name === undefined) continue
    const lower = name.toLowerCase()
    // RFC 9110 section 8.4.1.3.
    const coding = lower === "x-gzip" ? "gzip" : lower
    ranges.set(coding, Math.max(ranges.get(coding) ?? 0, Number(quality)))
  }
  return ranges
}
