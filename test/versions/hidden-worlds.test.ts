// Services of several versions whose changes and hidden members are drawn, each in two worlds that differ in hidden values only:
// what callers who do not see those write by any version, and read after it, is the same in both.
import assert from "node:assert/strict"
import { test } from "node:test"
import { seeded } from "../../examples/storefront/random.ts"
import { startService } from "../../src/testing/start-service.ts"
import { type Answer, type Asking, plural, type Stored } from "./old-writers/asking.ts"
import { valueFor } from "./old-writers/changes.ts"
import { doors } from "./old-writers/doors.ts"
import type { Item, Json } from "./old-writers/naive.ts"
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

type Kit = Awaited<ReturnType<typeof startService>>

interface Worlds {
  readonly evolved: Evolved
  readonly kits: readonly [Kit, Kit]
  /** Ids of the second world by those of the first. */
  readonly ids: Map<string, string>
  pairs: number
}

const id = /(itm|box|evt|evc)_[\w-]+/g

/** Without what is another text each time. */
const plain = (text: string): string =>
  text
    .replaceAll(id, "$1")
    .replaceAll(/test-\d+/g, "test")
    .replaceAll(/"(version|at|next|prev|etag)":"(?:[^"\\]|\\.)*"/g, '"$1":"…"')

type Ask = (kit: Kit, real: (text: string) => string) => Promise<Answer>

/** Asks both; gives the answer of the first. */
async function both(worlds: Worlds, what: string, ask: Ask): Promise<Answer> {
  const { kits, ids } = worlds
  const first = await ask(kits[0], (text) => text)
  const second = await ask(kits[1], (text) => text.replaceAll(id, (one) => ids.get(one) ?? one))
  worlds.pairs += 1
  assert.equal(plain(second.text), plain(first.text), what)
  const others = second.text.match(id) ?? []
  for (const [at, one] of (first.text.match(id) ?? []).entries()) ids.set(one, others[at] ?? one)
  return first
}

type Headers = Readonly<Record<string, string>>

const restOf =
  (method: string, path: string, body: unknown, headers: Headers): Ask =>
  async (kit, real) => {
    const given = body === undefined ? undefined : JSON.parse(real(JSON.stringify(body)))
    const { status, body: told } = await kit.anyone.rest(method, real(path), given, headers)
    return { done: status < 300, text: JSON.stringify([status, told]), body: told }
  }

const graphqlOf =
  (query: string, variables: object, headers: Headers): Ask =>
  async (kit, real) => {
    const { data, errors } = await kit.anyone.graphql<Record<string, Record<string, unknown> | null>>(
      real(query),
      JSON.parse(real(JSON.stringify(variables))),
      headers,
    )
    const [payload] = Object.values(data ?? {})
    const body = Object.values(payload ?? {}).find((one) => typeof one === "object")
    return { done: errors.length === 0, text: JSON.stringify([data, errors]), body }
  }

const headersOf = ({ evolved }: Worlds, at: number): Headers => ({
  "api-version": evolved.versions[at]?.name ?? "",
})

const askingOf = (worlds: Worlds, at: number, what: string): Pick<Asking, "rest" | "graphql"> => ({
  rest: (method, path, body, headers) =>
    both(worlds, what, restOf(method, path, body, { ...headersOf(worlds, at), ...headers })),
  graphql: (query, variables) => both(worlds, what, graphqlOf(query, variables, headersOf(worlds, at))),
})

/** A record of the newest version, with the same values in both worlds, but for hidden members. */
async function arrange(worlds: Worlds, code: string, random: ReturnType<typeof seeded>): Promise<Stored> {
  const { evolved, kits, ids } = worlds
  const names = evolved.names.at(-1) as Names
  const values = (): Item =>
    Object.fromEntries(
      (evolved.versions.at(-1)?.members ?? []).map((member): [string, Json] => [
        member.name,
        member.optional && random.oneIn(4) ? null : valueFor(random, member),
      ]),
    )
  const item = values()
  const hidden = Object.entries(values()).filter(([name]) => evolved.hidden.has(name))
  const made = await Promise.all(
    [item, { ...item, ...Object.fromEntries(hidden) }].map((input, at) =>
      (kits[at] as Kit).everybody.rest<{ id: string }>("POST", `/${plural(names)}`, {
        [names.code]: code,
        sku: `s${code}`,
        ...input,
      }),
    ),
  )
  const [first = "", second = ""] = made.map(({ body }) => body.id)
  assert.ok(first && second, JSON.stringify(made))
  ids.set(first, second)
  return { resource: "item", code, sku: `s${code}`, id: first, item, box: null, state: names.open }
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

for (const database of ["sqlite", process.env["BIFOLD_TEST_POSTGRES"] ?? ""])
  for (const seed of seeds)
    test(`worlds of service ${seed} on ${database === "sqlite" ? database : "postgres"}`, async (context) => {
      const evolved = evolve(seed, { hides: true })
      const open = (): Promise<Kit> => startService(evolved.declared, { database })
      await using first = await open()
      await using second = await open()
      const worlds: Worlds = { evolved, kits: [first, second], ids: new Map(), pairs: 0 }
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
