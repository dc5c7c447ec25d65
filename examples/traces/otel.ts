// Sends the traces of a service to an OpenTelemetry collector. Import this file before the service:
//   `node --import ./otel.ts node_modules/.bin/bifold serve service.ts`
// OTEL_EXPORTER_OTLP_ENDPOINT has the collector's address, http://localhost:4318 when it is not set.
import { context, trace } from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { resourceFromAttributes } from "@opentelemetry/resources"
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"

const provider = new TracerProvider({
  resource: resourceFromAttributes({ "service.name": process.env["OTEL_SERVICE_NAME"] ?? "bifold" }),
  spanProcessors: [
    new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1_000 }),
  ],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)

// The provider sends the rest when the process has nothing more to do.
process.once("beforeExit", () => void provider.shutdown())
