// Assembles a running service, for the command line and for hosts that embed it. Opens storage, faces, usage, webhooks,
// sink, handlers, retention and budget in this order, and closes them in the reverse one.

import { createIdentify, everybodyIn, type Identify } from "../access/identity/identify.ts"
import type { Budget } from "../access/limits/budget.ts"
import type { MeterOptions } from "../access/limits/meters.ts"
import { createUsage } from "../access/usage/usage.ts"
import { present } from "../base/invariant.ts"
import { Telemetry } from "../base/telemetry.ts"
import type { ClientTraces, Tracer } from "../base/tracing.ts"
import type { CodeThreads } from "../engine/code/threads.ts"
import type { Drift } from "../engine/drift.ts"
import type { Subscribers } from "../events/handlers/followed.ts"
import type { Retention, RetentionOptions } from "../events/handlers/retention.ts"
import type { RunningHandlers } from "../events/handlers/runner.ts"
import type { Webhooks, WebhooksOptions } from "../events/webhooks/webhooks.ts"
import { countsRequests } from "../model/limits.ts"
import type { Model } from "../model/model.ts"
import { versionUse } from "../model/system/version-use.ts"
import { openTraces } from "../observe/traces/open-traces.ts"
import { hasWritingCode } from "../plan/write/calls-user-code.ts"
import type { Observe } from "../server/observation.ts"
import { createFaces, type Served } from "../server/service.ts"
import { readAddress } from "../storage/address.ts"
import { openStorage } from "../storage/open.ts"
import type { Storage } from "../storage/storage.ts"
import { type AccessMode, isWritable, servedModel } from "./access-mode.ts"
import { openSink, type SinkOptions } from "./sink.ts"

interface AssemblyOptions {
  /** The whole service, as it was declared. */
  readonly model: Model
  readonly access: AccessMode
  /** As storage understands it: `postgres://…`, or a SQLite file's. */
  readonly database: string
  /** Signs cursors, and makes ids of events. */
  readonly secret: string
  /** Path before both faces: empty, or such as `/api`. */
  readonly base: string
  /** Milliseconds for the database to answer a request. */
  readonly deadline?: number
  /** PostgreSQL may lose what it has acknowledged. */
  readonly acceptDataLoss?: boolean
  /** Milliseconds that a statement may wait behind statements of other clients; two seconds when absent. */
  readonly patience?: number
  /** Whether PostgreSQL may compile statements; off when absent. */
  readonly jit?: "off" | "server"
  /** Whether equal reads that are under way share one execution. */
  readonly singleFlight: boolean
  /** Milliseconds for which answers are kept that were given to writes with an Idempotency-Key. */
  readonly keepAnswers?: number
  readonly drift?: Drift
  /** Threads of the service's user code, closed with the service. */
  readonly threads?: CodeThreads | undefined
  readonly sink: SinkOptions
  /** Where budgets are kept: `memory`, or the address of a store. */
  readonly limitsStore: string
  readonly limitsDown: MeterOptions["whenDown"]
  /** Whether this process runs handlers, sends webhooks and events, and removes old rows; true when absent. */
  readonly background?: boolean
  readonly observe: Observe
  /** Receives requests and statements; absent where only an SDK of OpenTelemetry may watch. */
  readonly telemetry?: Telemetry | undefined
  /** The traces that clients say they are in; linked to when absent. */
  readonly clientTraces?: ClientTraces | undefined
}

export interface AssembledService extends Pick<Closers, "close"> {
  /** As it is served. */
  readonly model: Model
  readonly storage: Storage
  /** With those who watch, for what answers requests. */
  readonly faces: Served & Pick<AssemblyOptions, "clientTraces"> & { readonly telemetry?: Telemetry }
  readonly identify: Identify
  /** Subscribers of the log beside the handlers. */
  readonly followed: Subscribers["followed"]
  /** Absent where the service has no limits over time. */
  readonly counting: Omit<MeterOptions, "failed"> | undefined
  /** Handlers and webhooks begin nothing more, before the service closes. */
  endBackground(): void
  /** Receives the closers of everything that answers requests: it ends before everything else. */
  readonly closeFirst: Closers["add"]
}

/** Rejects with a Refusal where a part cannot be opened; then nothing is left open. */
export async function assembleService(options: AssemblyOptions): Promise<AssembledService> {
  const closers = createClosers()
  try {
    return await assemble(options, closers)
  } catch (error) {
    await closers.close().catch(() => {})
    throw error
  }
}

async function assemble(options: AssemblyOptions, closers: Closers): Promise<AssembledService> {
  const { access, threads, observe } = options
  const model = servedModel(options.model, access)
  const watching = await openTelemetry(options)
  const storage = await openDatabase(options, watching, closers)
  const faces = openFaces(options, { model, storage, closers })
  const opened: Opened = { model, storage, faces, closers, watching }
  const follows = isWritable(access) && options.background !== false
  const handlers = follows ? await followLog(options, opened) : undefined
  threads?.watch(({ what, error, handled }) => {
    if (handled) handlers?.failed(handled, error)
    else observe({ kind: "crashed", what, error })
  })
  const { telemetry } = watching
  return {
    model,
    storage,
    faces: { ...faces, clientTraces: options.clientTraces, ...(telemetry && { telemetry }) },
    identify: identifyBy(options, opened),
    followed: async () => (await handlers?.followed()) ?? [],
    counting: await openCounting(options, opened),
    close: () => {
      faces.endStreams()
      return closers.close()
    },
    endBackground: () => void handlers?.close().catch(() => {}), // said when the service closes
    closeFirst: closers.add,
  }
}

interface Opened {
  /** As it is served. */
  readonly model: Model
  readonly storage: Storage
  readonly faces: Served
  readonly closers: Closers
  readonly watching: Watching
}

/** Threads are there before, and what runs in them may wait for the database. */
async function openDatabase(
  options: AssemblyOptions,
  { telemetry }: Watching,
  closers: Closers,
): Promise<Storage> {
  const { model, threads, access, database, deadline, acceptDataLoss, patience, jit } = options
  const durability = acceptDataLoss ? "unsafe" : "durable"
  const opening = openStorage(database, {
    ...(deadline !== undefined && { deadline }),
    ...(telemetry && { telemetry }),
    ...(patience !== undefined && { patience }),
    ...(jit && { jit }),
    writes: isWritable(access) ? durability : "none",
    makesLog: !model.managed,
    serializable: hasWritingCode(model),
  })
  closers.add(async () => (await opening.catch(() => undefined))?.close())
  if (threads) closers.add(() => threads.close())
  return opening
}

function openFaces(
  options: AssemblyOptions,
  { model, storage, closers }: Pick<Opened, "model" | "storage" | "closers">,
): Served {
  const { model: declared, access, base, secret, singleFlight, keepAnswers, drift } = options
  const usage =
    isWritable(access) && declared.resources.has(versionUse) ? createUsage({ declared }) : undefined
  if (usage) closers.add(() => usage.close())
  const faces = createFaces({
    model,
    declared,
    storage,
    base,
    secret,
    singleFlight,
    ...(keepAnswers !== undefined && { keepAnswers }),
    ...(drift && { drift }),
    ...(usage && { used: usage.note }),
  })
  usage?.begin(faces.handleFor)
  return faces
}

/** Handlers begin before anything is served, so that they miss nothing. Undefined where nothing follows the log. */
async function followLog(options: AssemblyOptions, opened: Opened): Promise<RunningHandlers | undefined> {
  const { model: declared, access, secret, observe } = options
  const { model, storage, faces, closers, watching } = opened
  const { telemetry, tracer } = watching
  const { answer, handleFor } = faces
  const open = access.kind === "open"
  const subscribers: Subscribers[] = []
  if (model.webhooks) {
    const log = present(storage.log, "a storage that writes has a log")
    const webhooks = await openWebhooks({ model, declared, open, log, answer, handleFor, secret, telemetry })
    closers.add(() => webhooks.close())
    subscribers.push(webhooks)
  }
  const sink = await openSink(options.sink, { model: declared, secret, tell: observe })
  if (sink) {
    closers.add(() => sink.sink?.close())
    subscribers.push(sink.subscribers)
  }
  let handlers: RunningHandlers | undefined
  if (model.handlers || subscribers.length > 0) {
    // The sink gives up what waits for the broker before those who follow the log end, so that they need not wait for it.
    closers.add(() => {
      sink?.sink?.release()
      return handlers?.close()
    })
    const { startHandlers } = await import("../events/handlers/runner.ts")
    const running = await startHandlers({
      model,
      storage,
      open,
      handleFor,
      answer,
      tell: observe,
      ...(faces.schema && { schema: faces.schema }),
      ...(tracer && { tracer }),
      ...(subscribers.length > 0 && { subscribers: joinSubscribers(subscribers) }),
    })
    handlers = running
    faces.watch(() => running.wake())
  }
  if (model.log?.keep !== undefined) {
    const retention = await removeOld({ model, storage, tell: observe })
    closers.add(() => retention.close())
  }
  return handlers
}

/** A service without limits over time loads nothing of them. */
async function openCounting(
  { limitsStore, limitsDown }: AssemblyOptions,
  { model: { limits, name }, closers }: Opened,
): Promise<AssembledService["counting"]> {
  if (!countsRequests(limits)) return undefined
  const { openBudget } = await import("../access/limits/stores.ts")
  const budget: Budget = await openBudget(limitsStore, name)
  closers.add(() => budget.close())
  return { limits, budget, whenDown: limitsDown }
}

function identifyBy({ access }: AssemblyOptions, { model, faces }: Opened): Identify {
  if (access.kind === "open") return everybodyIn(model)
  return createIdentify({
    model,
    answer: faces.answer,
    writes: true,
    ...(access.nobody && { development: access.nobody }),
  })
}

/** A service that keeps all of its log loads nothing of it. */
async function removeOld(options: RetentionOptions): Promise<Retention> {
  const { startRetention } = await import("../events/handlers/retention.ts")
  return startRetention(options)
}

/** A service without webhooks loads nothing of them. */
async function openWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const { createWebhooks } = await import("../events/webhooks/webhooks.ts")
  return createWebhooks(options)
}

// The parts of something that runs, closed in the reverse order of their opening, once.
interface Closers {
  /** @param close is called before those that were added earlier */
  add(close: () => unknown): void
  /** A later call waits for the first one. Closes all of them, then rejects with the first fault. */
  close(): Promise<void>
}

function createClosers(): Closers {
  const added: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  const closeAll = async (): Promise<void> => {
    const faults: unknown[] = []
    for (const close of added.toReversed())
      try {
        await close()
      } catch (fault) {
        faults.push(fault)
      }
    if (faults.length > 0) throw faults[0]
  }
  return {
    add: (close) => void added.push(close),
    close: () => (closing ??= closeAll()),
  }
}

// Watchers of a service: the host's, and its OpenTelemetry SDK. Without watchers, nothing is observed.
interface Watching {
  /** Absent without watchers. */
  readonly telemetry?: Telemetry
  /** Absent without an SDK that collects spans. */
  readonly tracer?: Tracer
}

interface Watched {
  readonly database: string
  /** Has the other listeners. */
  readonly telemetry?: Telemetry | undefined
  readonly clientTraces?: ClientTraces | undefined
}

/** Rejects with a Refusal where an SDK cannot be used. */
async function openTelemetry({ database, telemetry: given, clientTraces }: Watched): Promise<Watching> {
  const traces = await openTraces(readAddress(database).kind, clientTraces)
  if (!traces) return given ? { telemetry: given } : {}
  const telemetry = given ?? new Telemetry()
  telemetry.listen(traces.listener)
  return { telemetry, tracer: traces.tracer }
}

// Several kinds of those who follow the log beside handlers, as one: each knows its own by their names.
const joinSubscribers = (all: readonly Subscribers[]): Subscribers => ({
  gone: async (names) => (await Promise.all(all.map((one) => one.gone(names)))).flat(),
  followed: async () => (await Promise.all(all.map((one) => one.followed()))).flat(),
  async ended(name) {
    await Promise.all(all.map((one) => one.ended?.(name)))
  },
})
