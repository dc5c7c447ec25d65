// Endpoints of webhooks follow the log: each on its own way, from the moment at which it was made. What they are told to do is
// in the log as well.
import { Refusal } from "../base/problem.ts"
import { pauseAfter } from "../events/backoff.ts"
import { type Followed, type Retry, type Subscribers, subscriberPrefix } from "../events/followed.ts"
import { createEventIds } from "../feed/event-ids.ts"
import { createEventReader } from "../feed/event-reader.ts"
import type { AnswerPlan } from "../http/face.ts"
import { showsHistory } from "../model/build/history.ts"
import type { Model } from "../model/model.ts"
import { createDialer, type DialerOptions } from "../outbound/dialer.ts"
import type { Actor } from "../plan/access/actor.ts"
import { canonicalDateTime } from "../plan/values/datetime.ts"
import type { Log, LogRow } from "../storage/log-types.ts"
import { webhookCommands, webhookEndpoint } from "../system/webhooks.ts"
import { createSendEvent, DeliveryFailure } from "./delivery.ts"
import { type Endpoint, endpointActor, isOwnResource, type Replay } from "./endpoint.ts"
import { createReadEvent } from "./events.ts"
import type { EventData } from "./payload.ts"
import { createRecords, type RecordsOptions } from "./records.ts"
import { Sequences } from "./sequences.ts"

export interface WebhooksOptions extends Omit<RecordsOptions, "answer"> {
  /** The whole service, as it was declared, or opened to everybody. */
  readonly model: Model
  /** The service is open to everybody. */
  readonly open: boolean
  readonly log: Log
  readonly answer: AnswerPlan
  /** Ids of events are made with it. */
  readonly secret: string
  readonly dialer?: DialerOptions
  /** Milliseconds since 1970; the clock's when absent. */
  readonly now?: () => number
}

export interface Webhooks extends Subscribers {
  close(): Promise<void>
}

/** Milliseconds for which the list of endpoints is used again. */
const freshness = 500
/** Milliseconds for which deliveries that are done are kept, and between two looks for older ones. */
const kept = { time: 30 * 86_400_000, look: 600_000 } as const
/** Replays of one endpoint at a time. */
const mostReplays = 10

/** One of an endpoint, with what it depends on. */
interface Known {
  readonly shape: string
  readonly followed: readonly Followed[]
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { model, open, log, answer, secret, declared, handleFor, now = Date.now } = options
  const ids = createEventIds(secret, model.name)
  const records = createRecords({ declared, answer, handleFor })
  const dialer = createDialer({ networks: model.webhooks?.networks ?? [], ...options.dialer })
  const readEvent = createReadEvent({ ids, answer, reader: createEventReader({ model, log, answer }) })
  const send = createSendEvent({ service: model.name, records, dialer, now })
  const fed = [...model.resources.values()].filter(showsHistory).map(({ name }) => name)
  /** Never two at a time of a record, also where one of them is of a replay. */
  const sequences = new Sequences()
  const begins = new Map<string, bigint>()
  let current = new Map<string, Endpoint>()
  let known = new Map<string, Known>()
  let readAt = Number.NEGATIVE_INFINITY
  let swept = Number.NEGATIVE_INFINITY

  const deliver = (endpoint: Endpoint, event: EventData, stop: AbortSignal, once = false): Promise<void> =>
    sequences.after(`${endpoint.id} ${event.resource} ${event.recordId}`, () =>
      send({ endpoint: current.get(endpoint.id) ?? endpoint, event, once, stop }),
    )

  const deliverRow = async (endpoint: Endpoint, row: LogRow, stop: AbortSignal): Promise<void> => {
    const actor = actorFor(endpoint)
    if (!actor) return
    try {
      const event = await readEvent(endpoint, actor, row)
      if (event) await deliver(endpoint, event, stop)
    } catch (error) {
      if (!(error instanceof Refusal) || !isOfFilter(error)) throw error
      await records.disable(endpoint.id, `Its filter cannot be asked any more: ${error.message}`)
    }
  }
  const actorFor = (endpoint: Endpoint): Actor | undefined => endpointActor(model, endpoint, open)

  const carryOut = async (endpoint: Endpoint, row: LogRow, stop: AbortSignal): Promise<void> => {
    const given = row.input as Readonly<Record<string, unknown>> | null
    const refuse = (problem: string): Promise<void> => records.changeEndpoint(endpoint.id, { problem })
    if (row.transition === webhookCommands.test)
      return deliver(endpoint, testEvent(ids.idOf(row.position), row), stop, true)
    if (row.transition === webhookCommands.redeliver) {
      const position = ids.positionOf(String(given?.["event"]))
      const [found] = position === undefined ? [] : await log.read(position - 1n, 1)
      const actor = actorFor(endpoint)
      if (!found || found.position !== position || !actor)
        return refuse("The event that was to be sent once more is not in the log.")
      const event = await readEvent(endpoint, actor, found)
      return event ? deliver(endpoint, event, stop, true) : refuse("It does not see that event.")
    }
    if (row.transition === webhookCommands.replay) return beginReplay(endpoint, row, refuse)
  }
  const beginReplay = async (
    { id, replays }: Endpoint,
    { position, input }: LogRow,
    refuse: (problem: string) => Promise<void>,
  ): Promise<void> => {
    const { after, until = ids.idOf(position) } = (input ?? {}) as Partial<Replay>
    const under = current.get(id)?.replays ?? replays ?? []
    const isKnown = [after ?? until, until].every((one) => ids.positionOf(one) !== undefined)
    if (!isKnown) return refuse("The events that were to be sent once more are not of this service.")
    if (under.length >= mostReplays) return refuse(`There are ${mostReplays} replays under way already.`)
    const replay: Replay = { until, ...(after !== undefined && { after }) }
    if (under.some((one) => one.after === after && one.until === until)) return
    await records.changeEndpoint(id, { replays: [...under.map((one) => ({ ...one })), { ...replay }] })
    readAt = Number.NEGATIVE_INFINITY
  }

  const live = async (endpoint: Endpoint): Promise<Followed> => ({
    name: `${prefix}${endpoint.id}`,
    filter: { resources: [...resourcesOf(endpoint, fed), webhookEndpoint] },
    from: await begin(endpoint.id),
    call: (row, stop) =>
      row.resource === webhookEndpoint && row.record === endpoint.id
        ? Promise.all([deliverRow(endpoint, row, stop), carryOut(endpoint, row, stop)]).then(() => {})
        : deliverRow(endpoint, row, stop),
    retry: retryOf,
    quiet: true,
  })
  const replayed = (endpoint: Endpoint, { after, until }: Replay): Followed => {
    const last = ids.positionOf(until) ?? 0n
    return {
      name: subscriberOf(endpoint.id, { until, ...(after !== undefined && { after }) }),
      filter: { resources: resourcesOf(endpoint, fed) },
      from: after === undefined ? 0n : (ids.positionOf(after) ?? 0n),
      call: (row, stop) => (row.position > last ? Promise.resolve() : deliverRow(endpoint, row, stop)),
      retry: retryOf,
      quiet: true,
    }
  }
  /** The log has what happened since it was made. */
  const begin = async (id: string): Promise<bigint> => {
    const found = begins.get(id)
    if (found !== undefined) return found
    const [first] = await log.read(0n, 1, { resource: webhookEndpoint, record: id })
    const position = first?.position ?? (await log.latest())
    begins.set(id, position)
    return position
  }
  const endpointFollowed = async (endpoint: Endpoint): Promise<Known> => {
    const { failingSince: _, problem: _unused, ...rest } = endpoint
    const shape = JSON.stringify(rest)
    const before = known.get(endpoint.id)
    if (before?.shape === shape) return before
    const replays = (endpoint.replays ?? []).map((replay) => replayed(endpoint, replay))
    return { shape, followed: [await live(endpoint), ...replays] }
  }
  return {
    async followed() {
      if (now() - readAt >= freshness) {
        const all = await records.endpoints()
        readAt = now()
        current = new Map(all.map((endpoint) => [endpoint.id, endpoint]))
        known = new Map(
          await Promise.all(
            all.map(async (one): Promise<[string, Known]> => [one.id, await endpointFollowed(one)]),
          ),
        )
        if (now() - swept >= kept.look) {
          swept = now()
          void records.removeOld(canonicalDateTime(now() - kept.time)).catch(() => {})
        }
      }
      return [...known.values()].flatMap(({ followed }) => followed)
    },
    async gone(names) {
      const own = names.filter((name) => name.startsWith(prefix))
      const there = await records.known([...new Set(own.map(endpointIn))])
      return own.filter((name) => !there.has(endpointIn(name)))
    },
    reached(name, position) {
      for (const endpoint of current.values())
        for (const replay of endpoint.replays ?? []) {
          const last = ids.positionOf(replay.until) ?? 0n
          if (subscriberOf(endpoint.id, replay) !== name || position < last) continue
          const left = (endpoint.replays ?? []).filter((one) => one !== replay)
          void records
            .changeEndpoint(endpoint.id, { replays: left.map((one) => ({ ...one })) })
            .catch(() => {})
          current.set(endpoint.id, { ...endpoint, replays: left })
          known.delete(endpoint.id)
          return true
        }
      return false
    },
    close: () => dialer.close(),
  }
}

const prefix = `${subscriberPrefix}webhook:`

/** The name under which the position of a replay is kept. */
export const subscriberOf = (id: string, { after, until }: Replay): string =>
  `${prefix}${id} ${after ?? ""}..${until}`

/** The id of the endpoint that has the name. */
const endpointIn = (name: string): string => name.slice(prefix.length).split(" ")[0] ?? ""

function retryOf(attempts: number, thrown: unknown): Retry {
  return thrown instanceof DeliveryFailure ? thrown.retry : pauseAfter(attempts, Math.random())
}

const isOfFilter = ({ problems }: Refusal): boolean => problems.every(({ place }) => place?.[0] === "filter")

/** Resources whose events it may want. */
function resourcesOf({ types }: Endpoint, fed: readonly string[]): readonly string[] {
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
