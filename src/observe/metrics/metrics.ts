// Metrics of a process in Prometheus's text format: sums over requests and statements, and values that a scrape looks
// up.
import { collectDefaultMetrics, Registry, type RegistryContentType } from "prom-client"
import { cacheBudget } from "../../base/caches.ts"
import type {
  ObservedFace,
  ObservedStatement,
  RequestRecord,
  Stage,
  TelemetryListener,
} from "../../base/telemetry.ts"
import type { Observation } from "../../server/observation.ts"
import type { LaneUse } from "../../storage/storage.ts"
import { rowOf } from "../observations.ts"
import { type Definition, definitions } from "./definitions.ts"
import type { FollowedLog, ReadFollowedLog } from "./followed-log.ts"
import { Counts, Distributions, Family, type Figures, register } from "./tallies.ts"

/** Parts of a service whose state is looked up. */
export interface Watched {
  readonly lanes: () => readonly LaneUse[]
  readonly followedLog: ReadFollowedLog
  /** Rejects when the database does not answer. */
  readonly probe: () => Promise<unknown>
  readonly requests: () => RequestUse
  /** When the certificate of the server expires, if it has one. */
  readonly validUntil?: (() => Date | undefined) | undefined
}

/** Requests of a server, now. */
interface RequestUse {
  readonly underWay: number
  /** The most that may be under way. */
  readonly limit: number
}

export interface Metrics {
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>
  /** Counts requests and statements. */
  readonly listener: TelemetryListener
  /** In a worker: the process that started it asks for its figures from now on. Gives what tells it the last ones. */
  tellStarter(): Promise<() => Promise<void>>
  /** Parts that are there once the service is. */
  watch(watched: Watched): void
  /** Counts those whose row names a metric. */
  observe(observation: Observation): void
}

/** Methods that a client may choose a name for are one. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * A registry of our own: a host may have one of the same prom-client.
 * @param withProcess with metrics of the process
 */
export function ownRegistry(withProcess: boolean): OwnRegistry {
  const registry = new Registry()
  if (withProcess) collectDefaultMetrics({ register: registry })
  return registry
}

type OwnRegistry = Registry<RegistryContentType>

export function createMetrics(registry: OwnRegistry): Metrics {
  const requestEnded = countRequests(registry)
  const statements = countStatements(registry)
  const socketsClosed = register(registry, new Counts(definitions.socketsClosed))
  const replaced = register(registry, new Counts(definitions.logReplaced))
  const handlerFailures = register(registry, new Counts(definitions.handlerFailures))
  const webhookAttempts = register(registry, new Counts(definitions.webhookAttempts))
  const repeated = register(registry, new Counts(definitions.repeated))
  const repeats = new Family((kind: "code" | "write") => repeated.counter({ kind }))
  const outcomes = new Family((outcome: string) => webhookAttempts.counter({ outcome }))
  const logs = replaced.counter({})
  const counted = {
    handlerFailures: new Family((handler: string) => handlerFailures.counter({ handler })),
    webhookAttempts: outcomes,
    logReplaced: new Family(() => logs),
    socketsClosed: new Family((bound: string) => socketsClosed.counter({ bound })),
  }
  let watched: Watched | undefined
  const halted = { handlers: false, sink: false }
  for (const [definition, figures] of gaugesOf(() => watched, halted))
    register(registry, { definition, figures })
  const listener: TelemetryListener = {
    readsStages: true,
    requestEnded,
    ...statements,
    doneAgain: (isCode) => {
      repeats.of(isCode ? "code" : "write").value += 1
    },
    webhookAttempted: (isTaken) => {
      outcomes.of(isTaken ? "delivered" : "failed").value += 1
    },
  }
  return {
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    listener,
    tellStarter: async () => (await import("./worker-metrics.ts")).tellWorkerMetrics(registry),
    watch(parts) {
      watched = parts
    },
    observe(observation) {
      const { counts, halts } = rowOf(observation)
      if (halts) halted[halts.part] = halts.now
      const found = counts?.(observation)
      if (found) counted[found.metric].of(found.label ?? "").value += found.by ?? 1
    },
  }
}

function countRequests(registry: OwnRegistry): (record: RequestRecord) => void {
  const requests = register(registry, new Counts(definitions.requests))
  const requestSeconds = register(registry, new Distributions(definitions.requestSeconds))
  const stageSeconds = register(registry, new Distributions(definitions.stageSeconds))
  const points = register(registry, new Counts(definitions.points))
  const plans = register(registry, new Counts(definitions.plans))
  const joins = register(registry, new Counts(definitions.joins))
  const faces = new Family((face: ObservedFace) => ({
    points: points.counter({ face }),
    stages: new Family((stage: Stage) => stageSeconds.distribution({ face, stage })),
    methods: new Family(
      (method: string) =>
        new Family(
          (route: string) =>
            new Family((operation: string) => ({
              seconds: requestSeconds.distribution({ face, method, route, operation }),
              statuses: new Family(
                (status: number) =>
                  new Family((code: string) =>
                    requests.counter({ face, method, route, operation, status: String(status), code }),
                  ),
              ),
            })),
        ),
    ),
  }))
  const known = plans.counter({ cache: "hit" })
  const unknown = plans.counter({ cache: "miss" })
  const joined = joins.counter({})
  return (record) => {
    const { times } = record
    const face = faces.of(record.face)
    const series = face.methods
      .of(methods.has(record.method) ? record.method : "other")
      .of(record.route ?? "")
      .of(record.operation?.kind ?? "")
    series.seconds.add(record.took / 1_000)
    series.statuses.of(record.status).of(record.code ?? "").value += 1
    for (const stage of stagesOf(record)) face.stages.of(stage).add(times[stage] / 1_000)
    face.points.value += record.points
    known.value += record.knownPlans
    unknown.value += record.newPlans
    joined.value += record.joined
  }
}

function countStatements(registry: OwnRegistry): Pick<TelemetryListener, "statementEnded" | "committed"> {
  const statements = register(registry, new Counts(definitions.statements))
  const statementSeconds = register(registry, new Distributions(definitions.statementSeconds))
  const statementFailures = register(registry, new Counts(definitions.statementFailures))
  const commitWrites = register(registry, new Distributions(definitions.commitWrites))
  const kinds = new Family((kind: ObservedStatement["kind"]) => ({
    request: statements.counter({ kind, origin: "request" }),
    background: statements.counter({ kind, origin: "background" }),
    seconds: statementSeconds.distribution({ kind }),
    failures: statementFailures.counter({ kind }),
  }))
  // Absent until a statement writes.
  let together: ReturnType<typeof commitWrites.distribution> | undefined
  return {
    statementEnded({ kind, commands, record, took, fault }) {
      const of = kinds.of(kind)
      const origin = record ? of.request : of.background
      origin.value += commands.length
      of.seconds.add(took / 1_000)
      if (fault !== undefined) of.failures.value += 1
    },
    committed(writes) {
      together ??= commitWrites.distribution({})
      together.add(writes)
    },
  }
}

const always = ["read", "plan", "write"] as const
const withStatements = [...always, "queue", "statement"] as const
const withCode = [...withStatements, "code"] as const

/** A request without a statement has not waited for one. */
function stagesOf({
  statements,
  joined,
  times,
}: RequestRecord): typeof always | typeof withStatements | typeof withCode {
  if (times.code > 0) return withCode
  return statements + joined > 0 ? withStatements : always
}

/** Figures that are looked up when they are asked for. @param halted parts that cannot go on for now */
function gaugesOf(
  watched: () => Watched | undefined,
  halted: { readonly handlers: boolean; readonly sink: boolean },
): readonly (readonly [Definition, Figures])[] {
  const one = (value: number | undefined) => (value === undefined ? [] : [{ labels: {}, value }])
  const ofRequests = (read: (use: RequestUse) => number) => () => {
    const parts = watched()
    return one(parts && read(parts.requests()))
  }
  const ofLanes = (read: (use: LaneUse) => number) => () =>
    (watched()?.lanes() ?? []).map((use) => ({ labels: { lane: use.lane }, value: read(use) }))
  /** Where the database cannot be asked, there are no figures of it but that. */
  const log = async (): Promise<FollowedLog | undefined> =>
    watched()
      ?.followedLog()
      .catch(() => undefined)
  const ofLog = (read: (found: FollowedLog) => number | undefined) => async () => {
    const found = await log()
    return one(found && read(found))
  }
  const ofHandlers = (read: (of: FollowedLog["handlers"][number]) => number) => async () =>
    ((await log())?.handlers ?? []).map((each) => ({ labels: { handler: each.name }, value: read(each) }))
  return [
    [definitions.underWay, ofRequests((use) => use.underWay)],
    [definitions.admitted, ofRequests((use) => use.limit)],
    [definitions.cacheBytes, () => one(cacheBudget.weight)],
    [definitions.cacheLimit, () => one(cacheBudget.most)],
    [definitions.certificateExpiry, () => one(expiryOf(watched()))],
    [definitions.laneUsed, ofLanes((use) => use.used)],
    [definitions.laneLimit, ofLanes((use) => use.most)],
    [definitions.laneWaiting, ofLanes((use) => use.waiting)],
    [definitions.databaseUp, async () => one(await isUp(watched()))],
    [definitions.logPosition, ofLog(({ position }) => Number(position))],
    [definitions.handlerPosition, ofHandlers(({ position }) => Number(position))],
    [definitions.handlerBehind, ofHandlers(({ behind }) => behind)],
    [definitions.handlerLag, ofHandlers(({ lag }) => lag)],
    [definitions.handlerWaiting, ofHandlers(({ waiting }) => waiting)],
    [definitions.webhookBehind, ofLog(({ webhooks }) => webhooks?.behind)],
    [definitions.webhookLag, ofLog(({ webhooks }) => webhooks?.lag)],
    [definitions.webhookWaiting, ofLog(({ webhooks }) => webhooks?.waiting)],
    [definitions.sinkBehind, ofLog(({ sink }) => sink?.behind)],
    [definitions.sinkLag, ofLog(({ sink }) => sink?.lag)],
    [definitions.handlersHalted, () => one(halted.handlers ? 1 : 0)],
    [definitions.sinkHalted, () => one(halted.sink ? 1 : 0)],
  ]
}

async function isUp(parts: Watched | undefined): Promise<number | undefined> {
  return parts?.probe().then(
    () => 1,
    () => 0,
  )
}

/** Seconds since 1970. */
function expiryOf(parts: Watched | undefined): number | undefined {
  const until = parts?.validUntil?.()
  return until && until.getTime() / 1_000
}
