// Metrics of a process in Prometheus's text format: what requests and statements add up to, and what is looked up when somebody
// asks.
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
import { Counts, Distributions, Family, looked, register } from "./tallies.ts"

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
  const requests = new Counts(definitions.requests)
  const requestSeconds = new Distributions(definitions.requestSeconds)
  const stageSeconds = new Distributions(definitions.stageSeconds)
  const points = new Counts(definitions.points)
  const plans = new Counts(definitions.plans)
  const joins = new Counts(definitions.joins)
  const statements = new Counts(definitions.statements)
  const statementSeconds = new Distributions(definitions.statementSeconds)
  const statementFailures = new Counts(definitions.statementFailures)
  const repeated = new Counts(definitions.repeated)
  const commitWrites = new Distributions(definitions.commitWrites)
  const handlerFailures = new Counts(definitions.handlerFailures)
  const webhookAttempts = new Counts(definitions.webhookAttempts)
  for (const one of [requests, requestSeconds, stageSeconds, points, plans, joins]) register(registry, one)
  for (const one of [statements, statementSeconds, statementFailures, commitWrites]) register(registry, one)
  const socketsClosed = new Counts(definitions.socketsClosed)
  const replaced = new Counts(definitions.logReplaced)
  for (const one of [socketsClosed, replaced, handlerFailures, webhookAttempts, repeated])
    register(registry, one)
  let watched: Watched | undefined
  const halted = { handlers: false, sink: false }
  registerLooked(registry, () => watched, halted)

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
  const countRequest = (record: RequestRecord): void => {
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
  const kinds = new Family((kind: ObservedStatement["kind"]) => ({
    request: statements.counter({ kind, origin: "request" }),
    background: statements.counter({ kind, origin: "background" }),
    seconds: statementSeconds.distribution({ kind }),
    failures: statementFailures.counter({ kind }),
  }))
  // There is none where nothing is written.
  let together: ReturnType<typeof commitWrites.distribution> | undefined
  const outcomes = new Family((outcome: string) => webhookAttempts.counter({ outcome }))
  const repeats = new Family((kind: "code" | "write") => repeated.counter({ kind }))
  const logs = replaced.counter({})
  const counted = {
    handlerFailures: new Family((handler: string) => handlerFailures.counter({ handler })),
    webhookAttempts: outcomes,
    logReplaced: new Family(() => logs),
    socketsClosed: new Family((bound: string) => socketsClosed.counter({ bound })),
  }
  const listener: TelemetryListener = {
    readsStages: true,
    requestEnded: countRequest,
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

/** Parts that cannot go on for now. */
interface Halted {
  readonly handlers: boolean
  readonly sink: boolean
}

function registerLooked(registry: OwnRegistry, watched: () => Watched | undefined, halted: Halted): void {
  const {
    underWay,
    admitted,
    laneUsed,
    laneLimit,
    laneWaiting,
    databaseUp,
    logPosition,
    handlerPosition,
    handlerBehind,
    handlerLag,
    handlerWaiting,
  } = definitions
  const ofRequests = (read: (use: RequestUse) => number) => () =>
    [watched()].flatMap((parts) => (parts ? [{ labels: {}, value: read(parts.requests()) }] : []))
  register(
    registry,
    looked(
      underWay,
      ofRequests((use) => use.underWay),
    ),
  )
  register(
    registry,
    looked(
      admitted,
      ofRequests((use) => use.limit),
    ),
  )
  register(
    registry,
    looked(definitions.cacheBytes, () => [{ labels: {}, value: cacheBudget.weight }]),
  )
  register(
    registry,
    looked(definitions.cacheLimit, () => [{ labels: {}, value: cacheBudget.most }]),
  )
  register(
    registry,
    looked(definitions.certificateExpiry, () => {
      const until = watched()?.validUntil?.()
      return until ? [{ labels: {}, value: until.getTime() / 1_000 }] : []
    }),
  )
  const ofLanes = (read: (use: LaneUse) => number) => () =>
    (watched()?.lanes() ?? []).map((use) => ({ labels: { lane: use.lane }, value: read(use) }))
  register(
    registry,
    looked(
      laneUsed,
      ofLanes((use) => use.used),
    ),
  )
  register(
    registry,
    looked(
      laneLimit,
      ofLanes((use) => use.most),
    ),
  )
  register(
    registry,
    looked(
      laneWaiting,
      ofLanes((use) => use.waiting),
    ),
  )
  /** Where the database cannot be asked, there are no figures of it but that. */
  const log = async (): Promise<FollowedLog | undefined> =>
    watched()
      ?.followedLog()
      .catch(() => undefined)
  register(
    registry,
    looked(databaseUp, async () => {
      const parts = watched()
      if (!parts) return []
      const value = await parts.probe().then(
        () => 1,
        () => 0,
      )
      return [{ labels: {}, value }]
    }),
  )
  register(
    registry,
    looked(logPosition, async () => {
      const found = await log()
      return found ? [{ labels: {}, value: Number(found.position) }] : []
    }),
  )
  const ofHandlers = (read: (of: FollowedLog["handlers"][number]) => number) => async () =>
    ((await log())?.handlers ?? []).map((one) => ({ labels: { handler: one.name }, value: read(one) }))
  register(
    registry,
    looked(
      handlerPosition,
      ofHandlers(({ position }) => Number(position)),
    ),
  )
  register(
    registry,
    looked(
      handlerBehind,
      ofHandlers(({ behind }) => behind),
    ),
  )
  register(
    registry,
    looked(
      handlerLag,
      ofHandlers(({ lag }) => lag),
    ),
  )
  register(
    registry,
    looked(
      handlerWaiting,
      ofHandlers(({ waiting }) => waiting),
    ),
  )
  registerFollowed(registry, log)
  const registerHalted = (definition: Definition, isHalted: () => boolean): void =>
    register(
      registry,
      looked(definition, () => [{ labels: {}, value: isHalted() ? 1 : 0 }]),
    )
  registerHalted(definitions.handlersHalted, () => halted.handlers)
  registerHalted(definitions.sinkHalted, () => halted.sink)
}

function registerFollowed(registry: OwnRegistry, log: ReadFollowedLog): void {
  const registerOf = (definition: Definition, read: (found: FollowedLog) => number | undefined): void =>
    register(
      registry,
      looked(definition, async () => {
        const found = await log()
        const value = found && read(found)
        return value === undefined ? [] : [{ labels: {}, value }]
      }),
    )
  registerOf(definitions.webhookBehind, ({ webhooks }) => webhooks?.behind)
  registerOf(definitions.webhookLag, ({ webhooks }) => webhooks?.lag)
  registerOf(definitions.webhookWaiting, ({ webhooks }) => webhooks?.waiting)
  registerOf(definitions.sinkBehind, ({ sink }) => sink?.behind)
  registerOf(definitions.sinkLag, ({ sink }) => sink?.lag)
}
