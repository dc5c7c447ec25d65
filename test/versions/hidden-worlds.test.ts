// Services of several versions whose changes and hidden members are drawn, each in two worlds that differ in hidden values only:
// what callers who do not see those write by any version, and read after it, is the same in both.
import assert from "node:assert/strict"
import { test } from "node:test"
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Answer, type Asking, plural, type Stored, tags } from "./old-writers/asking.ts"
import { valueFor } from "./old-writers/changes.ts"
import { doors } from "./old-writers/doors.ts"
import { rewriteLog } from "./old-writers/logged.ts"
import type { Item, Json, Member } from "./old-writers/naive.ts"
import { type Evolved, evolve, type Names } from "./old-writers/services.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const asked = process.env["BIFOLD_OLD_WRITERS"]
const drawn = Math.floor(Math.random() * 100_000)
const seeds = asked
  ? asked.split(",").map(Number)
  : full
    ? Array.from({ length: 50 }, (_, at) => drawn + at)
    : [3]
const writes = Number(process.env["BIFOLD_WRITES"] ?? (full ? 240 : 35))

interface World {
  readonly server: string
  readonly database: string
}

interface Worlds {
  readonly evolved: Evolved
  readonly all: readonly [World, World]
  /** Ids of the second world by those of the first. */
  readonly ids: Map<string, string>
  pairs: number
}

const id = /(itm|box|evt|evc)_[\w-]+/g

/** Without what is another text each time. */
const plain = (text: string): string =>
  text
    .replaceAll(id, "$1")
    .replaceAll(/"requestId":"[^"]*"/g, "request")
    .replaceAll(/"(version|at|next|prev|etag)":"(?:[^"\\]|\\.)*"/g, '"$1":"…"')

type Ask = (world: World, real: (text: string) => string) => Promise<Answer>

/** Asks both; gives the answer of the first. */
async function both(worlds: Worlds, what: string, ask: Ask): Promise<Answer> {
  const { all, ids } = worlds
  const first = await ask(all[0], (text) => text)
  const second = await ask(all[1], (text) => text.replaceAll(id, (one) => ids.get(one) ?? one))
  worlds.pairs += 1
  assert.equal(plain(second.text), plain(first.text), what)
  const others = second.text.match(id) ?? []
  for (const [at, one] of (first.text.match(id) ?? []).entries()) ids.set(one, others[at] ?? one)
  return first
}

type Headers = Readonly<Record<string, string>>

async function send(
  { server }: World,
  [method, path, body]: readonly [string, string, unknown],
  headers: Headers,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const answer = await fetch(`${server}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? {} : JSON.parse(text) }
}

const restOf =
  (method: string, path: string, body: unknown, headers: Headers): Ask =>
  async (world, real) => {
    const given = body === undefined ? undefined : JSON.parse(real(JSON.stringify(body)))
    const { status, body: told } = await send(world, [method, real(path), given], headers)
    return { done: status < 300, text: JSON.stringify([status, told]), body: told }
  }

const graphqlOf =
  (query: string, variables: object, headers: Headers): Ask =>
  async (world, real) => {
    const asked = JSON.parse(real(JSON.stringify({ query, variables })))
    const { body: told } = await send(world, ["POST", "/graphql", asked], headers)
    const [payload] = Object.values((told["data"] ?? {}) as Readonly<Record<string, object | null>>)
    const body = Object.values(payload ?? {}).find((one) => typeof one === "object")
    return { done: !told["errors"], text: JSON.stringify(told), body }
  }

const headersOf = ({ evolved }: Worlds, at: number): Headers => ({
  "api-version": evolved.versions[at]?.name ?? "",
})

const askingOf = (worlds: Worlds, at: number, what: string): Pick<Asking, "rest" | "graphql"> => ({
  rest: (method, path, body, headers) =>
    both(worlds, what, restOf(method, path, body, { ...headersOf(worlds, at), ...headers })),
  graphql: (query, variables) => both(worlds, what, graphqlOf(query, variables, headersOf(worlds, at))),
})

const drawValue = (random: Random, member: Member): Json =>
  member.optional && random.oneIn(4) ? null : valueFor(random, member)

/** Values of members in each world: those that are not seen are others. */
function drawValues(
  random: Random,
  members: readonly Member[],
  isSame: (name: string) => boolean,
): [Item, Item] {
  const drawn = members.map((member) => {
    const [one, other] = [drawValue(random, member), drawValue(random, member)]
    return [member.name, one, isSame(member.name) ? one : other] as const
  })
  return [
    Object.fromEntries(drawn.map(([name, one]) => [name, one])),
    Object.fromEntries(drawn.map(([name, , other]) => [name, other])),
  ]
}

/** A record of the newest version. One in two was made by an earlier declaration, as the log has it. */
async function arrange(worlds: Worlds, code: string, random: Random): Promise<Stored> {
  const { evolved, all, ids } = worlds
  const newest = evolved.versions.length - 1
  const names = evolved.names[newest] as Names
  const membersAt = (at: number): readonly Member[] => evolved.versions[at]?.members ?? []
  const values = drawValues(random, membersAt(newest), (name) => !evolved.hidden.has(name))
  const at = random.between(0, newest - 1)
  const former = drawValues(random, membersAt(at), (name) => isLogged(evolved, at, name))
  const isFormer = random.oneIn(2)
  const made: string[] = []
  for (const [index, world] of all.entries()) {
    const input = { [names.code]: code, sku: `s${code}`, ...values[index] }
    const { body } = await send(world, ["POST", `/${plural(names)}`, input], {})
    assert.ok(typeof body["id"] === "string", JSON.stringify(body))
    made.push(body["id"])
    if (!isFormer) continue
    const current = new Set(membersAt(newest).map(({ name }) => name))
    const rewritten = await rewriteLog(world.database, (entry) => {
      if (!entry.new || !made[index]?.endsWith(entry.record)) return entry
      const others = Object.entries(entry.new).filter(([name]) => !current.has(name))
      return { ...entry, new: { ...Object.fromEntries(others), ...former[index] } }
    })
    assert.equal(rewritten, 1)
  }
  const [first = "", second = ""] = made
  ids.set(first, second)
  return {
    resource: "item",
    code,
    sku: `s${code}`,
    id: first,
    item: values[0],
    box: null,
    state: names.open,
    labels: [],
  }
}

/** Each version's record with its history by both faces, and the last events. */
async function compareReads(worlds: Worlds, { id: of }: Stored, what: string): Promise<void> {
  const { evolved } = worlds
  for (const at of evolved.versions.keys()) {
    const names = evolved.names[at] as Names
    const members = (evolved.versions[at]?.members ?? [])
      .map(({ name }) => name)
      .filter((name) => isSeen(evolved, at, name))
    const headers = headersOf(worlds, at)
    await both(
      worlds,
      `${what}: read`,
      restOf("GET", `/${plural(names)}/${of}?include=history`, undefined, headers),
    )
    const query = `{ ${names.item}(id: "${of}") { ${names.code} ${members.join(" ")} history(last: 3) { nodes { type input changes } } } }`
    await both(worlds, `${what}: read`, graphqlOf(query, {}, headers))
  }
}

/** What a version may select, as far as hidden members are. */
function isSeen({ versions, hidden }: Evolved, at: number, name: string): boolean {
  const step = versions[at]?.steps.find(({ before }) => before.includes(name))
  if (step)
    return (step.from ?? step.after).every((one) => isSeen({ versions, hidden } as Evolved, at + 1, one))
  return at < versions.length - 1 ? isSeen({ versions, hidden } as Evolved, at + 1, name) : !hidden.has(name)
}

/** Whether callers who do not see hidden members see the values that the log has of a member of before. */
function isLogged({ versions, hidden }: Evolved, at: number, name: string): boolean {
  const step = versions[at]?.steps.find(({ before }) => before.includes(name))
  if (at === versions.length - 1) return !hidden.has(name)
  const places = step ? (step.after.length > 0 ? step.after : (step.from ?? [])) : [name]
  return places.length > 0 && places.every((one) => isLogged({ versions, hidden } as Evolved, at + 1, one))
}

async function openWorld(
  hooks: Hooks,
  database: (typeof dialects)[number],
  { declared }: Evolved,
): Promise<World> {
  const model = load(withSystem(declared))
  const url = await openDatabase(hooks, database, model)
  const identify = withVersions(() => actorFromText(model, "anyone"), model)
  const server = await openServer(hooks, url, model, {}, { identify })
  const world = { server: server.url, database: url }
  for (const tag of tags) await send(world, ["POST", "/tags", { word: tag.slice(4) }], {})
  return world
}

for (const database of dialects)
  for (const seed of seeds)
    test(`worlds of service ${seed} on ${database}`, async (context) => {
      const evolved = evolve(seed, { hides: true })
      const hooks = cleanUp((end) => context.after(end))
      const first = await openWorld(hooks, database, evolved)
      const second = await openWorld(hooks, database, evolved)
      const worlds: Worlds = { evolved, all: [first, second], ids: new Map(), pairs: 0 }
      const random = seeded(seed * 37 + 1)
      let records: readonly Stored[] = []
      let made = 0
      const fresh = (): string => `c${++made}`
      const all = Object.entries(doors)
      for (let turn = 0; turn < writes; turn += 1) {
        if (records.length < 3) records = [...records, await arrange(worlds, fresh(), random)]
        const at = random.between(0, evolved.versions.length - 1)
        const [door, ask] = all[turn % all.length] as (typeof all)[number]
        const what = `service ${seed}, write ${turn}, ${door} by ${evolved.versions[at]?.name}`
        const tried = await ask({ evolved, at, random, records, fresh, ...askingOf(worlds, at, what) })
        if (!tried) continue
        if (tried.answer.done)
          for (const { code, isGone, state } of tried.left ?? [])
            records = records
              .filter((one) => one.code !== code || !isGone)
              .map((one) => (one.code === code && state ? { ...one, state } : one))
        const [record] = random.shuffle(records)
        if (record) await compareReads(worlds, record, what)
        if (turn % 10 === 9)
          for (const version of evolved.versions.keys())
            await both(
              worlds,
              `${what}: events`,
              restOf("GET", "/events?limit=100", undefined, headersOf(worlds, version)),
            )
        // Values that were written since are the same in both.
        if (turn % 5 === 4) records = records.slice(1)
      }
      context.diagnostic(`${worlds.pairs} pairs, ${evolved.hidden.size} hidden members`)
    })
