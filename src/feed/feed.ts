// The feed of a service: events for those outside, page by page or as they happen, each under the rules of its subscriber.

import { createRecent, type Recent } from "../base/clock-cache.ts"
import { type Place, refusal } from "../base/problem.ts"
import type { AwaitWrites, Written } from "../http/changes.ts"
import type { AnswerPlan } from "../http/face.ts"
import { showsHistory } from "../model/build/history.ts"
import { namesType } from "../model/event-types.ts"
import type { Model } from "../model/model.ts"
import { apiName } from "../model/names.ts"
import type { Actor } from "../plan/access/actor.ts"
import { hintFor } from "../plan/hints.ts"
import { quoteInput } from "../plan/quote-input.ts"
import { type LogPlace, logStart } from "../sql/log/epochs.ts"
import type { Gap, Log, LogRow } from "../storage/log-types.ts"
import { checkTypes } from "./check-types.ts"
import { createEventIds, type EventIds } from "./event-ids.ts"
import { createEventReader, type SeenEvent } from "./event-reader.ts"
import { createLogTail } from "./log-tail.ts"
import { type ConditionPart, createSight, type Sight } from "./sight.ts"

export interface FeedOptions {
  /** The whole service, as it was declared or opened to everybody. */
  readonly model: Model
  readonly log: Log
  readonly answer: AnswerPlan
  /** Ids of events are made with it. */
  readonly secret: string
  /** Milliseconds between looks for what other processes wrote. */
  readonly look?: number
}

/** Which events a subscriber asks for. */
export interface Subscription {
  readonly actor: Actor
  /** By its name in the subscriber's version; all resources whose history it sees when absent. */
  readonly resource?: string
  /** Conditions on records of the resource. */
  readonly conditions?: readonly ConditionPart[]
  /** Types as the subscriber sees them, such as `order.paid` or `order.*`; all when absent. */
  readonly types?: readonly string[]
  /** Places of the resource's name, of the conditions and of the types in the request. */
  readonly places: { readonly resource: Place; readonly conditions: Place; readonly types?: Place }
}

export type FeedItem =
  | { readonly kind: "events"; readonly events: readonly SeenEvent[] }
  /** Events after the cursor are no longer in the log. */
  | { readonly kind: "gap"; readonly gap: Gap }

interface EventPage {
  readonly events: readonly SeenEvent[]
  /** Also where this page has fewer events than it may: so many rows were looked at. */
  readonly hasMore: boolean
  /** The place behind which to go on: nothing before it has to be read again. */
  readonly through: LogPlace
}

export interface Feed extends EventIds {
  /** Throws a Refusal for a resource, type or condition that cannot be asked. */
  check(subscription: Subscription): void
  /**
   * The first events after a place, of all that there are when it is undefined. Throws a Refusal; `events_expired` where
   * the log no longer has what followed.
   * @param most of a page
   */
  page(subscription: Subscription, after: LogPlace | undefined, most: number): Promise<EventPage>
  /** The place of the last event that is committed. */
  latest(): Promise<LogPlace>
  /** Events after a place as they happen, until the signal aborts. Only what is asked for is read. */
  follow(subscription: Subscription, after: LogPlace, signal: AbortSignal): AsyncGenerator<FeedItem, void>
  /** Throws a Refusal `invalid_cursor` for what is neither the id of an event nor the cursor of a page. */
  after(cursor: string, place: Place): LogPlace
  readonly writes: AwaitWrites
  wake(): void
  close(): void
}

type Sights = ReadonlyMap<string, Sight>

/** Subscriptions of one audience whose plans are kept. */
const mostKept = 200
const step = 100
/** Rows that are looked at for one page. */
const mostLooked = 1_000

export function createFeed({ model, log, answer, secret, look }: FeedOptions): Feed {
  const ids = createEventIds(secret, model.name)
  const reader = createEventReader({ model, log, answer })
  const tail = createLogTail({ log, ...(look !== undefined && { look }) })
  const prepared = new WeakMap<Model, Recent<string, Sights>>()
  const sightsOf = (subscription: Subscription): Sights => {
    const sights = keptSights(subscription)
    const { actor, types, places } = subscription
    if (types) checkTypes(actor.model, types, { place: places.types ?? [], resources: sights.keys() })
    return sights
  }
  const keptSights = ({ actor, resource, conditions = [], places }: Subscription): Sights => {
    const known = prepared.get(actor.model) ?? createRecent({ count: mostKept, weight: mostKept })
    prepared.set(actor.model, known)
    const key = JSON.stringify([resource, conditions])
    const found = known.get(key)
    if (found) return found
    const made = makeSights(actor.model, { resource, conditions, places })
    known.set(key, made, 1)
    return made
  }
  const shared = new WeakMap<readonly LogRow[], Map<Sights, Map<string, Promise<readonly SeenEvent[]>>>>()
  /** Subscribers of equal shape and rights share a read while it is under way: later ones see what the rules show then. */
  const readShared = (
    rows: readonly LogRow[],
    actor: Actor,
    sights: Sights,
  ): Promise<readonly SeenEvent[]> => {
    const bySights = shared.get(rows) ?? new Map<Sights, Map<string, Promise<readonly SeenEvent[]>>>()
    shared.set(rows, bySights)
    const byActor = bySights.get(sights) ?? new Map<string, Promise<readonly SeenEvent[]>>()
    bySights.set(sights, byActor)
    const key = JSON.stringify(actor.key, (_, value) => (typeof value === "bigint" ? `${value}n` : value))
    const known = byActor.get(key)
    if (known) return known
    const made = reader.read(rows, actor, sights)
    byActor.set(key, made)
    return made.finally(() => byActor.delete(key))
  }
  const wanted = ({ types }: Subscription, events: readonly SeenEvent[]): readonly SeenEvent[] =>
    types ? events.filter((event) => namesType(types, event.resource, typeOf(event))) : events
  return {
    ...ids,
    check: (subscription) => void sightsOf(subscription),
    async page(subscription, after, most) {
      const sights = sightsOf(subscription)
      const resources = [...sights.keys()]
      const events: SeenEvent[] = []
      let from = after ?? logStart
      for (let looked = 0; looked < mostLooked; looked += step) {
        const { end } = await log.end()
        const { rows, through, gap } = await log.follow(from, step, { resources })
        if (gap && from !== logStart) {
          if (from === after) throw tooOld(gap)
          // The next page says so.
          return { events, hasMore: true, through: from }
        }
        const seen = await reader.read(rows, subscription.actor, sights)
        events.push(...wanted(subscription, seen))
        if (events.length > most) {
          const shown = events.slice(0, most)
          return { events: shown, hasMore: true, through: shown.at(-1)?.row ?? from }
        }
        from = through
        if (rows.length < step)
          return { events, hasMore: false, through: end.position > from.position ? end : from }
      }
      return { events, hasMore: true, through: from }
    },
    latest: async () => (await log.end()).end,
    async *follow(subscription, after, signal) {
      const sights = sightsOf(subscription)
      for (let from = after; ; ) {
        const found = await tail.next(from, signal)
        if (!found) return
        if (found.gap) yield { kind: "gap", gap: found.gap }
        from = found.through
        // Most subscribers of single records have nothing to do with what others write.
        if (!found.rows.some((row) => sights.get(row.resource)?.allows(row.record))) continue
        const seen = await readShared(found.rows, subscription.actor, sights)
        const events = wanted(subscription, seen)
        if (events.length > 0) yield { kind: "events", events }
      }
    },
    async writes(signal, concerns) {
      let { end: from } = await log.end()
      const catchUp = async (): Promise<void> => {
        from = (await log.end()).end
      }
      const tell = async function* (): AsyncGenerator<Written, void> {
        for (let found = await tail.next(from, signal); found; found = await tail.next(from, signal)) {
          from = found.through
          if (found.gap || found.rows.some(({ resource }) => concerns(resource))) yield { catchUp }
        }
      }
      return tell()
    },
    after(cursor, place) {
      const found = ids.placeOf(cursor)
      if (found) return found
      throw refusal("invalid_cursor", `${quoteInput(cursor)} is not the id of an event of this service.`, {
        place,
        hint: "Take it, unchanged, from an event or a page of events.",
      })
    },
    wake: () => tail.wake(),
    close: () => tail.close(),
  }
}

const gapMessages = {
  removed: "The log no longer has the events after this one.",
  replaced: "A restore or a failover has replaced the events after this one.",
} as const

export const gapMessage = (gap: Gap): string => gapMessages[gap]

const tooOld = (gap: Gap) =>
  refusal("events_expired", gapMessage(gap), {
    hint: "Ask for the records as they are now, and follow the events from here on.",
  })

/** The type as the subscriber sees it. */
export const typeOf = ({ resource, kind, entry }: SeenEvent): string =>
  entry?.type ?? `${resource}.${kind === "DELETED" ? "deleted" : "left"}`

function makeSights(
  model: Model,
  { resource, conditions, places }: Required<Pick<Subscription, "conditions" | "places">> & Named,
): Sights {
  const fed = [...model.resources.values()].filter(showsHistory)
  if (resource !== undefined && !fed.some((one) => apiName(one) === resource)) {
    const hint = hintFor(resource, fed.map(apiName))
    throw refusal("invalid_value", `There are no events of ${quoteInput(resource)}.`, {
      place: places.resource,
      ...(hint !== undefined && { hint }),
    })
  }
  const asked = resource === undefined ? fed : fed.filter((one) => apiName(one) === resource)
  if (resource === undefined && conditions.length > 0)
    throw refusal("invalid_value", "A condition is about records of one resource.", {
      place: places.conditions,
      hint: "Name the resource, too.",
    })
  return new Map(
    asked.map(({ name }) => [
      name,
      createSight({ model, resource: name, conditions, place: places.conditions }),
    ]),
  )
}

interface Named {
  readonly resource: string | undefined
}
