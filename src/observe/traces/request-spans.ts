// Spans of requests, of their plans and statements, from observations.
import type { Attributes, Context, Link, Span, SpanKind } from "@opentelemetry/api"
import { lately } from "../../base/caches.ts"
import type {
  ObservedStatement,
  RequestHeaders,
  RequestRecord,
  Stage,
  TelemetryListener,
} from "../../base/telemetry.ts"
import type { ClientTraces, Tracer } from "../../base/tracing.ts"
import { readTraceparent, readTracestate } from "../../base/tracing.ts"
import type { Api } from "./api.ts"
import { type Described, describeStatement, methodOf, pathOf, serverIn } from "./described.ts"
import { remote, scope, within } from "./tracer.ts"

/** Hosts that clients name, and texts of statements. */
const mostKept = 500
/** Characters of a name that a client chose. */
const longestName = 128

interface Begun {
  readonly span: Span
  /** With the span in it. */
  readonly context: Context
}

interface RequestSpansOptions {
  /** The database, as the conventions call it. */
  readonly system: string
  readonly clientTraces: ClientTraces
}

export function requestSpans(
  api: Api,
  tracer: Tracer,
  { system, clientTraces }: RequestSpansOptions,
): TelemetryListener {
  const { context, SpanKind, SpanStatusCode, trace } = api
  const made = trace.getTracer(scope)
  const begun = new WeakMap<RequestRecord, Begun>()
  const servers = lately(serverIn, mostKept)
  const reads = lately((text) => describeStatement(system, { kind: "read", commands: [{ text }] }), mostKept)
  const others = new WeakMap<object, Described>()
  const described = ({ kind, commands }: ObservedStatement): Described => {
    const [first] = commands
    if (kind === "read" && first && commands.length === 1) return reads(first.text)
    const known = others.get(commands) ?? describeStatement(system, { kind, commands })
    others.set(commands, known)
    return known
  }
  const isRecorded = (parent: Context | undefined): parent is Context =>
    parent !== undefined && trace.getSpan(parent)?.isRecording() === true
  /** A part that has ended. */
  const part = (parent: Context, kind: SpanKind, of: Part): void => {
    const { name, attributes, began, took, fault } = of
    const span = made.startSpan(name, { kind, attributes, startTime: began }, parent)
    if (fault !== undefined) {
      span.setAttributes(faultOf(fault))
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end(began + took)
  }
  return {
    requestBegun(record, headers) {
      const { parent, ...placed } = placeOf(api, headers, clientTraces)
      const method = methodOf(record.method)
      const attributes = { "http.request.method": method, ...servers(textOf(headers["host"]) ?? "") }
      const span = made.startSpan(nameOf(method), { ...placed, attributes, startTime: record.began }, parent)
      const of = { span, context: trace.setSpan(parent, span) }
      begun.set(record, of)
      record.traceId = span.spanContext().traceId
      record.within = (work) => within(api, tracer, of, work)
    },
    stageEnded(record: RequestRecord, stage: Stage, took: number) {
      if (stage !== "plan") return
      const parent = begun.get(record)?.context
      if (!isRecorded(parent)) return
      part(parent, SpanKind.INTERNAL, { name: "plan", attributes: {}, began: performance.now() - took, took })
    },
    statementEnded(statement: ObservedStatement) {
      const { record, began, took, fault } = statement
      // A handler has no record, and is known by its context where the statement runs in it.
      const parent = record ? begun.get(record)?.context : context.active()
      if (!isRecorded(parent)) return
      const { name, attributes } = described(statement)
      part(parent, SpanKind.CLIENT, { name, attributes, began, took, fault })
    },
    requestEnded(record) {
      const of = begun.get(record)
      if (!of) return
      begun.delete(record)
      const { span } = of
      if (!span.isRecording()) return span.end()
      span.updateName(nameOf(methodOf(record.method), routeOf(record)))
      span.setAttributes(attributesOf(record))
      if (record.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(record.began + record.took)
    },
  }
}

interface Part {
  readonly name: string
  readonly attributes: Attributes
  /** As of `performance.now()`. */
  readonly began: number
  /** Milliseconds. */
  readonly took: number
  readonly fault?: unknown
}

interface Place {
  readonly parent: Context
  readonly kind: number
  readonly links?: Link[]
}

/** Within the host's own span of the request, if it has one; else within the client's span, or beside it. */
function placeOf(
  { context, ROOT_CONTEXT, SpanKind, trace, createTraceState }: Api,
  headers: RequestHeaders,
  clientTraces: ClientTraces,
): Place {
  const active = context.active()
  if (trace.getSpan(active)) return { parent: active, kind: SpanKind.INTERNAL }
  const root: Place = { parent: ROOT_CONTEXT, kind: SpanKind.SERVER }
  const client = clientTraces === "ignore" ? undefined : readTraceparent(textOf(headers["traceparent"]))
  if (!client) return root
  // Its state is for those who take part in its trace.
  if (clientTraces === "link") return { ...root, links: [{ context: remote(client) }] }
  const state = readTracestate(textOf(headers["tracestate"]))
  const parent = trace.setSpanContext(ROOT_CONTEXT, {
    ...remote(client),
    ...(state !== undefined && { traceState: createTraceState(state) }),
  })
  return { parent, kind: SpanKind.SERVER }
}

const textOf = (header: RequestHeaders[string]): string | undefined =>
  typeof header === "string" ? header : header?.join(", ")

const nameOf = (method: string, route?: string): string => {
  const named = method === "_OTHER" ? "HTTP" : method
  return route === undefined ? named : `${named} ${route}`
}

function attributesOf(record: RequestRecord): Attributes {
  const { id, face, status, code, operation } = record
  const route = routeOf(record)
  return {
    "http.response.status_code": status,
    "bifold.request.id": id,
    "bifold.face": face,
    ...(route !== undefined && { "http.route": route, "url.path": pathOf(route) }),
    ...(operation && { "graphql.operation.type": operation.kind }),
    ...(operation?.name !== undefined && { "graphql.operation.name": operation.name.slice(0, longestName) }),
    ...(code !== undefined && { "bifold.error.code": code }),
    ...(status >= 500 && { "error.type": code ?? String(status) }),
  }
}

const routeOf = ({ route, face }: RequestRecord): string | undefined =>
  route ?? (face === "graphql" ? "/graphql" : undefined)

/** The code of a database, and never its message, which may have values. */
function faultOf(fault: unknown): Attributes {
  const code: unknown = fault instanceof Error && "code" in fault ? fault.code : undefined
  return {
    "error.type": fault instanceof Error ? fault.constructor.name : "Error",
    ...(typeof code === "string" && { "db.response.status_code": code }),
  }
}
