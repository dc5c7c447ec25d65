// The trace of the current work, and the tracer that makes spans of its parts. Both are ambient: all of the work knows them
// without arguments. Nothing else is ambient.
import { AsyncLocalStorage } from "node:async_hooks"
import type { RequestRecord } from "./telemetry.ts"

/** A part of the work that has a span of its own. */
export type SpanOf =
  /** User code within a request: `applyCoupon of order`. */
  | { readonly kind: "code"; readonly name: string }
  /** A handler is called with an event of the log. */
  | { readonly kind: "handler"; readonly name: string; readonly event: string; readonly eventId: string }
  /** An event is sent to an endpoint of webhooks. */
  | {
      readonly kind: "delivery"
      /** Without a path, which may hold a secret. */
      readonly origin: string
      readonly event: string
      readonly eventId: string
      readonly endpoint: string
    }

/** Makes spans. Absent where no exporter collects them. */
export interface Tracer {
  /**
   * Runs work in a span, which is the current one within it. A span of an event links to the write, and begins a trace.
   * @param work is given a function that notes the status of an HTTP answer
   */
  span<Result>(of: SpanOf, work: (answered: Answered) => Promise<Result>): Promise<Result>
}

type Answered = (status: number) => void

/**
 * The handling of traces that clients send. `link`: a request begins a trace of its own, whose span links to the client's.
 * `join`: a request is part of the client's trace. `ignore`: the client's trace is dropped.
 */
export const clientTraces = ["link", "join", "ignore"] as const
export type ClientTraces = (typeof clientTraces)[number]
/** Anybody can send a `traceparent`. */
export const defaultClientTraces: ClientTraces = "link"

interface Tracing {
  readonly trace: TraceContext | undefined
  readonly tracer: Tracer | undefined
  /** The id of a client's trace that the work is no part of, for answers to that client alone. */
  readonly clientTraceId?: string
}

const tracing = new AsyncLocalStorage<Tracing>()

/** The current span; undefined for work that is part of no trace. */
export const currentTrace = (): TraceContext | undefined => tracing.getStore()?.trace

/** Runs work within a span, in the place of the current one. */
export const withTrace = <Result>(
  trace: TraceContext | undefined,
  tracer: Tracer | undefined,
  work: () => Result,
): Result =>
  trace === undefined && tracer === undefined && tracing.getStore() === undefined
    ? work()
    : tracing.run({ trace, tracer }, work)

/** Runs work for a request within its own span, else as part of its client's trace, where that is trusted. */
export function tracedRequest(
  record: RequestRecord | undefined,
  traceparent: string | undefined,
  how: ClientTraces,
): <Result>(work: () => Result) => Result {
  if (record?.within) return record.within
  const trace = how === "ignore" ? undefined : readTraceparent(traceparent)
  if (!trace) return direct
  if (record) record.traceId = trace.traceId
  if (how === "join") return (work) => withTrace(trace, undefined, work)
  const apart: Tracing = { trace: undefined, tracer: undefined, clientTraceId: trace.traceId }
  return (work) => tracing.run(apart, work)
}

const direct = <Result>(work: () => Result): Result => work()

/** Runs work in a span of its own, where a tracer collects spans. */
export function spanned<Result>(of: SpanOf, work: (answered: Answered) => Promise<Result>): Promise<Result> {
  const tracer = tracing.getStore()?.tracer
  return tracer ? tracer.span(of, work) : work(nothing)
}

const nothing = (): void => {}

/** For bodies of errors: the id of the trace, beside the id of the request. */
export function traceIdMember(): { readonly traceId?: string } {
  const { trace, clientTraceId } = tracing.getStore() ?? {}
  const traceId = trace?.traceId ?? clientTraceId
  return traceId === undefined ? {} : { traceId }
}

/** For calls to other servers. */
export function traceHeader(): { readonly traceparent?: string } {
  const trace = currentTrace()
  return trace ? { traceparent: traceparentOf(trace) } : {}
}

// Spans as W3C Trace Context names them in headers (https://www.w3.org/TR/trace-context/).

/** A span of a client's or server's trace. */
export interface TraceContext {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string
  /** 16 of them. */
  readonly spanId: string
  /** Bits: sampled (1), random trace id (2). */
  readonly flags: number
}

/** Section 3.2.2: of later versions only the first four parts are read. */
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
