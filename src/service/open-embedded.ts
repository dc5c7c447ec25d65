// Opens a service for a host: checks declaration, options and database as `bifold serve` does, then answers what the host passes on.
import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { resolve } from "node:path"
import { setImmediate } from "node:timers/promises"
import { match } from "../base/match.ts"
import { internalRefusal, refusal } from "../base/problem.ts"
import { Telemetry } from "../base/telemetry.ts"
import type { Drift } from "../engine/drift.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import type { Model } from "../model/model.ts"
import { withSystem } from "../model/system/with-system.ts"
import { everybodyOf } from "../plan/access/actor.ts"
import { hasRules, loadService } from "../plan/access/policies.ts"
import { openModel } from "../plan/access/visible-model.ts"
import { Admission, arrivalOf, isGraphql, type Leave } from "../server/admission.ts"
import { type AllowedOrigins, shareHeaders } from "../server/cross-site.ts"
import { dispatch as dispatchMessage } from "../server/dispatch.ts"
import { createAnswerMessage } from "../server/exchange/answer-messages.ts"
import { openUpgrades, prepareDispatch } from "../server/exchange/prepare-dispatch.ts"
import { type Incoming, requestIdOf } from "../server/incoming.ts"
import type { Observe } from "../server/observation.ts"
import { createFaultLog } from "../server/outage-log.ts"
import { shed, shedResponse } from "../server/shed.ts"
import { TimeSlices } from "../server/time-slices.ts"
import { type Address, readAddress } from "../storage/address.ts"
import type { AccessMode } from "./access-mode.ts"
import { type AssembledService, assembleService } from "./assemble-service.ts"
import { plainProblem, writtenObservations } from "./cannot-answer.ts"
import { checkOptions } from "./check-options.ts"
import type { EmbeddedMetrics } from "./embedded-metrics.ts"
import type { EmbedOptions } from "./embedded-options.ts"
import { actorOfHost, createHostIdentify, type HostIdentifyOptions } from "./host-identify.ts"
import { type HostRequest, nodeMessage, readNodeBody } from "./node-message.ts"
import { type Passed, readWebBody, type WebMessage, webMessage, webResponse } from "./web-message.ts"

export interface OpenedService {
  fetch(request: Request, passed: Passed): Promise<Response>
  node(request: HostRequest, response: ServerResponse, passed: Passed): Promise<void>
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void
  /** The `db` of user code for an actor: each call is a transaction. */
  db(actor: unknown): object
  /** Rejects when the database does not answer. */
  health(): Promise<unknown>
  close(): Promise<void>
  /** Declaration, database, base and instance; undefined for a database that no other service can have. */
  readonly place: string | undefined
  warnReplacing(): void
  /** Ends its background work at once, then closes. Requests that have just been given to it are answered. */
  retire(): Promise<void>
}

const defaults = {
  bodyLimit: 1024 * 1024,
  deadline: 10_000,
  maxRequests: 2_000,
  patience: 2_000,
  /** Milliseconds for a client that takes nothing of an answer. */
  untaken: 30_000,
  /** Milliseconds for open requests when the service closes. */
  drain: 10_000,
} as const

/** Options whose `identify` takes whatever the host passes on. */
export type OpenOptions = Omit<EmbedOptions, "identify"> & Partial<Pick<HostIdentifyOptions, "identify">>

/** Rejects with a Refusal that says every mistake in the declaration, an option or the database that cannot be served. */
export async function openEmbedded(
  declaration: ServiceDeclaration,
  options: OpenOptions,
  metrics?: EmbeddedMetrics,
): Promise<OpenedService> {
  checkOptions({ ...options })
  const told = options.observe ?? createFaultLog(await writtenObservations()).observe
  const observe: Observe = (observation) => {
    told(observation)
    metrics?.observe(observation)
  }
  const declared = loadService(withSystem(declaration))
  const access = accessOf(declared, options)
  const secret = secretOf(declared, options)
  const { database, base, cors, limitsStore, limitsDown } = settled(options)
  const { model, drift } = await checkEmbeddedDatabase(declared, { ...options, observe })
  const service = await assembleService({
    ...options,
    model,
    access,
    database,
    drift,
    base,
    secret,
    deadline: options.deadline ?? defaults.deadline,
    singleFlight: options.singleFlight ?? true,
    sink: {},
    limitsStore,
    limitsDown,
    observe,
    telemetry: metrics || options.serverTiming ? telemetryOf(metrics) : undefined,
  })
  const { dispatch, end } = prepareFor(options, { service, model, base, cors, observe })
  const { admission, upgrades } = openAdmission(dispatch, options)
  const underWay = createUnderWay()
  metrics?.opened(service, () => ({ underWay: admission.underWay, limit: admission.bound }))
  service.closeFirst(async () => {
    upgrades.close()
    const cut = await underWay.settled(defaults.drain)
    if (cut > 0) observe({ kind: "cut", connections: cut })
    end()
  })
  const answering: Answering = {
    dispatch,
    enter: (message) => admission.enter(arrivalOf(message, dispatch)),
    shedding: (message) => ({
      isGraphql: isGraphql(message, base),
      shared: shareHeaders(cors, message.headers.origin),
      telemetry: service.faces.telemetry,
    }),
    begin: underWay.begin,
  }
  const close = (): Promise<void> => service.close().finally(() => metrics?.closed())
  return {
    fetch: fetchBy(answering),
    node: nodeBy(answering),
    upgrade: (request, socket, head) => upgrades.take(request, socket, head),
    db: (actor) =>
      service.faces.handleFor(
        access.kind === "open" ? everybodyOf(openModel(model)) : actorOfHost(model, actor),
      ).db,
    health: service.faces.health,
    close,
    place: placeOf(declared, options),
    warnReplacing: () => observe({ kind: "noticed", text: replacingText(declared) }),
    async retire() {
      service.endBackground()
      await setImmediate()
      await close()
    },
  }
}

interface Served {
  readonly service: AssembledService
  readonly model: Model
  readonly base: string
  readonly cors: AllowedOrigins
  readonly observe: Observe
}

function prepareFor(options: OpenOptions, { service, model, ...served }: Served) {
  const { identify, deadline = defaults.deadline } = options
  const { identify: own, counting, faces } = service
  return prepareDispatch({
    ...faces,
    ...served,
    identify: identify ? createHostIdentify({ model, own, identify, deadline, cors: served.cors }) : own,
    bySession: identify ? true : undefined,
    counting,
    compression: options.compression ?? "auto",
    bodyLimit: options.bodyLimit ?? defaults.bodyLimit,
    proxies: options.proxies ?? 0,
    serverTiming: options.serverTiming,
    // The host says who may reach it.
    loopbackOnly: false,
  })
}

type Prepared = ReturnType<typeof prepareFor>["dispatch"]

/** Requests that are answered at a time, and how the others wait. */
function openAdmission(dispatch: Prepared, { maxRequests, patience }: OpenOptions) {
  const slices = new TimeSlices()
  const admission = new Admission({
    most: maxRequests ?? defaults.maxRequests,
    patience: patience ?? defaults.patience,
    waitOf: (client) => slices.waitOf(client),
    refused: () => slices.refused(),
  })
  const upgrades = openUpgrades(dispatch, {
    admission,
    untaken: defaults.untaken,
    begin: (client, work) => slices.begin(client, work),
  })
  return { admission, upgrades }
}

function placeOf({ name }: Model, { database, base = "", instance }: OpenOptions): string | undefined {
  const at = match<Address, readonly string[] | undefined>(readAddress(database), {
    sqlite: ({ path }) => (path === ":memory:" ? undefined : [resolve(path)]),
    postgres: ({ url, schemas }) => [url, ...schemas],
  })
  return at && JSON.stringify([name, at, base, instance])
}

const replacingText = ({ name }: Model): string =>
  `${name} was created again in this process for the same database. The newer service replaces the older one, which closes. Create it once: see "Modules that are loaded again" in docs/guide/embedding.md. To run both, give one of them the option instance.`

function telemetryOf(metrics: EmbeddedMetrics | undefined): Telemetry {
  const telemetry = new Telemetry()
  if (metrics) telemetry.listen(metrics.listener)
  return telemetry
}

interface Answering {
  readonly dispatch: Prepared
  readonly enter: (message: Incoming) => Leave | undefined
  readonly shedding: (message: Incoming) => Parameters<typeof shedResponse>[1]
  readonly begin: () => EndsAnswer
}

function fetchBy({ dispatch, enter, shedding, begin }: Answering): OpenedService["fetch"] {
  const failed = (given: unknown, error: unknown): void => {
    const requestId = requestIdOf(typeof given === "string" ? given : undefined)
    dispatch.observe({ kind: "failed", requestId, error })
  }
  return async (request, passed) => {
    let message: WebMessage
    try {
      message = webMessage(request, passed)
    } catch (error) {
      // The host has given something else than a Request.
      failed(undefined, error)
      return faultResponse()
    }
    const leave = enter(message)
    if (!leave) {
      const { headers, body } = shedResponse(message, shedding(message))
      return webResponse(
        { status: 503, headers, body, length: undefined },
        { client: message.socket, ended: () => {}, whenClosing: () => {} },
      )
    }
    const end = begin()
    const { "x-request-id": given } = message.headers
    try {
      const sent = await dispatchMessage(dispatch, message, readWebBody)
      if (sent)
        return webResponse(sent, {
          client: message.socket,
          ended: (how, fault) => {
            if (how === "failed") {
              failed(given, fault)
              sent.record?.failed()
            } else if (how === "taken") sent.record?.sent()
            else sent.record?.left()
            end()
          },
          whenClosing: end.whenClosing,
        })
      // Its client has left, so the answer has no taker.
      end()
      return new Response(null, { status: 400 })
    } catch (error) {
      failed(given, error)
      end()
      return faultResponse()
    } finally {
      leave()
    }
  }
}

function faultResponse(): Response {
  const { status, headers, body } = plainProblem(internalRefusal())
  return new Response(body, { status, headers })
}

function nodeBy({ dispatch, enter, shedding, begin }: Answering): OpenedService["node"] {
  const answer = createAnswerMessage({
    dispatch,
    untaken: defaults.untaken,
    isLast: () => false,
    ended: () => {},
  })
  return async (request, response, passed) => {
    const message = nodeMessage(request, passed)
    const leave = enter(message)
    if (!leave) return shed(request, response, shedding(message))
    const end = begin()
    await answer(request, response, leave, () => dispatchMessage(dispatch, message, readNodeBody))()
    end()
  }
}

function accessOf(model: Model, { open, file = "service.ts" }: OpenOptions): AccessMode {
  if (hasRules(model)) {
    if (open === undefined) return { kind: "rules" }
    throw refusal("invalid_command", `${file} has rules, so it cannot be opened without them.`, {
      hint: "Leave out the option open.",
    })
  }
  if (open !== undefined) return { kind: "open", what: open }
  throw refusal("invalid_command", `${file} has no rules, so every request would be refused.`, {
    hint: 'Say it in the file with allow, or open all of it to every client: open: "read", or "write".',
  })
}

function secretOf(model: Model, { secret, dev = false }: OpenOptions): string {
  if (secret === undefined && model.webhooks && !dev)
    throw refusal("invalid_command", "Webhooks have ids that a restart must not change.", {
      hint: "Give the option secret.",
    })
  return secret ?? randomBytes(32).toString("hex")
}

function settled({
  database,
  base = "",
  cors = [],
  limitsStore = "memory",
  limitsDown = "open",
}: OpenOptions) {
  return { database, base, cors, limitsStore, limitsDown }
}

// Checks the database of an embedded service, in the words of `bifold serve`.
interface Fitting {
  readonly database: string
  readonly dev?: boolean
  readonly file?: string
  readonly observe: Observe
}

/** Throws a Refusal that says in what the database differs and what to do. */
async function checkEmbeddedDatabase(
  model: Model,
  { database, dev = false, file = "service.ts", observe }: Fitting,
): Promise<{ readonly model: Model; readonly drift: Drift }> {
  const { checkDatabase, watchDatabase } = await import("./database-check.ts")
  const tell = { say: (text: string) => observe({ kind: "noticed", text }), observe, err: noColours }
  const checked = await checkDatabase(tell, { model, database, file, dev })
  return watchDatabase(tell, { model: checked, database, dev })
}

const plain = (text: string | number | null | undefined): string => String(text)
const noColours = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }

// Requests of a host that are being answered, which a service that closes waits for.
interface UnderWay {
  /** Gives what ends it. */
  begin(): EndsAnswer
  /** Resolves when all have ended or the time is over, with how many had not. @param most milliseconds */
  settled(most: number): Promise<number>
}

interface EndsAnswer {
  (): void
  /** Is called when the service closes while the answer lasts; once, and at once where it is closing already. */
  whenClosing(hasten: () => void): void
}

function createUnderWay(): UnderWay {
  const hastened = new Map<EndsAnswer, (() => void) | undefined>()
  let closing = false
  let last = (): void => {}
  return {
    begin() {
      const end: EndsAnswer = () => {
        if (hastened.delete(end) && hastened.size === 0) last()
      }
      end.whenClosing = (hasten) => {
        if (closing) hasten()
        else if (hastened.has(end)) hastened.set(end, hasten)
      }
      hastened.set(end, undefined)
      return end
    },
    async settled(most) {
      closing = true
      for (const hasten of [...hastened.values()]) hasten?.()
      if (hastened.size === 0) return 0
      const { promise, resolve } = Promise.withResolvers<void>()
      last = resolve
      const over = setTimeout(resolve, most)
      await promise
      clearTimeout(over)
      return hastened.size
    },
  }
}
