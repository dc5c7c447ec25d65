// Opens a service for a host: checks declaration, options and database as `bifold serve` does, then answers what the host passes on.
import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { internalRefusal, refusal } from "../base/problem.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import type { Model } from "../model/model.ts"
import { loadService } from "../plan/access/load-service.ts"
import { hasRules } from "../plan/access/policies.ts"
import { Admission, type Leave } from "../server/admission.ts"
import { shareHeaders } from "../server/cors.ts"
import { dispatch as dispatchMessage } from "../server/dispatch.ts"
import { createAnswerMessage } from "../server/exchange/answer-messages.ts"
import { arrivalOf, isGraphql } from "../server/exchange/arrival.ts"
import { openUpgrades } from "../server/exchange/open-upgrades.ts"
import { prepareDispatch } from "../server/exchange/prepare-dispatch.ts"
import type { Incoming } from "../server/incoming.ts"
import { requestIdOf } from "../server/request-id.ts"
import { shed, shedResponse } from "../server/shed.ts"
import { withSystem } from "../system/with-system.ts"
import type { AccessMode } from "./access-mode.ts"
import { assembleService } from "./assemble-service.ts"
import { plainProblem } from "./cannot-answer.ts"
import { checkEmbeddedDatabase } from "./embedded-database.ts"
import type { EmbedOptions } from "./embedded-options.ts"
import { createHostIdentify, type HostIdentifyOptions } from "./host-identify.ts"
import { type HostRequest, nodeMessage, readNodeBody } from "./node-message.ts"
import { createUnderWay } from "./under-way.ts"
import { type Passed, readWebBody, webMessage, webResponse } from "./web-message.ts"
import { writtenObservations } from "./written-observations.ts"

export interface OpenedService {
  fetch(request: Request, passed: Passed): Promise<Response>
  node(request: HostRequest, response: ServerResponse, passed: Passed): Promise<void>
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void
  /** Rejects when the database does not answer. */
  health(): Promise<unknown>
  close(): Promise<void>
}

const defaults = {
  bodyLimit: 1024 * 1024,
  deadline: 10_000,
  maxRequests: 2_000,
  /** Milliseconds for a client that takes nothing of an answer. */
  untaken: 30_000,
  /** Milliseconds for what is being answered when the service closes. */
  drain: 10_000,
} as const

/** Options whose `identify` takes whatever the host passes on. */
export type OpenOptions = Omit<EmbedOptions, "identify"> & Partial<Pick<HostIdentifyOptions, "identify">>

/** Rejects with a Refusal that says every mistake in the declaration, an option or the database that cannot be served. */
export async function openEmbedded(
  declaration: ServiceDeclaration,
  options: OpenOptions,
): Promise<OpenedService> {
  const observe = options.observe ?? (await writtenObservations())
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
  })
  const { identify } = options
  const { dispatch, end } = prepareDispatch({
    ...service.faces,
    base,
    cors,
    identify: identify
      ? createHostIdentify({ model, own: service.identify, identify, cors })
      : service.identify,
    bySession: identify ? true : undefined,
    counting: service.counting,
    compression: options.compression ?? "auto",
    bodyLimit: options.bodyLimit ?? defaults.bodyLimit,
    proxies: options.proxies ?? 0,
    // The host says who may reach it.
    loopbackOnly: false,
    observe,
  })
  const admission = new Admission({ most: options.maxRequests ?? defaults.maxRequests })
  const upgrades = openUpgrades(dispatch, { admission, untaken: defaults.untaken })
  const underWay = createUnderWay()
  service.closeFirst(async () => {
    upgrades.close()
    const cut = await underWay.settled(defaults.drain)
    if (cut > 0) observe({ kind: "cut", connections: cut })
    end()
  })
  const answering: Answering = {
    dispatch,
    enter: (message) => admission.enter(arrivalOf(message, dispatch.proxies)),
    shedding: (message) => ({
      isGraphql: isGraphql(message, base),
      shared: shareHeaders(cors, message.headers.origin),
    }),
    begin: underWay.begin,
  }
  return {
    fetch: fetchBy(answering),
    node: nodeBy(answering),
    upgrade: (request, socket, head) => upgrades.take(request, socket, head),
    health: service.faces.health,
    close: service.close,
  }
}

interface Answering {
  readonly dispatch: ReturnType<typeof prepareDispatch>["dispatch"]
  readonly enter: (message: Incoming) => Leave | undefined
  readonly shedding: (message: Incoming) => Parameters<typeof shedResponse>[1]
  /** Gives what ends it. */
  readonly begin: () => () => void
}

function fetchBy({ dispatch, enter, shedding, begin }: Answering): OpenedService["fetch"] {
  return async (request, passed) => {
    const message = webMessage(request, passed)
    const leave = enter(message)
    if (!leave) {
      const { headers, body } = shedResponse(message, shedding(message))
      return webResponse(
        { status: 503, headers, body, length: undefined, slow: false },
        message.socket,
        () => {},
      )
    }
    const end = begin()
    const { "x-request-id": given } = message.headers
    const failed = (error: unknown): void =>
      dispatch.observe({
        kind: "failed",
        requestId: requestIdOf(typeof given === "string" ? given : undefined),
        error,
      })
    try {
      const sent = await dispatchMessage(dispatch, message, readWebBody)
      if (sent)
        return webResponse(sent, message.socket, (fault) => {
          if (fault === undefined) sent.record?.sent()
          else {
            failed(fault)
            sent.record?.failed()
          }
          end()
        })
      // Its client has left: nobody takes it.
      end()
      return new Response(null, { status: 400 })
    } catch (error) {
      failed(error)
      end()
      const { status, headers, body } = plainProblem(internalRefusal())
      return new Response(body, { status, headers })
    } finally {
      leave()
    }
  }
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
    await answer(request, response, leave, () => dispatchMessage(dispatch, message, readNodeBody))
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
  if (secret !== undefined && secret.length < 16)
    throw refusal("invalid_command", "The option secret has less than 16 characters.", {
      hint: "Give one as `openssl rand -hex 32` makes them.",
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
  if (typeof database !== "string" || database === "")
    throw refusal("invalid_command", "The option database is missing.", {
      hint: "Give the address of one: shop.db, or postgres://user:password@host/shop.",
    })
  if (base !== "" && !/^(\/[A-Za-z0-9._~-]+)+$/.test(base))
    throw refusal("invalid_command", `The option base is ${JSON.stringify(base)}, which is no path.`, {
      hint: "Give one such as /api, without a slash at its end.",
    })
  return { database, base, cors, limitsStore, limitsDown }
}
