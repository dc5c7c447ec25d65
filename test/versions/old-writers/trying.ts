// One service asked by all its versions: writes, and what every version reads after each.
import { isDeepStrictEqual } from "node:util"
import { seeded } from "../../../examples/storefront/random.ts"
import { actorFromText } from "../../../src/access/identity/actor-text.ts"
import { withVersions } from "../../../src/access/identity/identify.ts"
import { load } from "../../../src/model/load.ts"
import { withSystem } from "../../../src/model/system/with-system.ts"
import { strangerTo } from "../../../src/plan/access/actor.ts"
import { type FeedServer, openDatabase, openServer } from "../../feed/open.ts"
import type { Hooks } from "../../support/database.ts"
import type { Database } from "../../support/open-service.ts"
import { type Answer, type Asking, type Left, plural, type Stored, type Tried, tags } from "./asking.ts"
import { doors } from "./doors.ts"
import { compareTold, type Difference, follow } from "./following.ts"
import { readLog, rewriteLog, withFormerValues } from "./logged.ts"
import { type Json, shown } from "./naive.ts"
import type { Evolved, Names } from "./services.ts"
import { type Body, type Changed, changesAt, type Entry, eventId, recordAt } from "./told.ts"

export interface Outcome {
  readonly writes: number
  readonly refused: number
  readonly reads: number
  /** Events and messages that were compared. */
  readonly told: number
  readonly differences: readonly Difference[]
  /** Writes by door and kind of change. */
  readonly covered: ReadonlyMap<string, number>
}

interface Trying {
  readonly evolved: Evolved
  readonly server: FeedServer
  readonly differences: Difference[]
  reads: number
}

interface Sent {
  readonly status: number
  readonly body: Body
}

async function send(
  { evolved, server }: Trying,
  at: number,
  [method, path, body]: readonly [string, string, unknown?],
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      "api-version": evolved.versions[at]?.name ?? "",
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? {} : JSON.parse(text) }
}

interface Payload {
  readonly data?: Readonly<Record<string, Body | null>> | null
  readonly errors?: unknown
}

const askingOf = (trying: Trying, at: number): Pick<Asking, "rest" | "graphql"> => ({
  async rest(method, path, body, headers): Promise<Answer> {
    const { status, body: told } = await send(trying, at, [method, path, body], headers)
    return { done: status < 300, text: JSON.stringify(told), body: told }
  },
  async graphql(query, variables): Promise<Answer> {
    const { body } = await send(trying, at, ["POST", "/graphql", { query, variables }])
    const { data, errors } = body as Payload
    const [payload] = Object.values(data ?? {})
    const [record] = Object.values(payload ?? {}).filter((one) => typeof one === "object")
    return { done: !errors, text: JSON.stringify(errors ?? data), body: record }
  },
})

/** What a version reads of a record, with its last entry. */
async function read(trying: Trying, at: number, record: Stored, face: number): Promise<Body> {
  const { evolved } = trying
  const names = evolved.names[at] as Names
  trying.reads += 1
  const isSlot = record.resource === "slot"
  const isListed = !isSlot && at >= evolved.widened
  if (face % 2 === 0) {
    const path = isSlot ? `/slots/${record.code}` : `/${plural(names)}/${record.id}`
    const page = `include=${isListed ? "labels," : ""}history&include[history][from]=end&include[history][limit]=1`
    const { status, body } = await send(trying, at, ["GET", `${path}?${page}`])
    if (status === 404) return {}
    const { id: _, history, labels, ...rest } = body
    const [last] = (history as { data?: readonly Body[] } | undefined)?.data ?? []
    const listed = (labels as { data?: readonly Body[] } | undefined)?.data
    return { ...rest, ...(isListed && { labels: idsOf(listed) }), last: toldOf(last) }
  }
  const members = (evolved.versions[at]?.members ?? []).map(({ name }) => name).join(" ")
  const own = isSlot
    ? "code"
    : `${names.code} sku ${names.state} ${names.box} { id } ${isListed ? "labels(first: 9) { nodes { id } }" : "labelId"}`
  const root = isSlot ? "slot" : names.item
  const id = isSlot ? record.code : record.id
  const query = `{ found: ${root}(id: "${id}") { ${members} ${own} history(last: 1) { nodes { changes } } } }`
  const { body } = await send(trying, at, ["POST", "/graphql", { query }])
  const { data, errors } = body as Payload
  if (!data?.["found"]) return errors ? { errors } : {}
  const { history, ...rest } = data["found"]
  const [last] = (history as { nodes: readonly Body[] }).nodes
  if (isSlot) return { ...rest, last: toldOf(last) }
  const { [names.box]: box, labels, ...others } = rest
  return {
    ...others,
    [`${names.box}Id`]: (box as { id: string } | null)?.id ?? null,
    ...(isListed && { labels: idsOf((labels as { nodes?: readonly Body[] } | undefined)?.nodes) }),
    last: toldOf(last),
  }
}

const idsOf = (records: readonly Body[] = []): readonly unknown[] =>
  records.map((one) => one["id"]).toSorted()

const sorted = (of: Body): Body =>
  Object.fromEntries(Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** An entry's changes by member. */
const toldOf = (entry: Body | undefined): Body =>
  Object.fromEntries(
    ((entry?.["changes"] ?? []) as readonly (Changed & { readonly field: string })[]).map(
      ({ field, from, to }) => [field, { from, to }],
    ),
  )

/** Compares what every version reads; gives the record as the newest has it. */
async function compare(
  trying: Trying,
  { entry, what, turn }: { readonly entry: Entry; readonly what: string; readonly turn: number },
): Promise<Stored> {
  const { evolved, differences } = trying
  const { record, before, after } = entry
  let stored = record
  const isChanged = Object.keys(changesAt(evolved, evolved.versions.length - 1, entry)).length > 0 || !before
  for (const [at, { name }] of evolved.versions.entries()) {
    const { last = {}, ...found } = await read(trying, at, record, turn + at)
    const isListed = after?.resource === "item" && at >= evolved.widened
    const expected = { ...(after && recordAt(evolved, at, after)), ...(isListed && { labels: after.labels }) }
    if (!isDeepStrictEqual(sorted(found), sorted(expected)))
      differences.push({ what: `${what}: ${name} reads`, ...onlyDifferent(expected, found) })
    const changes = changesAt(evolved, at, entry)
    if (after && isChanged && !isDeepStrictEqual(sorted(last as Body), sorted(changes)))
      differences.push({ what: `${what}: ${name} history`, ...onlyDifferent(changes, last as Body) })
    if (at === evolved.versions.length - 1) stored = { ...record, ...truthOf(evolved, record, found) }
  }
  return stored
}

/** After a difference the store goes on with what is stored. */
function truthOf(
  evolved: Evolved,
  { item, box, labels }: Stored,
  found: Body,
): Pick<Stored, "item" | "box" | "labels"> {
  const names = evolved.names.at(-1) as Names
  const own = Object.keys(item).map((name) => [name, (found[name] ?? null) as Json])
  return {
    item: Object.fromEntries(own),
    box: (found[`${names.box}Id`] ?? box ?? null) as string | null,
    labels: (found["labels"] as readonly string[] | undefined) ?? labels,
  }
}

function onlyDifferent(expected: Body, found: Body): { readonly expected: Body; readonly found: Body } {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].filter(
    (name) => !isDeepStrictEqual(expected[name], found[name]),
  )
  const only = (of: Body): Body =>
    Object.fromEntries(names.filter((name) => name in of).map((name) => [name, of[name]]))
  return { expected: only(expected), found: only(found) }
}

async function idOf(trying: Trying, { code }: Left): Promise<string> {
  const { evolved } = trying
  const at = evolved.versions.length - 1
  const names = evolved.names[at] as Names
  const { body } = await send(trying, at, ["GET", `/${plural(names)}/${names.code}=${code}?fields=id`])
  return (body["id"] as string | undefined) ?? "absent"
}

/** The answer of a write has the record as its version reads it. */
function compareAnswer(
  trying: Trying,
  at: number,
  { answer }: Tried,
  left: readonly Left[],
  what: string,
): void {
  const [first] = left
  const { evolved, differences } = trying
  const body = answer.body as Body | undefined
  const members = evolved.versions[at]?.members ?? []
  if (left.length > 1 || !first || !body || !members.some(({ name }) => name in body)) return
  const expected = shown(evolved.versions, at, first.now)
  const found = Object.fromEntries(members.map(({ name }) => [name, body[name]]))
  if (!isDeepStrictEqual(found, expected))
    differences.push({ what: `${what}: answer`, ...onlyDifferent(expected, found) })
}

/** Each write counts once for a kind, and once for a kind, a door and a way of giving. */
function cover(
  evolved: Evolved,
  at: number,
  door: string,
  { inputs, input: whole }: Tried,
  covered: Map<string, number>,
): void {
  const keys = new Set<string>()
  for (const { kind, before } of evolved.changes.slice(at).flat()) {
    keys.add(kind)
    for (const input of inputs)
      for (const name of before.length === 0 ? [""] : before) {
        const member = evolved.versions[at]?.members.find((one) => one.name === name)
        if (!member && before.length > 0) continue
        const how = !(name in input)
          ? member?.preset === undefined
            ? "omitted"
            : "defaulted"
          : input[name] === null
            ? "null"
            : "given"
        keys.add(`${kind} ${door} ${how}`)
      }
  }
  if (evolved.names[at]?.keyOf("a") !== "a") keys.add("changedKey").add(`changedKey ${door} given`)
  if (JSON.stringify(whole)?.includes("labelId")) keys.add("widened").add(`widened ${door} given`)
  for (const key of keys) covered.set(key, (covered.get(key) ?? 0) + 1)
}

export interface Wanted {
  readonly evolved: Evolved
  readonly database: Database
  readonly writes: number
  /** Streams, subscriptions and webhooks of each version are compared after each write. */
  readonly isLive: boolean
}

/** So many writes, each read by every version. */
export async function tryService(
  hooks: Hooks,
  { evolved, database, writes, isLive }: Wanted,
): Promise<Outcome> {
  const model = load(withSystem(evolved.declared))
  const identify = withVersions(
    ({ authorization }) =>
      authorization === undefined
        ? strangerTo(model)
        : actorFromText(model, authorization.replace("Bearer ", "")),
    model,
  )
  const url = await openDatabase(hooks, database, model)
  const server = await openServer(hooks, url, model, { dialer: { networks: "any" } }, { identify })
  const random = seeded(evolved.seed * 31 + 5)
  const trying: Trying = { evolved, server, differences: [], reads: 0 }
  for (const tag of tags)
    await send(trying, evolved.versions.length - 1, ["POST", "/tags", { word: tag.slice(4) }])
  const following = await follow(hooks, server, evolved, isLive)
  const records = new Map<string, Stored>()
  const covered = new Map<string, number>()
  let [made, done, refused] = [0, 0, 0]
  let entries: Entry[] = []
  const all = Object.entries(doors)
  const tell = (what: string): Promise<void> => {
    const told = entries
    entries = []
    const byId = new Map([...records.values()].map((record) => [eventId(record), record]))
    return compareTold(following, told, byId, (difference) =>
      trying.differences.push({ ...difference, what: `${what}: ${difference.what}` }),
    )
  }
  for (let turn = 0; turn < writes; turn += 1) {
    const at = random.between(0, evolved.versions.length - 1)
    const [door, ask] = all[turn % all.length] as (typeof all)[number]
    const recent = [...records.values()].slice(-20)
    const fresh = (): string => `c${++made}`
    const tried = await ask({ evolved, at, random, records: recent, fresh, ...askingOf(trying, at) })
    if (!tried) continue
    done += 1
    cover(evolved, at, door, tried, covered)
    const { answer, left, input } = tried
    const what = `service ${evolved.seed} on ${database}, write ${turn}, ${door} by ${evolved.versions[at]?.name} ${JSON.stringify(input)}`
    if (answer.done !== (left !== undefined))
      trying.differences.push({
        what,
        expected: left ? "done" : "refused",
        found: answer.done ? "done" : answer.text,
      })
    if (!left) refused += 1
    if (!left || !answer.done) continue
    compareAnswer(trying, at, tried, left, what)
    for (const [index, one] of left.entries()) {
      const key = `${one.resource} ${one.code}`
      const entry = await entryOf(trying, one, records.get(key))
      entries.push(entry)
      if (entry.after) records.set(key, entry.after)
      else records.delete(key)
      const isLast = !left.slice(index + 1).some(({ code }) => code === one.code)
      const stored = isLast && (await compare(trying, { entry, what, turn }))
      if (stored && entry.after) records.set(key, stored)
    }
    if (isLive || turn % 10 === 9) await tell(what)
  }
  await tell(`service ${evolved.seed} on ${database}, at the end`)
  const look = () =>
    readLog(evolved, [...records.values()].slice(-3), async (at, path) => {
      trying.reads += 1
      const { body } = await send(trying, at, ["GET", path])
      return body["data"] ?? body
    })
  const now = await look()
  const rewritten = await rewriteLog(url, withFormerValues(evolved, random))
  if (rewritten > 0) covered.set("formerValue", rewritten)
  for (const [what, found] of await look())
    if (!isDeepStrictEqual(found, now.get(what)))
      trying.differences.push({ what: `${what}, by former values`, expected: now.get(what), found })
  const { reads, differences } = trying
  return { writes: done, refused, reads, told: following.told, differences, covered }
}

async function entryOf(trying: Trying, left: Left, known: Stored | undefined): Promise<Entry> {
  const { resource, code, sku, now, move, isGone } = left
  const newest = trying.evolved.names.at(-1) as Names
  const record: Stored = {
    resource,
    code,
    sku,
    id: known?.id ?? (resource === "slot" ? code : await idOf(trying, left)),
    item: now,
    box: left.box === undefined ? (known?.box ?? null) : left.box,
    state: left.state ?? known?.state ?? newest.open,
    labels: left.labels ?? known?.labels ?? [],
  }
  return { record, before: known, after: isGone ? undefined : record, move }
}
