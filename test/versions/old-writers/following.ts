// What followers of each version are told: pages of events, streams, subscriptions and webhooks, compared with what the naive
// interpreter says and with each other.
import { isDeepStrictEqual } from "node:util"
import { type FeedServer, openStream, type Stream, until } from "../../feed/open.ts"
import type { Hooks } from "../../support/database.ts"
import { type Receiver, startReceiver } from "../../webhooks/receiver.ts"
import type { Stored } from "./asking.ts"
import type { Evolved, Names } from "./services.ts"
import { type Body, type Changed, changesAt, type Entry, eventAt, eventId, recordAt } from "./told.ts"

export interface Difference {
  readonly what: string
  readonly expected: unknown
  readonly found: unknown
}

type Event = Body & { readonly id: string; readonly recordId: string; readonly kind: string }

/** Followers of one version. */
interface Follower {
  readonly at: number
  cursor: string
  /** Absent where pages alone are compared. */
  readonly live?: {
    readonly receiver: Receiver
    readonly stream: Stream
    readonly subscriptions: readonly Stream[]
  }
}

export interface Following {
  readonly evolved: Evolved
  readonly server: FeedServer
  readonly followers: readonly Follower[]
  /** Events and messages that were compared. */
  told: number
}

const headersOf = ({ versions }: Evolved, at: number): Record<string, string> => ({
  "content-type": "application/json",
  "api-version": versions[at]?.name ?? "",
})

async function pageAfter(
  { server }: Pick<Following, "server">,
  evolved: Evolved,
  { at, cursor }: Pick<Follower, "at" | "cursor">,
): Promise<{ readonly data: readonly Event[]; readonly page: { next: string; hasMore: boolean } }> {
  const answer = await fetch(`${server.url}/events?limit=100&after=${cursor}`, {
    headers: headersOf(evolved, at),
  })
  return (await answer.json()) as Awaited<ReturnType<typeof pageAfter>>
}

/** @param isLive with streams, subscriptions and webhooks */
export async function follow(
  hooks: Hooks,
  server: FeedServer,
  evolved: Evolved,
  isLive: boolean,
): Promise<Following> {
  const followers: Follower[] = []
  for (const at of evolved.versions.keys()) {
    const { page } = await pageAfter({ server }, evolved, { at, cursor: "now" })
    const cursor = page.next
    followers.push({
      at,
      cursor,
      ...(isLive && { live: await followLive(hooks, server, evolved, at, cursor) }),
    })
  }
  return { evolved, server, followers, told: 0 }
}

async function followLive(
  hooks: Hooks,
  server: FeedServer,
  evolved: Evolved,
  at: number,
  after: string,
): Promise<NonNullable<Follower["live"]>> {
  const headers = headersOf(evolved, at)
  const receiver = await startReceiver(hooks)
  const made = await fetch(`${server.url}/webhook-endpoints`, {
    method: "POST",
    headers: { ...headers, authorization: "Bearer role:staff" },
    body: JSON.stringify({ url: receiver.url, types: [], roles: ["staff"] }),
  })
  if (!made.ok) throw new Error(await made.text())
  const stream = await openStream(`${server.url}/events/stream?after=${after}`, "", headers)
  hooks.after(() => stream.cut())
  const names = evolved.names[at] as Names
  const members = (evolved.versions[at]?.members ?? []).map(({ name }) => name).join(" ")
  const subscriptions = await Promise.all(
    [
      [
        names.item,
        `id ${names.code} sku ${names.state} ${names.box} { id } ${at < evolved.widened ? "labelId" : ""} ${members}`,
      ],
      ["slot", `code ${members}`],
    ].map(async ([resource, selection]) => {
      const query = `subscription { changes: ${resource}Changes(after: "${after}") { cursor kind type recordId changedFields record: ${resource} { ${selection} } } }`
      const opened = await openStream(`${server.url}/graphql`, "", headers, JSON.stringify({ query }))
      hooks.after(() => opened.cut())
      return opened
    }),
  )
  return { receiver, stream, subscriptions }
}

type Tell = (difference: Difference) => void

const same = (tell: Tell, what: string, expected: unknown, found: unknown): void => {
  if (!isDeepStrictEqual(found, expected)) tell({ what, expected, found })
}

const changesByName = (changes: unknown): Readonly<Record<string, Changed>> =>
  Object.fromEntries(
    ((changes ?? []) as readonly (Changed & { readonly field: string })[]).map(({ field, from, to }) => [
      field,
      { from, to },
    ]),
  )

/** Compares what came since the last time with the entries of since then. @param records as they are now, by id */
export async function compareTold(
  following: Following,
  entries: readonly Entry[],
  records: ReadonlyMap<string, Stored>,
  tell: Tell,
): Promise<void> {
  const { evolved, followers } = following
  const events: (readonly Event[])[] = []
  for (const follower of followers) events.push(await newEvents(following, follower))
  const newest = events.at(-1) ?? []
  const matched = match(evolved, newest, entries, records, tell)
  for (const { at, live } of followers) {
    const name = evolved.versions[at]?.name
    const own = events[at] ?? []
    same(
      tell,
      `${name}: ids of events`,
      newest.map(({ id }) => id),
      own.map(({ id }) => id),
    )
    for (const [index, event] of own.entries()) {
      following.told += 1
      const { id: _, at: time, version, ...rest } = event
      const { at: then, version: number } = newest[index] ?? ({} as Body)
      same(tell, `${name}: time and version of ${event.id}`, [then, number], [time, version])
      const entry = matched.get(event.id)
      const found = "changes" in rest ? { ...rest, changes: changesByName(rest["changes"]) } : rest
      if (entry) same(tell, `${name}: event`, eventAt(evolved, at, entry), found)
      else if (event.kind !== "DELETED") same(tell, `${name}: event of no change`, {}, found["changes"])
    }
    if (live) await compareLive(following, { at, live }, own, records, tell)
  }
}

async function newEvents(following: Following, follower: Follower): Promise<readonly Event[]> {
  const events: Event[] = []
  for (let isMore = true; isMore; ) {
    const { data, page } = await pageAfter(following, following.evolved, follower)
    events.push(...data)
    follower.cursor = page.next
    isMore = page.hasMore
  }
  return events
}

/** Entries by the id of their event: for each record in their order. Of records that are gone the last one alone is told. */
function match(
  evolved: Evolved,
  events: readonly Event[],
  entries: readonly Entry[],
  records: ReadonlyMap<string, Stored>,
  tell: Tell,
): ReadonlyMap<string, Entry> {
  const matched = new Map<string, Entry>()
  const newest = evolved.versions.length - 1
  const isChange = (entry: Entry): boolean =>
    !entry.after || !entry.before || Object.keys(changesAt(evolved, newest, entry)).length > 0
  for (const id of new Set([
    ...entries.map(({ record }) => eventId(record)),
    ...events.map((one) => one.recordId),
  ])) {
    const all = entries.filter(({ record }) => eventId(record) === id).filter(isChange)
    const own = records.has(id) ? all : all.filter(({ after }) => !after)
    const found = events.filter(
      ({ recordId, kind, changes }) =>
        recordId === id && (kind !== "UPDATED" || (changes as readonly unknown[]).length > 0),
    )
    if (own.length !== found.length && all.length > 0)
      tell({ what: `events of ${id}`, expected: own.map(({ record }) => record), found })
    for (const [index, { id: event }] of found.entries()) {
      const entry = own[index]
      if (entry) matched.set(event, entry)
    }
  }
  return matched
}

/** Each message is the event of the page; its record is as it is now where no later event of it is there. */
async function compareLive(
  following: Following,
  { at, live }: Required<Pick<Follower, "at" | "live">>,
  own: readonly Event[],
  records: ReadonlyMap<string, Stored>,
  tell: Tell,
): Promise<void> {
  const { evolved } = following
  const name = evolved.versions[at]?.name
  const last = new Map(own.map(({ id, recordId }) => [recordId, id]))
  const recordOf = ({ id, recordId }: Event): Body | null | undefined => {
    const record = records.get(recordId)
    if (!record) return null
    return last.get(recordId) === id ? recordAt(evolved, at, record) : undefined
  }
  const { receiver, stream, subscriptions } = live
  const messages = (): readonly Body[] =>
    receiver.received.map(({ body }) => body.data).filter(({ id }) => own.some((one) => one.id === id))
  const frames = (): readonly Body[] =>
    stream.frames.map(({ data }) => data).filter(({ id }) => own.some((one) => one.id === id))
  const results = (): readonly Body[] =>
    subscriptions.flatMap((one) =>
      one.frames.flatMap(({ data }) => {
        const payload = data as { data?: { changes?: Body } | null; errors?: unknown }
        const changes = payload.data?.changes
        if (!changes) return payload.errors ? [{ cursor: own[0]?.id, ...payload }] : []
        return own.some(({ id }) => id === changes["cursor"]) ? [changes] : []
      }),
    )
  try {
    await until(() => [messages, frames, results].every((of) => of().length >= own.length))
  } catch {
    const found = { messages: messages().length, frames: frames().length, results: results() }
    tell({ what: `${name}: messages of ${own.length} events`, expected: own, found })
    return
  }
  for (const event of own) {
    following.told += 3
    const frame = frames().find(({ id }) => id === event.id)
    same(tell, `${name}: stream`, event, frame)
    const { record, ...data } = messages().find(({ id }) => id === event.id) ?? {}
    same(tell, `${name}: webhook`, event, data)
    const now = recordOf(event)
    const { id: _, ...shownRecord } = (record ?? {}) as Body
    if (now !== undefined)
      same(tell, `${name}: record of a webhook`, now, record ? sorted(now, shownRecord) : null)
    const result = results().find(({ cursor }) => cursor === event.id) ?? {}
    compareResult({ evolved, at, event, now, result }, tell)
  }
}

/** In the order of members of the other. */
const sorted = (as: Body | null, of: Body): Body =>
  Object.fromEntries(
    [...new Set([...Object.keys(as ?? {}), ...Object.keys(of)])]
      .filter((name) => name in of)
      .map((name) => [name, of[name]]),
  )

interface Result {
  readonly evolved: Evolved
  readonly at: number
  readonly event: Event
  readonly now: Body | null | undefined
  readonly result: Body
}

function compareResult({ evolved, at, event, now, result }: Result, tell: Tell): void {
  const name = evolved.versions[at]?.name
  const names = evolved.names[at] as Names
  const { kind, type, recordId, changedFields, record } = result
  same(
    tell,
    `${name}: subscription`,
    [event.kind, event["type"], event.recordId, Object.keys(changesByName(event["changes"])).toSorted()],
    [kind, type, recordId, ((changedFields ?? []) as readonly string[]).toSorted()],
  )
  if (now === undefined) return
  const { id: _, [names.box]: box, ...rest } = (record ?? {}) as Body
  const found = "sku" in rest ? { ...rest, [`${names.box}Id`]: (box as Body | null)?.["id"] ?? null } : rest
  same(tell, `${name}: record of a subscription`, now, record ? sorted(now, found) : null)
}
