// The feed of a service: events for those outside, page by page or as they happen, each under the rules of its subscriber.

import { setTimeout as sleep } from "node:timers/promises"
import { perObject, RequestCache } from "../../base/caches.ts"
import { FairQueue } from "../../base/fair-queue.ts"
import { type Place, refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { AwaitWrites, Written } from "../../http/changes.ts"
import type { AnswerPlan } from "../../http/face.ts"
import { showsHistory } from "../../model/build/history.ts"
import { eventTypesOf, namesType } from "../../model/event-types.ts"
import type { Model } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { prices } from "../../plan/cost/points.ts"
import { weigh } from "../../plan/draft/plan-cache.ts"
import { hintFor } from "../../plan/hints.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { type LogPlace, logStart } from "../../sql/log/epochs.ts"
import type { Gap, Log, LogPart, LogRow } from "../../storage/log-types.ts"
import { createEventIds, type EventIds } from "./event-ids.ts"
import { createEventReader, isGone, type SeenEvent } from "./event-reader.ts"
import { createLogTail } from "./log-tail.ts"
import { framesIn, OwnRoom, type Room } from "./room.ts"
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
  /** For a page, which is read within it. */
  readonly request?: Request | undefined
  /** By its name in the subscriber's version; all resources whose history it sees when absent. */
  readonly resource?: string
  /** Conditions on records of the resource. */
  readonly conditions?: readonly ConditionPart[]
  /** Types as the subscriber sees them, such as `order.paid` or `order.*`; all when absent. */
  readonly types?: readonly string[]
  /** Places of the resource's name, of the conditions and of the types in the request. */
  readonly places: { readonly resource: Place; readonly conditions: Place; readonly types?: Place }
}

/** The client of a follower, and its budget. */
export interface Looking {
  /** The client whose turns it uses; none when absent. */
  readonly client?: string | undefined
  /** Resolves when the points of looks are paid, or the follower has left; absent where looks cost nothing. */
  readonly pay?: (points: number) => Promise<void>
  /** Ends the follower's connection, whatever it has not taken. */
  readonly cut?: (() => void) | undefined
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
  /** Events after a place as they happen, until the signal aborts. Reads wanted events only. */
  follow(
    subscription: Subscription,
    after: LogPlace,
    signal: AbortSignal,
    looking?: Looking,
  ): AsyncGenerator<FeedItem, void>
  /**
   * The place after which a client goes on: behind all committed events for `now`. Rejects with a Refusal `invalid_cursor` for
   * other texts that are neither the id of an event nor the cursor of a page.
   */
  after(cursor: string, place: Place, request?: Request): Promise<LogPlace>
  /** For the frames that are made of events, until they are taken. */
  readonly frames: Room
  readonly writes: AwaitWrites
  wake(): void
  close(): void
}

type Sights = ReadonlyMap<string, Sight>

/** Plans of one audience, with the text of what was asked: equal ones have an equal text. */
interface Prepared {
  readonly key: string
  readonly sights: Sights
}

const step = 100
/** Rows that are looked at for one page. */
const mostLooked = 1_000
/** Characters of rows that a follower receives at a time; its entries stay in memory until the follower takes them. */
const mostShown = 256_000
/**
 * Characters of rows that wait for followers. The same number of bytes bounds each of: frames, frames of live reads, and
 * earlier answers that live reads are compared with.
 */
const mostHeld = { client: 8_000_000, all: 32_000_000 } as const
/** Frames that are made at a time, of a size that is not known. */
const mostMade = 16
/** Points that a follower may owe. */
const mostOwed = 10

/** In the place of a cursor. */
export const fromNow = "now"

export function createFeed({ model, log, answer, secret, look }: FeedOptions): Feed {
  const ids = createEventIds(secret, model.name)
  const tail = createLogTail({ log, ...(look !== undefined && { look }) })
  const shownRows = new OwnRoom({ ...mostHeld, unmeasured: Number.POSITIVE_INFINITY })
  const frames = new OwnRoom({ ...mostHeld, unmeasured: mostMade })
  // A room of their own: a live read is asked again for each of its frames, however long that takes.
  const liveFrames = new OwnRoom({ ...mostHeld, unmeasured: mostMade })
  const liveAnswers = new OwnRoom({ ...mostHeld, unmeasured: Number.POSITIVE_INFINITY })
  const looks = createLooks((client) => !shownRows.isFull(client))
  const tools: Tools = { ids, log, reader: createEventReader({ model, log, answer }), looks }
  return {
    ...ids,
    frames,
    check: (subscription) => void prepare(subscription),
    page: (...asked) => pageOf(tools, ...asked),
    async *follow(subscription, after, signal, { client = "", pay, cut } = {}) {
      const asked = prepare(subscription)
      const shown = createShown()
      let owed = 0
      for (let from = after; ; ) {
        const found = await tail.next(from, signal)
        if (!found) return
        if (found.gap) yield { kind: "gap", gap: found.gap }
        from = found.through
        for (const rows of slicesOf(found.rows, found.size)) {
          const price = priceOf(rows, asked.sights)
          // Most subscribers of single records have nothing to do with what others write.
          if (price === 0) continue
          owed += price
          if (pay && owed >= mostOwed) {
            await pay(Math.floor(owed))
            owed %= 1
          }
          if (signal.aborted) return
          const seen = await lookShared(tools, rows, subscription.actor, { ...asked, client })
          const events = wanted(
            subscription,
            seen.filter((event) => shown.tells(event, asked.sights)),
          )
          if (events.length === 0) continue
          const size = Math.ceil((found.size * rows.length) / found.rows.length)
          const held = await shownRows.enter({ client, cut }, size)
          try {
            yield { kind: "events", events }
          } finally {
            held.release()
            looks.resume()
          }
        }
      }
    },
    async writes({ request, signal, concerns, cut }) {
      let { end: from } = await log.for(request).end()
      const catchUp = async (): Promise<void> => {
        from = (await log.end()).end
      }
      const tell = async function* (): AsyncGenerator<Written, void> {
        for (let found = await tail.next(from, signal); found; found = await tail.next(from, signal)) {
          from = found.through
          if (found.gap || found.rows.some(({ resource }) => concerns(resource))) yield { catchUp }
        }
      }
      const client = request?.client ?? ""
      return {
        writes: tell(),
        frame: framesIn(liveFrames, { client, cut }),
        keep: (bytes) => liveAnswers.take(client, bytes)?.release,
      }
    },
    after: (...asked) => placeAfter(tools, ...asked),
    wake: () => tail.wake(),
    close: () => tail.close(),
  }
}

interface Tools {
  readonly ids: EventIds
  readonly log: Log
  readonly reader: ReturnType<typeof createEventReader>
  readonly looks: Looks
}

const prepared = perObject((_: Model) => new RequestCache().open<string, Prepared>())

function prepare(subscription: Subscription): Prepared {
  const found = keptSights(subscription)
  const { actor, types, places } = subscription
  if (types) checkTypes(actor.model, types, { place: places.types ?? [], resources: found.sights.keys() })
  return found
}

function keptSights({ actor, resource, conditions = [], places }: Subscription): Prepared {
  const known = prepared(actor.model)
  const key = JSON.stringify([resource, conditions])
  const found = known.get(key)
  if (found) return found
  const made = { key, sights: makeSights(actor.model, { resource, conditions, places }) }
  known.set(key, made, weigh(key))
  return made
}

const looksAt = perObject((_: readonly LogRow[]) =>
  perObject((_model: Model) => new Map<string, Look<readonly SeenEvent[]>>()),
)

/**
 * Subscribers of equal shape and rights share a look until it is done: later ones see by the rules of then. A shared look
 * contains no values that user code makes for a caller.
 */
async function lookShared(
  { reader, looks }: Tools,
  rows: readonly LogRow[],
  actor: Actor,
  { key: asked, sights, client }: Prepared & { readonly client: string },
): Promise<readonly SeenEvent[]> {
  const known = looksAt(rows)(actor.model)
  const whose = JSON.stringify(actor.key, (_, value) => (typeof value === "bigint" ? `${value}n` : value))
  const key = `${whose} ${asked}`
  const found = known.get(key)
  if (found) {
    looks.join(client, found)
    return await found.result
  }
  const made = looks.add(client, () => reader.look(rows, { actor }, sights))
  known.set(key, made)
  return await made.result.finally(() => known.delete(key))
}

/** The same slices for all, so that they share them. */
const slicesOf = perObject((rows: LogPart["rows"], size: number): readonly (readonly LogRow[])[] => {
  const each = Math.max(1, Math.floor((rows.length * mostShown) / Math.max(size, mostShown)))
  if (each >= rows.length) return [rows]
  return Array.from({ length: Math.ceil(rows.length / each) }, (_, at) =>
    rows.slice(at * each, (at + 1) * each),
  )
})

const wanted = ({ types }: Subscription, events: readonly SeenEvent[]): readonly SeenEvent[] =>
  types ? events.filter((event) => namesType(types, event.resource, typeOf(event))) : events

async function pageOf(
  { log, reader }: Tools,
  subscription: Subscription,
  after: LogPlace | undefined,
  most: number,
): Promise<EventPage> {
  const { sights } = prepare(subscription)
  const resources = [...sights.keys()]
  const events: SeenEvent[] = []
  let from = after ?? logStart
  const own = log.for(subscription.request)
  for (let looked = 0; looked < mostLooked; looked += step) {
    const { end } = await own.end()
    const { rows, through, gap } = await own.follow(from, step, { resources })
    if (gap && from !== logStart) {
      if (from === after) throw tooOld(gap)
      // The next page says so.
      return { events, hasMore: true, through: from }
    }
    const seen = await reader.read(rows, subscription, sights)
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
}

async function placeAfter(
  { ids, log }: Tools,
  cursor: string,
  place: Place,
  request?: Request,
): Promise<LogPlace> {
  if (cursor === fromNow) return (await log.for(request).end()).end
  const found = ids.placeOf(cursor)
  if (found) return found
  throw refusal("invalid_cursor", `${quoteInput(cursor)} is not the id of an event of this service.`, {
    place,
    hint: 'Take it, unchanged, from an event or a page of events, or give "now".',
  })
}

const gapMessages = {
  removed: "The log no longer has the events after this one.",
  replaced: "A restore or a failover has replaced the events after this one.",
} as const

export const gapMessage = (gap: Gap): string => gapMessages[gap]

const tooOld = (gap: Gap) =>
  refusal("events_expired", gapMessage(gap), {
    hint: 'Ask for events after "now", then for the records as they are, and go on after the cursor of that page.',
  })

/** Records that a follower saw last, whose rule or condition depends on others: a follower gets LEFT for each lost record. */
interface Shown {
  /** Whether the follower is to be told of the event. */
  tells(event: SeenEvent, sights: Sights): boolean
}

/** Records of one follower; of more, those that it was shown first are forgotten. */
const mostRemembered = 1_000

function createShown(): Shown {
  const records = new Set<string>()
  return {
    tells({ row, kind, lost }, sights) {
      if (!sights.get(row.resource)?.dependsOnOthers) return true
      const key = `${row.resource} ${row.record}`
      const known = records.delete(key)
      if (lost) return known
      if (isGone(kind)) return true
      records.add(key)
      const [first] = records
      if (records.size > mostRemembered && first !== undefined) records.delete(first)
      return true
    },
  }
}

/** Points of a look: for each row that is asked for, a part of what its comparisons would be. */
const priceOf = (rows: readonly LogRow[], sights: Sights): number =>
  rows.reduce((sum, { resource, record }) => {
    const sight = sights.get(resource)
    return sight?.allows(record) ? sum + prices.look * (1 + sight.comparisons) : sum
  }, 0)

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

// Types of events that a request names: a misspelt one would be a stream without events.

/** Throws a Refusal for a type that the resources, all of the visible model when absent, have no events of. */
export function checkTypes(
  model: Model,
  types: readonly string[],
  { place, resources = [...model.resources.keys()] }: { place: Place; resources?: Iterable<string> },
): void {
  const known = [...resources].flatMap((name) => {
    const resource = model.resources.get(name)
    const all = resource ? eventTypesOf(resource) : []
    return resource && all.length > 0 ? [`${apiName(resource)}.*`, ...all] : []
  })
  const wrong = types.find((type) => !known.includes(type))
  if (wrong === undefined) return
  const hint = hintFor(wrong, known)
  throw refusal("invalid_value", `There are no events of the type ${quoteInput(wrong)}.`, {
    place,
    ...(hint !== undefined && { hint }),
  })
}

// Looks of followers at what was written: each takes some of the process, and thousands of them may want one after a write. A
// few run at a time, for a slice of a turn; then the process has three times as long for others, writers among them.
export interface Look<Result> {
  readonly result: Promise<Result>
}

export interface Looks {
  /** The look runs in the client's turn: clients take turns, however many looks each of them wants. */
  add<Result>(client: string, work: () => Promise<Result>): Look<Result>
  /** Another client waits for the look too, which runs in the turn that comes first. */
  join(client: string, look: Look<unknown>): void
  /** Looks that waited because their client has much to send may go on. */
  resume(): void
}

/** Looks that run at a time: where the database is another process, they wait for it together. */
const mostAtOnce = 16
/** Looks after a write that run without a rest: so many followers are no burden. */
const mostUnrested = 64
/** Milliseconds. */
const slice = 2
const longestRest = 100
/** A multiple of the time that a slice took. */
const restFactor = 3

interface Waiting extends Look<unknown> {
  begin: (() => Promise<void>) | undefined
}

/** @param mayLook false for a client that has much to send: its looks wait */
export function createLooks(mayLook: (client: string) => boolean = () => true): Looks {
  // A look that several wait for stands in the line of each.
  const waiting = new FairQueue<Waiting>()
  let running = false
  const next = (): Waiting | undefined => {
    const mayGo = (_: Waiting, client: string): boolean => mayLook(client)
    for (let one = waiting.shift(mayGo); one; one = waiting.shift(mayGo)) if (one.begin) return one
    return undefined
  }
  const someNext = (): readonly Promise<void>[] => {
    const begun: Promise<void>[] = []
    while (begun.length < mostAtOnce) {
      const one = next()
      if (!one?.begin) break
      const { begin } = one
      one.begin = undefined
      begun.push(begin())
    }
    return begun
  }
  const run = async (): Promise<void> => {
    if (running) return
    running = true
    // All that want to look in one turn are begun together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    try {
      let unrested = mostUnrested
      for (let since = performance.now(); ; ) {
        const begun = someNext()
        if (begun.length === 0) return
        await Promise.all(begun)
        unrested -= begun.length
        const taken = performance.now() - since
        if (taken < slice || unrested > 0) continue
        await sleep(Math.min(taken * restFactor, longestRest))
        since = performance.now()
      }
    } finally {
      running = false
    }
  }
  const join = (client: string, look: Waiting): void => {
    if (!look.begin) return
    waiting.push(client, look)
    void run()
  }
  return {
    resume: () => void run(),
    add<Result>(client: string, work: () => Promise<Result>) {
      const { promise: result, resolve, reject } = Promise.withResolvers<Result>()
      const look: Waiting & { readonly result: typeof result } = {
        result,
        begin: () => work().then(resolve, reject),
      }
      join(client, look)
      return look
    },
    join: (client, look) => join(client, look as Waiting),
  }
}
