// Endpoints of webhooks follow the log: each on its own way, from the moment at which it was made. What they are told to do is
// in the log as well.
import { type Clock, clockOf, unhurried } from "../base/clock.ts"
import { Refusal } from "../base/problem.ts"
import type { Telemetry } from "../base/telemetry.ts"
import { type Followed, pauseAfter, type Retry, type Subscribers, webhookPrefix } from "../events/followed.ts"
import { createEventIds } from "../feed/event-ids.ts"
import { createEventReader } from "../feed/event-reader.ts"
import type { AnswerPlan } from "../http/face.ts"
import { showsHistory } from "../model/build/history.ts"
import type { Model } from "../model/model.ts"
import { canonicalDateTime } from "../model/values/datetime.ts"
import { createDialer, type DialerOptions } from "../outbound/dialer.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { Log, LogRow } from "../storage/log-types.ts"
import { webhookCommands, webhookEndpoint } from "../system/webhooks.ts"
import { createSendEvent, DeliveryFailure, longestPause, pauseAfterAttempt } from "./delivery.ts"
import { type Endpoint, endpointActor, isAhead, isOwnResource, type Replay, versionOf } from "./endpoint.ts"
import { createEvents, createNewestTypes } from "./events.ts"
import type { EventData } from "./payload.ts"
import { createRecords, type RecordsOptions } from "./records.ts"

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
  /** Is told of each attempt; absent where nobody watches. */
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

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { model, open, log, answer, secret, declared, handleFor } = options
  const { now, elapsed } = clockOf(options)
  const unhurriedNow = unhurried({ now, elapsed })
  const { mostOfOwner = usualMostOfOwner } = options
  const ids = createEventIds(secret, model.name)
  const records = createRecords({ declared, answer, handleFor })
  const dialer = createDialer({ networks: model.webhooks?.networks ?? [], ...options.dialer })
  const events = createEvents({ ids, reader: createEventReader({ model, log, answer }), model })
  const send = createSendEvent({
    service: model.name,
    records,
    dialer,
    now,
    elapsed,
    telemetry: options.telemetry,
  })
  const fed = [...model.resources.values()].filter(showsHistory).map(({ name }) => name)
  const newestTypes = createNewestTypes(model)
  const wantedOf = (endpoint: Endpoint): readonly string[] =>
    resourcesOf(newestTypes(endpoint.types, versionOf(model, endpoint)), fed)
  /** Never two at a time of a record, also where one of them is of a replay. */
  const sequences = new Sequences()
  let known = new Map<string, Known>()
  let readAt = Number.NEGATIVE_INFINITY
  let swept = Number.NEGATIVE_INFINITY

  /** As the endpoint is when its turn comes: with a secret that was made just before. Nothing where it is gone. */
  const deliver = ({ id }: Endpoint, event: EventData, stop: AbortSignal, once = false): Promise<void> =>
    sequences.after(`${id} ${event.resource} ${event.recordId}`, async () => {
      const endpoint = await records.endpoint(id)
      if (endpoint) await send({ endpoint, event, once, stop })
    })

  const deliverRow = async (endpoint: Endpoint, row: LogRow, stop: AbortSignal): Promise<void> => {
    const actor = actorFor(endpoint)
    const event = actor && (await events.read(endpoint, actor, row))
    if (event) await deliver(endpoint, event, stop)
  }
  const actorFor = (endpoint: Endpoint): Actor | undefined => endpointActor(model, endpoint, open)

  const carryOut = async (endpoint: Endpoint, row: LogRow, stop: AbortSignal): Promise<void> => {
    const given = row.input as Readonly<Record<string, unknown>> | null
    const refuse = (problem: string): Promise<void> => records.changeEndpoint(endpoint.id, { problem })
    if (row.transition === webhookCommands.test)
      return deliver(endpoint, testEvent(ids.idOf(row), row), stop, true)
    if (row.transition === webhookCommands.redeliver) {
      const place = ids.placeOf(String(given?.["event"]))
      const [found] = place ? await log.read(place.position - 1n, 1) : []
      if (!place || found?.position !== place.position || found.epoch !== place.epoch)
        return refuse("The event that was to be sent once more is not in the log.")
      // By whoever sends the events of its record.
      const replay = { until: ids.idOf(place), once: true } as const
      return beginReplay(endpoint.id, replay, refuse)
    }
    if (row.transition !== webhookCommands.replay) return
    const { after, until = ids.idOf(row) } = (given ?? {}) as Partial<Replay>
    for (const one of [after ?? until, until]) {
      const place = ids.placeOf(one)
      if (!place) return refuse("The events that were to be sent once more are not of this service.")
      if (!(await log.end(place)).isKnown)
        return refuse("A restore or a failover has replaced the events that were to be sent once more.")
    }
    return beginReplay(endpoint.id, { until, ...(after !== undefined && { after }) }, refuse)
  }
  const beginReplay = (
    id: string,
    replay: Replay,
    refuse: (problem: string) => Promise<void>,
  ): Promise<void> =>
    changeReplays(id, async (under) => {
      const most = mostReplays[replay.once ? "once" : "many"]
      const isKnown = under.some((one) => subscriberOf(id, one) === subscriberOf(id, replay))
      if (isKnown) return under
      if (under.filter(({ once }) => once === replay.once).length < most) return [...under, replay]
      await refuse(
        replay.once
          ? `There are ${most} events to be sent once more already.`
          : `There are ${most} replays under way already.`,
      )
      return under
    })
  /** One change after the other. */
  const changeReplays = (
    id: string,
    change: (under: readonly Replay[]) => Promise<readonly Replay[]>,
  ): Promise<void> =>
    sequences.after(`${id} replays`, async () => {
      const under = (await records.endpoint(id))?.replays ?? []
      const fresh = await change(under)
      if (fresh === under) return
      await records.changeEndpoint(id, { replays: fresh.map((one) => ({ ...one })) })
      readAt = Number.NEGATIVE_INFINITY
    })

  const live = (endpoint: Endpoint): Followed => ({
    name: liveName(endpoint.id),
    filter: { resources: [...wantedOf(endpoint), webhookEndpoint] },
    from: () => begin(endpoint.id),
    call: (row, stop) =>
      row.resource === webhookEndpoint && row.record === endpoint.id
        ? Promise.all([deliverRow(endpoint, row, stop), carryOut(endpoint, row, stop)]).then(() => {})
        : deliverRow(endpoint, row, stop),
    retry: retryOf,
    longestPause,
    quiet: isOfReceiver,
  })
  const positionIn = (id: string | undefined): bigint =>
    (id === undefined ? undefined : ids.placeOf(id)?.position) ?? 0n
  const replayed = (endpoint: Endpoint, replay: Replay): Followed => {
    const { after, until, once } = replay
    const last = positionIn(until)
    const call = (row: LogRow, stop: AbortSignal): Promise<void> => {
      if (row.position > last) return Promise.resolve()
      return once ? redeliver(endpoint, row, stop) : deliverRow(endpoint, row, stop)
    }
    return {
      name: subscriberOf(endpoint.id, replay),
      filter: { resources: wantedOf(endpoint) },
      from: async () => (once ? last - 1n : positionIn(after)),
      call,
      retry: retryOf,
      longestPause,
      quiet: isOfReceiver,
      ends: { position: last, record: endpoint.id },
    }
  }
  const redeliver = async (endpoint: Endpoint, row: LogRow, stop: AbortSignal): Promise<void> => {
    const actor = actorFor(endpoint)
    const event = actor && (await events.read(endpoint, actor, row))
    if (event) await deliver(endpoint, event, stop, true)
    else await records.changeEndpoint(endpoint.id, { problem: "It does not see that event." })
  }
  /** The log has what happened since it was made. */
  const begin = async (id: string): Promise<bigint> => {
    const [first] = await log.read(0n, 1, { resource: webhookEndpoint, record: id })
    return first?.position ?? (await log.latest())
  }
  /** Why an active endpoint cannot be followed. @param count active endpoints of its owner, with this one */
  const problemOf = (endpoint: Endpoint, count: number): string | undefined => {
    const { expiresAt } = endpoint
    if (expiresAt !== null && Date.parse(expiresAt) <= now())
      return `It ended at ${expiresAt}. Give it a later \`expiresAt\`, then resume it.`
    if (count > mostOfOwner) return `Its owner has ${mostOfOwner} active endpoints already.`
    const actor = isAhead(model, endpoint) ? undefined : actorFor(endpoint)
    try {
      if (actor) events.check(endpoint, actor)
      return undefined
    } catch (error) {
      // Before an event is looked at: the moment would tell of one that the endpoint does not see.
      if (!(error instanceof Refusal)) throw error
      return `Its filter cannot be asked: ${error.message}`
    }
  }
  /**
   * Active endpoints without those that have a problem, which are disabled, and without those of versions to come: their
   * events wait for a process that has the version.
   */
  const followable = async (): Promise<readonly Endpoint[]> => {
    const counts = new Map<string, number>()
    const left: Endpoint[] = []
    for (const endpoint of await records.endpoints()) {
      const { id, ownerId } = endpoint
      const count = ownerId === null ? 0 : (counts.get(ownerId) ?? 0) + 1
      const problem = problemOf(endpoint, count)
      if (problem !== undefined) await records.disable(id, problem)
      else if (!isAhead(model, endpoint)) left.push(endpoint)
      if (ownerId !== null && problem === undefined) counts.set(ownerId, count)
    }
    return left
  }
  const endpointFollowed = (endpoint: Endpoint): Known => {
    const { failingSince: _, problem: _unused, ...rest } = endpoint
    const shape = JSON.stringify(rest)
    const before = known.get(endpoint.id)
    if (before?.shape === shape) return before
    const replays = (endpoint.replays ?? []).map((replay) => replayed(endpoint, replay))
    return { shape, followed: [live(endpoint), ...replays] }
  }
  return {
    async followed() {
      if (elapsed() - readAt >= freshness) {
        const all = await followable()
        readAt = elapsed()
        known = new Map(all.map((one) => [one.id, endpointFollowed(one)]))
        if (elapsed() - swept >= kept.look) {
          swept = elapsed()
          void records.removeOld(canonicalDateTime(now() - kept.time)).catch(() => {})
          void records.giveUp(canonicalDateTime(unhurriedNow() - overdue)).catch(() => {})
        }
      }
      return [...known.values()].flatMap(({ followed }) => followed)
    },
    async gone(names) {
      const own = names.filter((name) => name.startsWith(prefix))
      const there = await records.known([...new Set(own.map(endpointIn))])
      return own.filter((name) => {
        const endpoint = there.get(endpointIn(name))
        if (!endpoint || name === liveName(endpoint.id)) return !endpoint
        return !(endpoint.replays ?? []).some((one) => subscriberOf(endpoint.id, one) === name)
      })
    },
    async ended(name) {
      if (!name.startsWith(prefix)) return
      const id = endpointIn(name)
      await changeReplays(id, async (under) => {
        const left = under.filter((one) => subscriberOf(id, one) !== name)
        return left.length === under.length ? under : left
      })
    },
    close: () => dialer.close(),
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
