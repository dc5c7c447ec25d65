// Writes of changed fields by older versions: what they give is what today's record has, in each form of a write, on both
// databases and by both faces.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }
const older = "2026-01-01"

const fields = () => ({
  first: f.text({ default: "", max: 12 }),
  last: f.text({ default: "" }),
  price: f.decimal({ precision: 12, scale: 2, default: "0.00" }),
  tax: f.decimal({ precision: 12, scale: 2, default: "0.00" }),
  channel: f.oneOf(["web", "shop"], { default: "web" }),
  title: f.text({ default: "" }),
  size: f.oneOf(["small", "large"], { immutable: true, default: "small" }),
  note: f.text({ optional: true }),
})

const changesOf = (of: string) =>
  [
    {
      changed: [`${of}.first`, `${of}.last`],
      was: { name: f.text({ default: "No Name" }) },
      reads: { name: { concat: ["first", { value: " " }, "last"] } },
      writes: { first: { before: ["name", " "] }, last: { after: ["name", " "] } },
    },
    {
      changed: `${of}.price`,
      was: { cents: f.integer({ default: 0 }) },
      reads: { cents: { multiply: ["price", 100] } },
      writes: { price: { multiply: ["cents", 0.01] } },
    },
    {
      changed: `${of}.tax`,
      was: f.integer({ default: 0 }),
      reads: { multiply: ["tax", 100] },
      writes: { multiply: ["tax", 0.01] },
    },
    { renamed: `${of}.channel.online`, to: "web" },
    { renamed: `${of}.label`, to: "title" },
    {
      changed: `${of}.size`,
      was: f.oneOf(["S", "L"], { default: "S" }),
      reads: { map: ["size", { small: "S", large: "L" }] },
      writes: { map: ["size", { S: "small", L: "large" }] },
    },
  ] as const

/** Former fields that an older client may leave out, each in its own way. */
const papers = [
  { removed: "paper.ref", was: f.text(), reads: { concat: ["code", { value: "!" }] }, writes: "ignored" },
  {
    changed: "paper.note",
    was: f.text({ optional: true }),
    reads: "note",
    writes: { coalesce: ["note", { value: "none" }] },
  },
  {
    changed: "paper.mark",
    was: f.text({ optional: true }),
    reads: "mark",
    writes: { coalesce: ["mark", { value: "none" }] },
  },
  {
    changed: "paper.full",
    was: { first: f.text({ default: "Ann" }), last: f.text({ optional: true }) },
    reads: { first: { before: ["full", " "] }, last: { after: ["full", " "] } },
    writes: { full: { concat: ["first", { value: " " }, { coalesce: ["last", { value: "?" }] }] } },
  },
  {
    changed: "paper.strict",
    was: { loose: f.text() },
    reads: { loose: "strict" },
    writes: { strict: "loose" },
  },
  {
    changed: "paper.tag",
    was: { label: f.text({ default: "red" }), tone: f.text({ optional: true, readonly: true }) },
    reads: { label: "tag", tone: { upper: "tag" } },
    writes: { tag: "label" },
  },
] as const

/** A part of a name is joined with another field, and what came of both is dropped. */
const sheets = {
  "2026-04-01": [{ removed: "sheet.joint", was: f.text(), reads: { value: "a|b" }, writes: "ignored" }],
  "2026-03-01": [
    {
      changed: "sheet.joint",
      was: { rest: f.text(), place: f.text() },
      reads: { rest: { before: ["joint", "|"] }, place: { after: ["joint", "|"] } },
      writes: { joint: { concat: ["rest", { value: "|" }, "place"] } },
    },
  ],
  "2026-02-01": [
    {
      changed: ["sheet.first", "sheet.rest"],
      was: { name: f.text() },
      reads: { name: "first" },
      writes: { first: "name", rest: { after: ["name", " "] } },
    },
  ],
} as const

const declared = service({
  name: "things",
  versions: {
    "2026-06-01": [...changesOf("thing"), ...changesOf("slot"), ...papers],
    ...sheets,
    [older]: [],
  },
  resources: {
    paper: resource({
      id: "pap",
      fields: {
        code: f.text({ unique: true }),
        note: f.text(),
        mark: f.text({ default: "today" }),
        full: f.text(),
        strict: f.text(),
        tag: f.text(),
      },
      allow,
    }),
    sheet: resource({ id: "she", fields: { code: f.text({ unique: true }), first: f.text() }, allow }),
    thing: resource({ id: "thg", fields: { code: f.text({ unique: true }), ...fields() }, allow }),
    slot: resource({ key: ["code"], fields: { code: f.text(), ...fields() }, allow }),
  },
} as Parameters<typeof service>[0])

type Json = Readonly<Record<string, unknown>>

/** A value that an older client gives, another one, and what the newest version has of each. */
const members: readonly (readonly [given: Json, now: Json, then: Json, after: Json])[] = [
  [{ name: "Ada King" }, { first: "Ada", last: "King" }, { name: "Jo Li" }, { first: "Jo", last: "Li" }],
  [{ cents: 1250 }, { price: "12.50" }, { cents: -3 }, { price: "-0.03" }],
  [{ tax: 5 }, { tax: "0.05" }, { tax: 700 }, { tax: "7.00" }],
  [{ channel: "online" }, { channel: "web" }, { channel: "shop" }, { channel: "shop" }],
  [{ label: "a" }, { title: "a" }, { label: "b" }, { title: "b" }],
  [{ note: "a" }, { note: "a" }, { note: null }, { note: null }],
]

const absent = { name: "No Name", cents: 0, tax: 0, channel: "online", label: "", size: "S", note: null }

for (const database of ["sqlite", "postgres"] as const)
  describe(`changed fields written by an older version on ${database}`, async () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared))
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(() => strangerTo(model), model)
    const server = await openServer(hooks, url, model, {}, { identify })
    const old = { "api-version": older }
    const send = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
      const answered = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answered.text()
      return { status: answered.status, body: (text === "" ? {} : JSON.parse(text)) as Json }
    }
    const has = (record: Json, wanted: Json) => {
      for (const [name, value] of Object.entries(wanted))
        assert.deepEqual([name, record[name]], [name, value])
    }
    let count = 0
    const fresh = () => `c${++count}`

    /** Ways to write a record that may be there, by its code: each gives the record in its version. */
    const upserts = {
      "PUT by a unique key": async (code: string, input: Json) => {
        const { status, body } = await send(old, "PUT", `/things/code=${code}`, input)
        assert.ok(status === 200 || status === 201, JSON.stringify(body))
        return `/things/${body["id"]}`
      },
      "PUT by a natural key": async (code: string, input: Json) => {
        const { status, body } = await send(old, "PUT", `/slots/${code}`, input)
        assert.ok(status === 200 || status === 201, JSON.stringify(body))
        return `/slots/${code}`
      },
      "an upsert of GraphQL": async (code: string, input: Json) => {
        const { body } = await send(old, "POST", "/graphql", {
          query: `mutation ($input: ThingUpsertByCodeInput!) { upsertThingByCode(code: "${code}", input: $input) { thing { id } } }`,
          variables: { input },
        })
        assert.equal(body["errors"], undefined, JSON.stringify(body))
        const { upsertThingByCode: made } = body["data"] as { upsertThingByCode: { thing: { id: string } } }
        return `/things/${made.thing.id}`
      },
    }

    for (const [way, upsert] of Object.entries(upserts))
      test(`${way} makes a record and changes it`, async () => {
        for (const [given, now, then, afterwards] of members) {
          const code = fresh()
          const path = await upsert(code, given)
          has((await send({}, "GET", path)).body, now)
          has((await send(old, "GET", path)).body, { ...absent, ...given })
          assert.equal(await upsert(code, then), path)
          has((await send({}, "GET", path)).body, afterwards)
          has((await send(old, "GET", path)).body, { ...absent, ...then })
        }
        const code = fresh()
        const path = await upsert(code, Object.assign({}, ...members.map(([given]) => given)))
        await upsert(code, {})
        const kept = Object.assign({}, ...members.map(([given]) => given))
        const left = (await send(old, "GET", path)).body
        has(left, way.startsWith("PUT") ? absent : kept)
      })

    for (const [way, upsert] of Object.entries(upserts))
      test(`${way} repeats a changed field that never changes, and gives it no other value`, async () => {
        const code = fresh()
        const path = await upsert(code, { size: "L", label: "a" })
        has((await send({}, "GET", path)).body, { size: "large" })
        await upsert(code, { size: "L", label: "b" })
        has((await send(old, "GET", path)).body, { size: "L", label: "b" })
        await upsert(code, { label: "c" })
        has((await send({}, "GET", path)).body, { size: "large", title: "c" })
        await assert.rejects(
          upsert(code, { size: "S", label: "d" }),
          /`size` is given when the record is made/,
        )
        has((await send({}, "GET", path)).body, { size: "large", title: "c" })
        const patched = await send(old, "PATCH", path, { size: "S" })
        assert.equal(patched.status, 400, JSON.stringify(patched.body))
        assert.match(JSON.stringify(patched.body), /"code":"readonly_field".*\/size/)
      })

    const given = { first: "Jo", last: "Li", note: "n", mark: "m", loose: "l" }
    const now = { note: "n", mark: "m", full: "Jo Li", strict: "l" }
    const defaults = { note: "none", mark: "today", full: "Ann ?" }
    const left: readonly (readonly [input: Json, now: Json])[] = [
      [given, now],
      [{ loose: "l" }, { ...defaults, strict: "l" }],
      [
        { ...given, note: null, mark: null, last: null },
        { ...now, note: "none", mark: "none", full: "Jo ?" },
      ],
      [
        { loose: "l", last: "Li" },
        { ...defaults, strict: "l", full: "Ann Li" },
      ],
      [{ ...given, ref: "ignored" }, { ...now }],
    ]

    test("an older version leaves out what it may: in new records and in replaced ones", async () => {
      for (const [input, wanted] of left) {
        const code = fresh()
        const made = await send(old, "POST", "/papers", { code, ...input })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        const path = `/papers/${made.body["id"]}`
        has((await send({}, "GET", path)).body, { code, ...wanted })
        has(made.body, { ref: `${code}!` })
        for (const at of [path, `/papers/code=${code}`])
          for (const [next, then] of left) {
            const put = await send(old, "PUT", at, { ...(at === path && { code }), ...next })
            assert.equal(put.status, 200, JSON.stringify(put.body))
            has((await send({}, "GET", path)).body, then)
          }
        const other = fresh()
        const put = await send(old, "PUT", `/papers/code=${other}`, input)
        assert.equal(put.status, 201, JSON.stringify(put.body))
        has((await send({}, "GET", `/papers/${put.body["id"]}`)).body, wanted)
      }
    })

    test("an update leaves what it does not name, and takes fields that are written together as one", async () => {
      const { body } = await send(old, "POST", "/papers", { code: fresh(), ...given })
      const path = `/papers/${body["id"]}`
      const code = String(body["code"])
      const upsert = (input: string) =>
        send(old, "POST", "/graphql", {
          query: `mutation { upsertPaperByCode(code: "${code}", input: ${input}) { paper { note } } }`,
        })
      for (const [patch, wanted] of [
        [{}, {}],
        [{ note: null }, { note: "none" }],
        [{ note: "x", ref: "ignored" }, { note: "x" }],
        [{ first: "Bo", last: null }, { full: "Bo ?" }],
      ] as const) {
        assert.equal((await send(old, "PATCH", path, patch)).status, 200)
        has((await send({}, "GET", path)).body, wanted)
      }
      const merged = await upsert('{ note: "y", loose: "l" }')
      assert.equal(merged.body["errors"], undefined, JSON.stringify(merged.body))
      has((await send({}, "GET", path)).body, { note: "y", mark: "m", full: "Bo ?", strict: "l" })
      const half = await send(old, "PATCH", path, { first: "Cy" })
      assert.match(JSON.stringify(half.body), /`last` must be given with `first`.*"pointer":"\/last"/)
      const halved = await upsert('{ first: "Cy", loose: "l" }')
      assert.match(JSON.stringify(halved.body), /`last` must be given with `first`/)
      has((await send({}, "GET", path)).body, { full: "Bo ?" })
    })

    test("a former field of which nothing is left is never wanted, and each may be given alone", async () => {
      const code = fresh()
      const made = await send(old, "POST", "/sheets", { code, name: "Ann Lee" })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const path = `/sheets/${made.body["id"]}`
      const upsert = async (input: string) => {
        const { body } = await send(old, "POST", "/graphql", {
          query: `mutation { upsertSheetByCode(code: "${code}", input: ${input}) { sheet { name } } }`,
        })
        assert.equal(body["errors"], undefined, JSON.stringify(body))
      }
      const patch = async (input: Json) =>
        assert.equal((await send(old, "PATCH", path, input)).status, 200, JSON.stringify(input))
      for (const [write, first] of [
        [() => patch({ name: "Bo Lee" }), "Bo Lee"],
        [() => patch({ place: "Rome" }), "Bo Lee"],
        [() => patch({ name: "Cy", place: "Rome" }), "Cy"],
        [() => upsert('{ name: "Di Lee" }'), "Di Lee"],
      ] as const) {
        await write()
        has((await send({}, "GET", path)).body, { first })
        has((await send(old, "GET", path)).body, { name: first, place: "b" })
      }
    })

    test("a former field that was read-only stays so, beside one that is written", async () => {
      const { body } = await send(old, "POST", "/papers", { code: fresh(), ...given })
      const path = `/papers/${body["id"]}`
      assert.deepEqual([body["label"], body["tone"]], ["red", "RED"])
      const changed = await send(old, "PATCH", path, { label: "blue" })
      assert.deepEqual([changed.status, changed.body["tone"]], [200, "BLUE"])
      for (const input of [{ tone: "GREEN" }, { label: "green", tone: "GREEN" }]) {
        const refused = await send(old, "PATCH", path, input)
        assert.deepEqual([refused.status, refused.body["code"]], [400, "readonly_field"])
      }
    })

    test("what is missing is refused by the older version's names", async () => {
      const mistakes = async (method: string, path: string, input: Json) => {
        const { status, body } = await send(old, method, path, input)
        assert.equal(status, 400, JSON.stringify(body))
        return (body["errors"] as readonly Json[]).map(({ code, pointer, detail }) => [code, pointer, detail])
      }
      const missing = [["missing_field", "/loose", "`loose` must be given."]]
      const none = [["invalid_value", "/loose", "`loose` must not be null: there always is one."]]
      const long = "Wolfeschlegelstein Li"
      assert.deepEqual(await mistakes("POST", "/things", { code: fresh(), name: long }), [
        ["invalid_value", "/name", `\`name\` cannot be "${long}": newer versions have no value for it.`],
      ])
      assert.deepEqual(await mistakes("POST", "/papers", { code: fresh() }), missing)
      assert.deepEqual(await mistakes("PUT", `/papers/code=${fresh()}`, {}), missing)
      assert.deepEqual(await mistakes("POST", "/papers", { code: fresh(), loose: null }), none)
      const { body } = await send(old, "POST", "/papers", { code: fresh(), ...given })
      const path = `/papers/${body["id"]}`
      assert.deepEqual(await mistakes("PUT", path, { code: body["code"] }), missing)
      assert.deepEqual(await mistakes("PUT", `/papers/code=${body["code"]}`, {}), missing)
      assert.deepEqual(await mistakes("PATCH", path, { loose: null }), none)
    })

    test("nothing went wrong inside", () => {
      assert.deepEqual(server.observed, [])
    })
  })
