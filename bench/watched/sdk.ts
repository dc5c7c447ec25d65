// An OpenTelemetry SDK whose spans go nowhere: what it and the spans of a service take, without a collector.
import { context, trace } from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace"

/** The share of traces that are recorded. */
const share = Number(process.env["BENCH_TRACED"] ?? 1)

const exporter = {
  export: (_spans: unknown, done: (result: { readonly code: 0 }) => void) => done({ code: 0 }),
  shutdown: async () => {},
}
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(
  new TracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: 100_000, scheduledDelayMillis: 200 })],
  }),
)
