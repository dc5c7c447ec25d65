// Traces by the OpenTelemetry SDK of the host, where one is registered when the service starts.
import type { TelemetryListener } from "../../base/telemetry.ts"
import { type ClientTraces, defaultClientTraces, type Tracer } from "../../base/tracing.ts"
import { isRegistered } from "./registered.ts"

export interface Traces {
  readonly listener: TelemetryListener
  readonly tracer: Tracer
}

/** As the conventions call the databases. */
const systems = { sqlite: "sqlite", postgres: "postgresql" } as const

/** Undefined where no SDK is registered: then nothing is loaded. Throws a Refusal where the SDK's API cannot be. */
export async function openTraces(
  database: keyof typeof systems,
  clientTraces: ClientTraces = defaultClientTraces,
): Promise<Traces | undefined> {
  if (!isRegistered()) return undefined
  const [{ loadApi }, { createTracer }, { requestSpans }] = await Promise.all([
    import("./api.ts"),
    import("./tracer.ts"),
    import("./request-spans.ts"),
  ])
  const api = await loadApi()
  const tracer = createTracer(api)
  return { tracer, listener: requestSpans(api, tracer, { system: systems[database], clientTraces }) }
}
