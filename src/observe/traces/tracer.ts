// Spans of user code, handlers and deliveries, by the host's OpenTelemetry SDK.
import type { Context, Span, SpanContext } from "@opentelemetry/api"
import type { TraceContext } from "../../base/tracing.ts"
import { currentTrace, type SpanOf, type Tracer, withTrace } from "../../base/tracing.ts"
import type { Api } from "./api.ts"
import { describe, describeError } from "./described.ts"

/** The name of Bifold's instrumentation. */
export const scope = "bifold"

const traceOf = (span: Span): TraceContext => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceId, spanId, flags: traceFlags }
}

/** A span of another process, or of one before. */
export const remote = ({ traceId, spanId, flags }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: flags,
  isRemote: true,
})

export function createTracer(api: Api): Tracer {
  const { context, SpanKind, SpanStatusCode, trace } = api
  const made = trace.getTracer(scope)
  const kinds = { code: SpanKind.INTERNAL, handler: SpanKind.CONSUMER, delivery: SpanKind.CLIENT }
  const tracer: Tracer = {
    async span(of, work) {
      const { name, attributes } = describe(of)
      const span = made.startSpan(
        name,
        { kind: kinds[of.kind], attributes, startTime: performance.now(), ...beginning(of) },
        context.active(),
      )
      try {
        return await within(api, tracer, { span, context: trace.setSpan(context.active(), span) }, () =>
          work((status) => {
            span.setAttribute("http.response.status_code", status)
            if (status < 400) return
            span.setAttribute("error.type", String(status))
            span.setStatus({ code: SpanStatusCode.ERROR })
          }),
        )
      } catch (error) {
        const told = describeError(error)
        span.setAttributes(told.attributes)
        if (told.isFault) span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end(performance.now())
      }
    },
  }
  return tracer
}

/** An event begins a trace of its own. The event may come long after the write's trace, and one write may cause many. */
function beginning({ kind }: SpanOf): object {
  if (kind === "code") return {}
  const cause = currentTrace()
  return { root: true, links: cause ? [{ context: remote(cause) }] : [] }
}

/** Runs work in a span that the user code of the host sees, too. */
export const within = <Result>(
  { context }: Api,
  tracer: Tracer,
  of: { readonly span: Span; readonly context: Context },
  work: () => Result,
): Result => context.with(of.context, () => withTrace(traceOf(of.span), tracer, work))
