// The OpenTelemetry SDK as a host registers it, with its spans in memory.
import { context, trace } from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace"

export interface Spans {
  /** In the order in which they ended. */
  all(): readonly ReadableSpan[]
  /** Of a trace. */
  of(traceId: string): readonly ReadableSpan[]
  /** Resolves to the first span, once there is one, that meets the condition. */
  wait(what: string, meets: (span: ReadableSpan) => boolean): Promise<ReadableSpan>
  forget(): void
}

export function registerSdk(): Spans {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  const all = (): readonly ReadableSpan[] => exporter.getFinishedSpans()
  return {
    all,
    of: (traceId) => all().filter((span) => span.spanContext().traceId === traceId),
    async wait(what, meets) {
      const until = Date.now() + 20_000
      for (;;) {
        const found = all().find(meets)
        if (found) return found
        if (Date.now() > until)
          throw new Error(
            `no ${what} among: ${all()
              .map(({ name }) => name)
              .join(", ")}`,
          )
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    forget: () => exporter.reset(),
  }
}
