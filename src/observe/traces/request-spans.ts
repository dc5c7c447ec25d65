// Spans of requests, of their plans and statements, from what is observed of them.
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

/** A listener of telemetry, which takes its members by themselves. */
export class RequestSpans implements TelemetryListener {
  readonly #api: Api
  readonly #tracer: Tracer
  readonly #options: RequestSpansOptions
  readonly #made: ReturnType<Api["trace"]["getTracer"]>
  readonly #begun = new WeakMap<RequestRecord, Begun>()
  readonly #servers = lately(serverIn, mostKept)
  readonly #reads: (text: string) => Described
  readonly #others = new WeakMap<object, Described>()

  constructor(api: Api, tracer: Tracer, options: RequestSpansOptions) {
    this.#api = api
    this.#tracer = tracer
    this.#options = options
    this.#made = api.trace.getTracer(scope)
    const { system } = options
    this.#reads = lately(
      (text) => describeStatement(system, { kind: "read", commands: [{ text }] }),
      mostKept,
    )
  }

  readonly requestBegun = (record: RequestRecord, headers: RequestHeaders): void => {
    const { parent, ...placed } = placeOf(this.#api, headers, this.#options.clientTraces)
    const method = methodOf(record.method)
    const attributes = { "http.request.method": method, ...this.#servers(textOf(headers["host"]) ?? "") }
    const span = this.#made.startSpan(
      nameOf(method),
      { ...placed, attributes, startTime: record.began },
      parent,
    )
    const of = { span, context: this.#api.trace.setSpan(parent, span) }
    this.#begun.set(record, of)
    record.traceId = span.spanContext().traceId
    record.within = (work) => within(this.#api, this.#tracer, of, work)
  }

  readonly stageEnded = (record: RequestRecord, stage: Stage, took: number): void => {
    if (stage !== "plan") return
    const parent = this.#begun.get(record)?.context
    if (!this.#isRecorded(parent)) return
    const began = performance.now() - took
    this.#part(parent, this.#api.SpanKind.INTERNAL, { name: "plan", attributes: {}, began, took })
  }

  readonly statementEnded = (statement: ObservedStatement): void => {
    const { record, began, took, fault } = statement
    // A handler has no record, and is known by its context where the statement runs in it.
    const parent = record ? this.#begun.get(record)?.context : this.#api.context.active()
    if (!this.#isRecorded(parent)) return
    const { name, attributes } = this.#described(statement)
    this.#part(parent, this.#api.SpanKind.CLIENT, { name, attributes, began, took, fault })
  }

  readonly requestEnded = (record: RequestRecord): void => {
    const of = this.#begun.get(record)
    if (!of) return
    this.#begun.delete(record)
    const { span } = of
    if (!span.isRecording()) {
      span.end()
      return
    }
    const { status, operation } = record
    const route = routeOf(record)
    const method = methodOf(record.method)
    span.updateName(nameOf(method, route))
    span.setAttributes({
      "http.response.status_code": status,
      "bifold.request.id": record.id,
      "bifold.face": record.face,
      ...(route !== undefined && { "http.route": route, "url.path": pathOf(route) }),
      ...(operation && { "graphql.operation.type": operation.kind }),
      ...(operation?.name !== undefined && {
        "graphql.operation.name": operation.name.slice(0, longestName),
      }),
      ...(record.code !== undefined && { "bifold.error.code": record.code }),
    })
    if (status >= 500) {
      span.setAttribute("error.type", record.code ?? String(status))
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    }
    span.end(record.began + record.took)
  }

  #described({ kind, commands }: ObservedStatement): Described {
    const [first] = commands
    if (kind === "read" && first && commands.length === 1) return this.#reads(first.text)
    const known = this.#others.get(commands) ?? describeStatement(this.#options.system, { kind, commands })
    this.#others.set(commands, known)
    return known
  }

  #isRecorded(parent: Context | undefined): parent is Context {
    return parent !== undefined && this.#api.trace.getSpan(parent)?.isRecording() === true
  }

  /** A part that has ended. */
  #part(parent: Context, kind: SpanKind, { name, attributes, began, took, fault }: Part): void {
    const span = this.#made.startSpan(name, { kind, attributes, startTime: began }, parent)
    if (fault !== undefined) {
      span.setAttributes(faultOf(fault))
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    }
    span.end(began + took)
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

/** Within the host's own span of the request, where it has one; else within that of the client, or beside it. */
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
