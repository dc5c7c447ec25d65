// Metrics of an embedded service: they are there before it is opened, while it cannot be, and after it was closed.
import type { TelemetryListener } from "../base/telemetry.ts"
import { createFollowedLog } from "../observe/metrics/followed-log.ts"
import { createMetrics, type Metrics, ownRegistry, type Watched } from "../observe/metrics/metrics.ts"
import type { Observe } from "../server/observation.ts"
import type { AssembledService } from "./assemble-service.ts"

export interface EmbeddedMetrics extends Pick<Metrics, "scrape"> {
  readonly listener: TelemetryListener
  readonly observe: Observe
  /** @param requests those under way, and the most that may be */
  opened(service: AssembledService, requests: Watched["requests"]): void
  closed(): void
}

/** A service that is not open: its database does not answer. */
const nothing: Watched = {
  lanes: () => [],
  followedLog: async () => undefined,
  probe: () => Promise.reject(new Error("The service is not open.")),
  requests: () => ({ underWay: 0, limit: 0 }),
}

/** @param what `process` includes Node's own metrics, for a host that does not collect them itself */
export function createEmbeddedMetrics(what: "service" | "process"): EmbeddedMetrics {
  const { scrape, listener, observe, watch } = createMetrics(ownRegistry(what === "process"))
  watch(nothing)
  return {
    scrape,
    listener,
    observe,
    opened: ({ storage, model, faces, followed }, requests) =>
      watch({
        lanes: storage.lanes,
        followedLog: createFollowedLog(storage, model, followed),
        probe: faces.health,
        requests,
      }),
    closed: () => watch(nothing),
  }
}
