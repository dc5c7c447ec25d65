// Endpoints of webhooks follow the log, each independently, from the moment of its creation. The log has commands for endpoints
// as well.
import { type Clock, clockOf, unhurried } from "../../base/clock.ts"
import { Refusal } from "../../base/problem.ts"
import type { Telemetry } from "../../base/telemetry.ts"
import { createDialer, type Dialer, type DialerOptions } from "../../http/dialer.ts"
import type { AnswerPlan } from "../../http/face.ts"
import { showsHistory } from "../../model/build/history.ts"
import type { Model } from "../../model/model.ts"
import { webhookCommands, webhookEndpoint } from "../../model/system/webhooks.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import type { Actor } from "../../plan/access/actor.ts"
import type { Log, LogRow } from "../../storage/log-types.ts"
import {
  type Followed,
  pauseAfter,
  type Retry,
  type Subscribers,
  webhookPrefix,
} from "../handlers/followed.ts"
import { createEventIds, type EventIds } from "../log/event-ids.ts"
import { createEventReader } from "../log/event-reader.ts"
import { createSendEvent, DeliveryFailure, longestPause, pauseAfterAttempt } from "./delivery.ts"
import { type Endpoint, endpointActor, isAhead, isOwnResource, type Replay, versionOf } from "./endpoint.ts"
import { createEvents, createNewestTypes } from "./events.ts"
import type { EventData } from "./payload.ts"
import { createRecords, type Records, type RecordsOptions } from "./records.ts"

export interface WebhooksOptions extends Omit<RecordsOptions, "answer">, Partial<Clock> {
  /** The whole service, as it was declared, or opened to everybody. */
  readonly model: Model
  /** The service is open to everybody. */
  readonly open: boolean
  readonly log: Log
  readonly answer: AnswerPlan
  /** Ids of events are made with it. */
  readonly secret: string
  readonly dialer?: DialerOptions
  /** Receives each attempt; absent without observers. */
  readonly telemetry?: Telemetry | undefined
  /** Active endpoints of one owner; 100 when absent. */
  readonly mostOfOwner?: number
}

export interface Webhooks extends Subscribers {
  close(): Promise<void>
}

/** Milliseconds for which the list of endpoints is used again. */
const freshness = 500
/** Active endpoints of one owner: each of them follows the log, and may call a server that is not its owner's. */
const usualMostOfOwner = 100
/** Milliseconds for which deliveries that are done are kept, and between two looks for older ones. */
const kept = { time: 30 * 86_400_000, look: 600_000 } as const
/** Milliseconds after its time for which an attempt may wait. Later, its event is one that the endpoint does not see any more. */
const overdue = 3_600_000
/** Replays of one endpoint at a time, and events that are sent once more. */
const mostReplays = { many: 10, once: 100 } as const

/** One of an endpoint, with what it depends on. */
interface Known {
  readonly shape: string
  readonly followed: readonly Followed[]
}

export const createWebhooks = (options: WebhooksOptions): Webhooks => new Endpoints(options)

/** All active endpoints as subscribers of the log, read again now and then. */
class Endpoints implements Webhooks {
  readonly #options: WebhooksOptions
  readonly #clock: Clock
  readonly #unhurriedNow: () => number
  readonly #records: Records
  readonly #dialer: Dialer
  readonly #work: EndpointWork
  readonly #fed: readonly string[]
  readonly #newestTypes: ReturnType<typeof createNewestTypes>
  #known = new Map<string, Known>()
  #readAt = Number.NEGATIVE_INFINITY
  #swept = Number.NEGATIVE_INFINITY

  constructor(options: WebhooksOptions) {
    const { model, log, answer, secret, declared, handleFor, telemetry } = options
    const clock = clockOf(options)
    const ids = createEventIds(secret, model.name)
    const records = createRecords({ declared, answer, handleFor })
    const dialer = createDialer({ networks: model.webhooks?.networks ?? [], ...options.dialer })
    const events = createEvents({ ids, reader: createEventReader({ model, log, answer }), model })
    const send = createSendEvent({ service: model.name, records, dialer, ...clock, telemetry })
    this.#options = options
    this.#clock = clock
    this.#unhurriedNow = unhurried(clock)
    this.#records = records
    this.#dialer = dialer
    this.#work = new EndpointWork({
      ...{ ...options, ids, records, events, send },
      replaysChanged: () => {
        this.#readAt = Number.NEGATIVE_INFINITY
      },
    })
    this.#fed = [...model.resources.values()].filter(showsHistory).map(({ name }) => name)
    this.#newestTypes = createNewestTypes(model)
  }

  async followed(): Promise<readonly Followed[]> {
    const { now, elapsed } = this.#clock
    if (elapsed() - this.#readAt >= freshness) {
      const all = await this.#followable()
      this.#readAt = elapsed()
      this.#known = new Map(all.map((one) => [one.id, this.#followedBy(one)]))
      if (elapsed() - this.#swept >= kept.look) {
        this.#swept = elapsed()
        void this.#records.removeOld(canonicalDateTime(now() - kept.time)).catch(() => {})
        void this.#records.giveUp(canonicalDateTime(this.#unhurriedNow() - overdue)).catch(() => {})
      }
    }
    return [...this.#known.values()].flatMap(({ followed }) => followed)
  }

  async gone(names: readonly string[]): Promise<readonly string[]> {
    const own = names.filter((name) => name.startsWith(prefix))
    const there = await this.#records.known([...new Set(own.map(endpointIn))])
    return own.filter((name) => {
      const endpoint = there.get(endpointIn(name))
      if (!endpoint || name === liveName(endpoint.id)) return !endpoint
      return !(endpoint.replays ?? []).some((one) => subscriberOf(endpoint.id, one) === name)
    })
  }

  async ended(name: string): Promise<void> {
    if (!name.startsWith(prefix)) return
    const id = endpointIn(name)
    await this.#work.changeReplays(id, async (under) => {
      const left = under.filter((one) => subscriberOf(id, one) !== name)
      return left.length === under.length ? under : left
    })
  }

  close(): Promise<void> {
    return this.#dialer.close()
  }

  /**
   * Active endpoints. Endpoints with a problem are disabled; events for a version to come wait for a process that has it.
   */
  async #followable(): Promise<readonly Endpoint[]> {
    const counts = new Map<string, number>()
    const left: Endpoint[] = []
    for (const endpoint of await this.#records.endpoints()) {
      const { id, ownerId } = endpoint
      const count = ownerId === null ? 0 : (counts.get(ownerId) ?? 0) + 1
      const problem = this.#problemOf(endpoint, count)
      if (problem !== undefined) await this.#records.disable(id, problem)
      else if (!isAhead(this.#options.model, endpoint)) left.push(endpoint)
      if (ownerId !== null && problem === undefined) counts.set(ownerId, count)
    }
    return left
  }

  /** Why an active endpoint cannot be followed. @param count active endpoints of its owner, with this one */
  #problemOf(endpoint: Endpoint, count: number): string | undefined {
    const { mostOfOwner = usualMostOfOwner, model } = this.#options
    const { expiresAt } = endpoint
    if (expiresAt !== null && Date.parse(expiresAt) <= this.#clock.now())
      return `The endpoint ended at ${expiresAt}. Give it a later \`expiresAt\`, then resume it.`
    if (count > mostOfOwner) return `Its owner has ${mostOfOwner} active endpoints already.`
    if (isAhead(model, endpoint)) return undefined
    // Before an event is looked at: the moment would tell of one that the endpoint does not see.
    return this.#work.problemOfFilter(endpoint)
  }

  #followedBy(endpoint: Endpoint): Known {
    const { failingSince: _, problem: _unused, ...rest } = endpoint
    const shape = JSON.stringify(rest)
    const before = this.#known.get(endpoint.id)
    if (before?.shape === shape) return before
    const types = this.#newestTypes(endpoint.types, versionOf(this.#options.model, endpoint))
    const wanted = resourcesOf(types, this.#fed)
    const replays = (endpoint.replays ?? []).map((replay) => this.#replayed(endpoint, wanted, replay))
    return { shape, followed: [this.#live(endpoint, wanted), ...replays] }
  }

  #live(endpoint: Endpoint, wanted: readonly string[]): Followed {
    const work = this.#work
    const { log } = this.#options
    return {
      name: liveName(endpoint.id),
      filter: { resources: [...wanted, webhookEndpoint] },
      // The log has all that happened since the endpoint was made.
      from: async () => {
        const [first] = await log.read(0n, 1, { resource: webhookEndpoint, record: endpoint.id })
        return first?.position ?? (await log.latest())
      },
      call: async (row, stop, isRetry) => {
        const isOwn = row.resource === webhookEndpoint && row.record === endpoint.id
        await Promise.all([
          work.deliver(endpoint, row, { stop, isRetry }),
          isOwn && work.carryOut(endpoint, row, stop),
        ])
      },
      ...attempts,
    }
  }

  #replayed(endpoint: Endpoint, wanted: readonly string[], replay: Replay): Followed {
    const { after, until, once } = replay
    const last = this.#work.positionOf(until)
    return {
      name: subscriberOf(endpoint.id, replay),
      filter: { resources: wanted },
      from: async () => (once ? last - 1n : this.#work.positionOf(after)),
      call: async (row, stop, isRetry) => {
        if (row.position <= last) await this.#work.deliver(endpoint, row, { stop, isRetry, once })
      },
      ...attempts,
      ends: { position: last, record: endpoint.id },
    }
  }
}

interface Delivering {
  readonly stop: AbortSignal
  readonly isRetry: boolean | undefined
  /** A redelivery: records a problem where the endpoint does not see the event. */
  readonly once?: boolean | undefined
}

interface EndpointTools extends Pick<WebhooksOptions, "model" | "open" | "log"> {
  readonly ids: EventIds
  readonly records: Records
  readonly events: ReturnType<typeof createEvents>
  readonly send: ReturnType<typeof createSendEvent>
  replaysChanged(): void
}

/** Sends an endpoint its events, and does what its commands in the log ask for. */
class EndpointWork {
  readonly #tools: EndpointTools
  /** Never two at a time of a record, also where one of them is of a replay. */
  readonly #sequences = new Sequences()

  constructor(tools: EndpointTools) {
    this.#tools = tools
  }

  positionOf(id: string | undefined): bigint {
    return (id === undefined ? undefined : this.#tools.ids.placeOf(id)?.position) ?? 0n
  }

  problemOfFilter(endpoint: Endpoint): string | undefined {
    const actor = this.#actorFor(endpoint)
    try {
      if (actor) this.#tools.events.check(endpoint, actor)
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return `Its filter cannot be asked: ${error.message}`
    }
  }

  async deliver(endpoint: Endpoint, row: LogRow, { stop, isRetry, once = false }: Delivering): Promise<void> {
    const actor = this.#actorFor(endpoint)
    const event = actor && (await this.#tools.events.read(endpoint, actor, row))
    if (event) await this.#send(endpoint, event, stop, once)
    else if (once) await this.#refuse(endpoint, "The endpoint does not see that event.")
    // The endpoint saw it before.
    else if (isRetry) await this.#tools.records.giveUpEvent(endpoint.id, this.#tools.ids.idOf(row))
  }

  async carryOut(endpoint: Endpoint, row: LogRow, stop: AbortSignal): Promise<void> {
    const { ids, log } = this.#tools
    const given = row.input as Readonly<Record<string, unknown>> | null
    if (row.transition === webhookCommands.test)
      return this.#send(endpoint, testEvent(ids.idOf(row), row), stop, true)
    if (row.transition === webhookCommands.redeliver) {
      const place = ids.placeOf(String(given?.["event"]))
      const [found] = place ? await log.read(place.position - 1n, 1) : []
      if (!place || found?.position !== place.position || found.epoch !== place.epoch)
        return this.#refuse(endpoint, "The event that was to be sent once more is not in the log.")
      // The process that sends the events of its record does it.
      return this.#beginReplay(endpoint, { until: ids.idOf(place), once: true })
    }
    if (row.transition !== webhookCommands.replay) return
    const { after, until = ids.idOf(row) } = (given ?? {}) as Partial<Replay>
    for (const one of [after ?? until, until]) {
      const place = ids.placeOf(one)
      if (!place)
        return this.#refuse(endpoint, "The events that were to be sent once more are not of this service.")
      if (!(await log.end(place)).isKnown)
        return this.#refuse(
          endpoint,
          "A restore or a failover has replaced the events that were to be sent once more.",
        )
    }
    return this.#beginReplay(endpoint, { until, ...(after !== undefined && { after }) })
  }

  /** One change after the other. */
  changeReplays(id: string, change: (under: readonly Replay[]) => Promise<readonly Replay[]>): Promise<void> {
    const { records, replaysChanged } = this.#tools
    return this.#sequences.after(`${id} replays`, async () => {
      const under = (await records.endpoint(id))?.replays ?? []
      const fresh = await change(under)
      if (fresh === under) return
      await records.changeEndpoint(id, { replays: fresh.map((one) => ({ ...one })) })
      replaysChanged()
    })
  }

  #beginReplay(endpoint: Endpoint, replay: Replay): Promise<void> {
    const { id } = endpoint
    return this.changeReplays(id, async (under) => {
      const most = mostReplays[replay.once ? "once" : "many"]
      const isKnown = under.some((one) => subscriberOf(id, one) === subscriberOf(id, replay))
      if (isKnown) return under
      if (under.filter(({ once }) => once === replay.once).length < most) return [...under, replay]
      await this.#refuse(
        endpoint,
        replay.once
          ? `There are ${most} events to be sent once more already.`
          : `There are ${most} replays under way already.`,
      )
      return under
    })
  }

  /** As the endpoint is when its turn comes: with a secret that was made just before. Nothing where it is gone. */
  #send({ id }: Endpoint, event: EventData, stop: AbortSignal, once: boolean): Promise<void> {
    return this.#sequences.after(`${id} ${event.resource} ${event.recordId}`, async () => {
      const endpoint = await this.#tools.records.endpoint(id)
      if (endpoint) await this.#tools.send({ endpoint, event, once, stop })
    })
  }

  #actorFor(endpoint: Endpoint): Actor | undefined {
    return endpointActor(this.#tools.model, endpoint, this.#tools.open)
  }

  #refuse({ id }: Endpoint, problem: string): Promise<void> {
    return this.#tools.records.changeEndpoint(id, { problem })
  }
}

const prefix = webhookPrefix

const liveName = (id: string): string => `${prefix}${id}`

/** The name under which the position of a replay is kept. */
export const subscriberOf = (id: string, { after, until, once }: Replay): string =>
  `${liveName(id)} ${after ?? ""}..${until}${once ? " once" : ""}`

/** The id of the endpoint that has the name. */
const endpointIn = (name: string): string => name.slice(prefix.length).split(" ")[0] ?? ""

/** By its receiver, and kept with the delivery; anything else is a fault of ours. */
const isOfReceiver = (thrown: unknown): boolean => thrown instanceof DeliveryFailure

function retryOf(attempts: number, thrown: unknown): Retry {
  if (thrown instanceof DeliveryFailure) return thrown.retry
  // An outage of the database, which may be over soon.
  if (thrown instanceof Refusal) return pauseAfter(attempts, Math.random())
  return pauseAfterAttempt(attempts, undefined, Math.random()) ?? "passed"
}

const attempts: Pick<Followed, "retry" | "longestPause" | "quiet"> = {
  retry: retryOf,
  longestPause,
  quiet: isOfReceiver,
}

/** Resources whose events it may want. @param types by the newest version's names */
function resourcesOf(types: readonly string[], fed: readonly string[]): readonly string[] {
  if (types.length === 0) return fed.filter((name) => !isOwnResource(name))
  const named = new Set(types.map((type) => type.slice(0, type.indexOf("."))))
  return fed.filter((name) => named.has(name))
}

const testEvent = (id: string, { at, record }: LogRow): EventData => ({
  id,
  kind: "TEST",
  type: "webhook.test",
  at,
  resource: webhookEndpoint,
  recordId: record,
})

// Work that is done one after the other where it has the same key.
class Sequences {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Begins when all that was given before with the key has ended. */
  async after<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    const own = before ? before.then(work, work) : work()
    this.#last.set(key, own)
    try {
      return await own
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key)
    }
  }
}
