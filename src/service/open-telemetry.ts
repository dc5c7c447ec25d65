// Those who watch a service: whom the host names, and its OpenTelemetry SDK. Where there is nobody, nothing is observed.
import { Telemetry } from "../base/telemetry.ts"
import type { ClientTraces, Tracer } from "../base/tracing.ts"
import { readAddress } from "../storage/address.ts"
import { openTraces } from "../traces/open-traces.ts"

export interface Watching {
  /** Absent where nobody watches. */
  readonly telemetry?: Telemetry
  /** Absent where nobody collects spans. */
  readonly tracer?: Tracer
}

interface Watched {
  readonly database: string
  /** Has the other listeners. */
  readonly telemetry?: Telemetry | undefined
  readonly clientTraces?: ClientTraces | undefined
}

/** Rejects with a Refusal where an SDK cannot be used. */
export async function openTelemetry({
  database,
  telemetry: given,
  clientTraces,
}: Watched): Promise<Watching> {
  const traces = await openTraces(readAddress(database).kind, clientTraces)
  if (!traces) return given ? { telemetry: given } : {}
  const telemetry = given ?? new Telemetry()
  telemetry.listen(traces.listener)
  return { telemetry, tracer: traces.tracer }
}
