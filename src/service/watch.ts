// Metrics of a running service, and the timings in its answers. An unwatched service loads none of it.
import { type Refusal, refusal } from "../base/problem.ts"
import type { Telemetry, TelemetryListener } from "../base/telemetry.ts"
import type { FaceResponse } from "../http/face.ts"
import type { Model } from "../model/model.ts"
import type { Metrics } from "../observe/metrics/metrics.ts"
import { document, type Mount } from "../server/mounts.ts"
import type { Observation } from "../server/observation.ts"
import type { RunningServer } from "../server/server.ts"
import type { MetricsPlace } from "../settings/forms.ts"
import type { AssembledService } from "./assemble-service.ts"

export interface WatchOptions {
  readonly metrics?: MetricsPlace
  readonly serverTiming: boolean
  /** Metrics are asked for by the process that started this one. */
  readonly isWorker: boolean
  /** Receive requests and statements, too: the log. */
  readonly listeners: readonly TelemetryListener[]
}

export interface Watch {
  readonly telemetry: Telemetry
  /** Where metrics are served, if on an address of their own. */
  readonly metricsUrl?: string
  /** Paths of the server. Throws a Refusal where something else is served there. */
  mountsIn(model: Model, base: string): readonly Mount[]
  observe(observation: Observation): void
  /** Both are there. */
  begin(service: AssembledService, server: RunningServer): Promise<void>
  close(): Promise<void>
}

/** Undefined without any watcher. Throws a Refusal when the address of metrics cannot be had. */
export async function openWatch({
  metrics,
  serverTiming,
  isWorker,
  listeners,
}: WatchOptions): Promise<Watch | undefined> {
  if (!metrics && !serverTiming && listeners.length === 0) return undefined
  const { Telemetry } = await import("../base/telemetry.ts")
  const telemetry = new Telemetry()
  for (const listener of listeners) telemetry.listen(listener)
  if (!metrics) return { ...unwatched, telemetry }
  const { createMetrics, ownRegistry } = await import("../observe/metrics/metrics.ts")
  const made = createMetrics(ownRegistry(true))
  telemetry.listen(made.listener)
  const own = metrics.kind === "address" && !isWorker ? await serveAt(metrics, made) : undefined
  const tellLast = isWorker ? await made.tellStarter() : undefined
  return {
    telemetry,
    ...(own && { metricsUrl: own.url }),
    mountsIn: (model, base) =>
      metrics.kind === "path" ? [metricsMount(metrics.path, made, { model, base })] : [],
    observe: made.observe,
    async begin({ storage, model, faces, followed }, { use, validUntil }) {
      const { createFollowedLog } = await import("../observe/metrics/followed-log.ts")
      made.watch({
        lanes: storage.lanes,
        followedLog: createFollowedLog(storage, model, followed),
        probe: faces.health,
        requests: use,
        validUntil,
      })
    },
    async close() {
      await tellLast?.()
      await own?.close()
    },
  }
}

const unwatched: Omit<Watch, "telemetry"> = {
  mountsIn: () => [],
  observe: () => {},
  begin: async () => {},
  close: async () => {},
}

interface Serving {
  readonly workers: number
  readonly base: string
  /** As it was declared; absent where it is not known yet. */
  readonly model: Model | undefined
}

/** Rejects with a Refusal when metrics could not be served there. */
export async function checkMetricsPlace(
  metrics: MetricsPlace | undefined,
  { workers, base, model }: Serving,
): Promise<void> {
  if (metrics?.kind === "address") {
    const { serveMetrics } = await import("../observe/metrics/metrics-server.ts")
    const trial = await serveMetrics(metrics, () => Promise.reject(new Error("This is a trial.")))
    await trial.close()
  } else if (metrics) {
    if (workers > 1) throw needPort()
    if (model) refuseServed(metrics.path, { base, model })
  }
}

const needPort = (): Refusal =>
  refusal("invalid_command", "Metrics of several processes need a port of their own.", {
    hint: "Give --metrics a port, such as 9464.",
  })

/** Metrics of all workers, served by the process that starts them. Throws a Refusal when they cannot be. */
export async function watchWorkers(
  metrics: MetricsPlace | undefined,
): Promise<Pick<Watch, "metricsUrl" | "close">> {
  if (!metrics) return unwatched
  if (metrics.kind === "path") throw needPort()
  const { gatherWorkerMetrics } = await import("../observe/metrics/worker-metrics.ts")
  const gathered = gatherWorkerMetrics()
  const own = await serveAt(metrics, gathered).catch((error: unknown) => {
    gathered.close()
    throw error
  })
  return {
    metricsUrl: own.url,
    async close() {
      await own.close()
      gathered.close()
    },
  }
}

async function serveAt(
  address: Extract<MetricsPlace, { readonly kind: "address" }>,
  { scrape }: Pick<Metrics, "scrape">,
) {
  const { serveMetrics } = await import("../observe/metrics/metrics-server.ts")
  return serveMetrics(address, scrape)
}

function metricsMount(
  path: string,
  { scrape }: Pick<Metrics, "scrape">,
  service: { readonly model: Model; readonly base: string },
): Mount {
  refuseServed(path, service)
  const respond = async (): Promise<FaceResponse> => {
    const { contentType, text } = await scrape()
    return { status: 200, headers: { "content-type": contentType, "cache-control": "no-store" }, body: text }
  }
  return { path, face: "page", route: path, handler: document(respond) }
}

function refuseServed(path: string, { model, base }: { readonly model: Model; readonly base: string }): void {
  const taken = ["graphql", ...[...model.resources.values()].map((resource) => resource.path)]
  const own = taken.find((name) => path === `${base}/${name}` || path.startsWith(`${base}/${name}/`))
  if (own !== undefined)
    throw refusal(
      "invalid_command",
      `Metrics cannot be served at ${path}: ${base}/${own} is the service's own.`,
      {
        hint: "Choose another path, or a port.",
      },
    )
}
