// Spans as W3C Trace Context names them in headers (https://www.w3.org/TR/trace-context/).

/** A span of somebody's trace. */
export interface TraceContext {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string
  /** 16 of them. */
  readonly spanId: string
  /** Bits: sampled (1), random trace id (2). */
  readonly flags: number
}

/** Section 3.2.2: of later versions the first four parts are read, and what follows them is not. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const knownFlags = 0b11

/** The span of a `traceparent` header; undefined for one that is absent or malformed, which begins no trace. */
export function readTraceparent(text: string | null | undefined): TraceContext | undefined {
  if (text === undefined || text === null) return undefined
  const [, version, traceId = "", spanId = "", flags = "", rest] = form.exec(text) ?? []
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & knownFlags }
}

/** The `traceparent` of calls that the span makes. */
export const traceparentOf = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-0${flags & knownFlags}`

/** Section 3.3.1.3, with keys as of Level 2. */
const member =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const mostMembers = 32

/** A `tracestate` header, which is kept as a whole or not at all; undefined for one that is absent, empty or malformed. */
export function readTracestate(text: string | undefined): string | undefined {
  const members = (text ?? "")
    .split(",")
    .map((part) => part.replaceAll(/^[ \t]+|[ \t]+$/g, ""))
    .filter((part) => part !== "")
  const keys = new Set(members.map((part) => part.slice(0, part.indexOf("="))))
  const isWell =
    members.length <= mostMembers &&
    keys.size === members.length &&
    members.every((part) => member.test(part))
  return isWell && members.length > 0 ? members.join(",") : undefined
}
