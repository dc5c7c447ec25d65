// An older client repeats the value that it was shown: a record whose today's value has another one in its place keeps it, in
// each form of a write, on both databases and by both faces.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, many, one, resource, service, withCode } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const allow = { read: anyone, create: anyone, delete: anyone }
const older = "2026-01-01"

const changesOf = (of: string) => [
  { added: `${of}.rating.odd` },
  { added: `${of}.mood.new` },
  { renamed: `${of}.mood.fine`, to: "good" },
  { added: `${of}.labels.green` },
  { added: `${of}.channel.phone`, as: "store" },
  { renamed: `${of}.channel.store`, to: "shop" },
  {
    changed: `${of}.level`,
    was: { active: f.boolean({ default: false }) },
    reads: { active: { if: { when: { level: { eq: "on" } }, give: true, else: false } } },
    writes: {
      level: { if: { when: { active: { eq: true } }, give: { value: "on" }, else: { value: "off" } } },
    },
  },
]

const fields = {
  code: f.text({ unique: true }),
  channel: f.oneOf(["web", "shop", "phone"], { default: "web" }),
  level: f.oneOf(["on", "off", "paused"], { default: "off" }),
  origin: f.oneOf(["web", "shop", "phone"], { default: "web", immutable: true }),
  note: f.text({ optional: true }),
  rating: f.oneOf(["high", "low", "odd"], { optional: true }),
  mood: f.oneOf(["good", "bad", "new"], { optional: true }),
  labels: f.list(f.oneOf(["red", "blue", "green"]), { optional: true }),
  sort: f.oneOf(["plain", "rare"], { optional: true, immutable: true }),
}

const plain = service({
  name: "things",
  versions: {
    "2026-09-01": [
      ...changesOf("thing"),
      { added: "thing.origin.phone", as: "shop" },
      { added: "thing.sort.rare" },
      { added: "deal.channel.phone", as: "shop" },
    ],
    [older]: [],
  },
  resources: {
    box: resource({
      id: "box",
      fields: { name: f.text() },
      relations: { things: many("thing", { by: "box" }) },
      allow: { ...allow, update: anyone },
    }),
    /** Own code is told of its changes. */
    deal: resource({
      id: "dea",
      fields: { channel: fields.channel, told: f.text({ default: "" }) },
      allow: { ...allow, update: anyone },
    }),
    thing: resource({
      id: "thg",
      history: true,
      fields,
      relations: { box: one("box", { optional: true }) },
      allow: { ...allow, update: anyone },
    }),
  },
} as unknown as Parameters<typeof service>[0])

const declared = withCode(plain, {
  before: {
    deal: { update: ({ input }: { readonly input: object }) => ({ told: Object.keys(input).join() }) },
  },
} as never)

type Json = Readonly<Record<string, unknown>>

test("values of lists are not renamed, and have no others in their place", () => {
  for (const change of [
    { renamed: "box.labels.crimson", to: "red" },
    { added: "box.labels.red", as: "blue" },
  ]) {
    const labels = f.list(f.oneOf(["red", "blue"]))
    const box = resource({ id: "box", fields: { labels }, allow } as never)
    const versions = { "2026-09-01": [change], [older]: [] }
    assert.throws(
      () => load(service({ name: "boxes", versions, resources: { box } } as never)),
      /The values of BoxLabels cannot .*: "labels" is a list of them, which versions do not change/,
    )
  }
})

for (const database of ["sqlite", "postgres"] as const)
  describe(`values that an older client repeats on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared))
    const url = await openDatabase(hooks, database, model)
    const server = await openServer(
      hooks,
      url,
      model,
      {},
      { identify: withVersions(() => strangerTo(model), model) },
    )
    const send = async (version: string, method: string, path: string, body?: unknown, type?: string) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          "content-type": type ?? "application/json",
          "api-version": version,
          prefer: "max-affected=9",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      const json = (text === "" ? {} : JSON.parse(text)) as Json
      const errors = (json["errors"] ?? []) as readonly Json[]
      const isUnrepresentable = errors.every(({ code }) => code === "unrepresentable_value")
      assert.ok(answered.status < 300 && isUnrepresentable, `${method} ${path} ${answered.status} ${text}`)
      return json
    }
    const old = (method: string, path: string, body?: unknown, type?: string) =>
      send(older, method, path, body, type)
    const newest = "2026-09-01"
    const ask = (query: string, variables: Json) => old("POST", "/graphql", { query, variables })
    let count = 0
    const today = {
      channel: "phone",
      level: "paused",
      origin: "phone",
      rating: "odd",
      mood: "new",
      labels: ["red", "green"],
      sort: "rare",
    }
    const make = async () =>
      (await send(newest, "POST", "/things", { code: `c${++count}`, ...today })) as {
        readonly id: string
        readonly code: string
      }
    const shown = { channel: "store", active: false, rating: null, mood: null, labels: null }
    const now = async (id: unknown) => {
      const { channel, level, origin, rating, mood, labels, sort } = await send(
        newest,
        "GET",
        `/things/${id}`,
      )
      return { channel, level, origin, rating, mood, labels, sort }
    }
    type Thing = Awaited<ReturnType<typeof make>>

    /** Ways to give an older version's values to a record that is there. */
    const ways: Readonly<Record<string, (thing: Thing, input: Json) => Promise<unknown>>> = {
      PATCH: ({ id }, input) => old("PATCH", `/things/${id}`, input),
      "a merge patch": ({ id }, input) =>
        old("PATCH", `/things/${id}`, input, "application/merge-patch+json"),
      "JSON Patch": ({ id }, input) =>
        old(
          "PATCH",
          `/things/${id}`,
          Object.entries(input).map(([name, value]) => ({ op: "replace", path: `/${name}`, value })),
          "application/json-patch+json",
        ),
      "a PUT": ({ id, code }, input) => old("PUT", `/things/${id}`, { code, ...input }),
      "a PUT by a key": ({ code }, input) =>
        old("PUT", `/things/code=${code}`, { origin: "shop", sort: null, ...input }),
      "an update of GraphQL": ({ id }, input) =>
        ask(
          "mutation ($id: ID!, $input: ThingUpdateInput!) { updateThing(id: $id, input: $input) { thing { id } } }",
          { id, input },
        ),
      "an upsert of GraphQL": ({ code }, input) =>
        ask(
          "mutation ($code: String!, $input: ThingUpsertByCodeInput!) { upsertThingByCode(code: $code, input: $input) { thing { id } } }",
          { code, input: { origin: "shop", sort: null, ...input } },
        ),
      "an update of several": ({ code }, input) => old("PATCH", `/things?filter[code]=${code}`, input),
      "a nested update": async ({ id }, input) => {
        const box = await old("POST", "/boxes", { name: "b", things: { link: [id] } })
        await old("PATCH", `/boxes/${box["id"]}`, { things: { update: [{ id, input }] } })
      },
      "a batch": ({ id }, input) =>
        old("POST", "/batch", { requests: [{ method: "PATCH", path: `/things/${id}`, body: input }] }),
    }

    for (const [way, write] of Object.entries(ways))
      test(`${way} that repeats changes nothing, and one that gives another value does`, async () => {
        const thing = await make()
        await write(thing, shown)
        assert.deepEqual(await now(thing.id), today)
        const read = await old("GET", `/things/${thing.id}`)
        assert.deepEqual([read["channel"], read["active"], read["origin"]], ["store", false, "shop"])
        const log = (await send(newest, "GET", `/things/${thing.id}/history`))["data"] as readonly Json[]
        const fields = log
          .slice(1)
          .flatMap((entry) => (entry["changes"] as readonly Json[]).map((one) => one["field"]))
        assert.deepEqual(
          fields.filter((name) => name !== "boxId" && name !== "box"),
          [],
        )
        await write(thing, { channel: "web", active: true, rating: "low", mood: "fine", labels: ["blue"] })
        const own = { origin: "phone", sort: "rare" }
        const others = { channel: "web", level: "on", rating: "low", mood: "good", labels: ["blue"] }
        assert.deepEqual(await now(thing.id), { ...own, ...others })
        await write(thing, shown)
        const repeated = { channel: "shop", level: "off", rating: null, mood: null, labels: null }
        assert.deepEqual(await now(thing.id), { ...own, ...repeated })
        const last = (
          (await send(newest, "GET", `/things/${thing.id}/history`))["data"] as readonly Json[]
        ).at(-1)
        assert.deepEqual(
          ((last?.["changes"] ?? []) as readonly Json[]).map(({ field, to }) => [field, to]).sort(),
          [
            ["channel", "shop"],
            ["labels", null],
            ["level", "off"],
            ["mood", null],
            ["rating", null],
          ],
        )
      })

    test("a record that is read and put back is as it was", async () => {
      const { id } = await make()
      const read = await old("GET", `/things/${id}?fields=code,channel,active,note,rating,mood,labels`)
      assert.deepEqual([read["rating"], read["mood"]], [null, null])
      await old("PUT", `/things/${id}`, read)
      assert.deepEqual(await now(id), today)
    })

    test("a new record has the version's own value", async () => {
      const { id } = await old("POST", "/things", {
        code: "new",
        channel: "store",
        active: false,
        origin: "shop",
      })
      assert.deepEqual(await now(id), {
        ...{ channel: "shop", level: "off", origin: "shop" },
        ...{ rating: null, mood: null, labels: null, sort: null },
      })
    })

    test("own code is not told of a value that stays", async () => {
      const { id } = await send(newest, "POST", "/deals", { channel: "phone" })
      const patched = async (channel: string) => {
        await old("PATCH", `/deals/${id}`, { channel })
        const { channel: stored, told } = await send(newest, "GET", `/deals/${id}`)
        return [stored, told]
      }
      assert.deepEqual(await patched("shop"), ["phone", ""])
      assert.deepEqual(await patched("web"), ["web", "channel"])
      assert.deepEqual(await patched("shop"), ["shop", "channel"])
    })

    test("fails nowhere", () => assert.deepEqual(server.observed, []))
  })
