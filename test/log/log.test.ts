// What is kept in the log of what is written: by either face, of every kind of write, on both databases.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { action, anyone, f, many, one, resource, service, withCode } from "../../src/index.ts"
import type { LogRow } from "../../src/storage/log-types.ts"
import { desk } from "../services/desk.ts"
import { cleanUp } from "../support/database.ts"
import { databases, type Logging, openLogging } from "./open.ts"

const hooks = cleanUp(after)

const everything = service({
  name: "everything",
  resources: {
    shelf: resource({
      id: "she",
      fields: { name: f.text() },
      relations: { things: many("thing", { by: "shelf", owned: true }) },
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
    thing: resource({
      id: "thi",
      fields: {
        code: f.text({ unique: true }),
        price: f.decimal({ precision: 12, scale: 2, default: "1.50" }),
        big: f.int64({ optional: true }),
        rate: f.float({ optional: true }),
        size: f.oneOf(["small", "large"], { optional: true }),
        extra: f.json({ optional: true }),
        words: f.list(f.text(), { optional: true }),
        seenAt: f.timestamp({ optional: true }),
        on: f.boolean({ optional: true }),
        day: f.date({ optional: true }),
        raw: f.bytes({ optional: true }),
      },
      relations: { shelf: one("shelf", { optional: true }), tags: many("tag", { through: "thing_tag" }) },
      history: true,
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
    tag: resource({
      id: "tag",
      fields: { name: f.text() },
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
  },
})

const values = {
  code: "A\"'é\n",
  price: "123456789.10",
  big: "9223372036854775807",
  rate: 0.1,
  size: "large",
  extra: { a: [1, null, "x"], b: 1.5 },
  words: ["one", 'two"'],
  seenAt: "2026-01-02T03:04:05.678901Z",
  on: true,
  day: "2026-01-02",
  raw: "AAEC/w==",
}

const others: readonly string[] = [
  "CREATE TABLE shelf (id integer PRIMARY KEY, name text NOT NULL)",
  "CREATE TABLE thing (id integer PRIMARY KEY, code text NOT NULL UNIQUE, price decimal(12,2), shelf_id integer REFERENCES shelf (id), twice integer GENERATED ALWAYS AS (id * 2) STORED)",
]

const theirs = service({
  name: "theirs",
  managed: false,
  resources: {
    shelf: resource({
      key: { column: "id", type: "integer" },
      fields: { name: f.text() },
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
    thing: resource({
      key: { column: "id", type: "integer" },
      fields: {
        code: f.text({ unique: true }),
        price: f.decimal({ precision: 12, scale: 2, optional: true }),
      },
      relations: { shelf: one("shelf", { optional: true }) },
      history: true,
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
  },
})

type Made = { readonly id: string }

async function make(of: Logging, path: string, body: unknown, words = "anyone"): Promise<string> {
  const answer = await of.as(words).rest<Made>("POST", path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}

const short = ({ type, version, old, new: fresh }: LogRow) => [type, version, old, fresh]

for (const database of databases)
  describe(`the log on ${database}`, { concurrency: true }, () => {
    test("has a row for each change, with what really changed, in the API's JSON", async () => {
      const of = await openLogging(hooks, database, everything)
      const shelf = await make(of, "/shelves", { name: "first" })
      const id = await make(of, "/things", { ...values, shelfId: shelf })
      const path = `/things/${id}`
      const ask = of.as("anyone")
      await ask.rest("PATCH", path, { ...values, price: "2.00", big: null, extra: { a: [2] } })
      await ask.rest("PATCH", path, { shelfId: null, words: [] })
      assert.equal((await ask.rest("DELETE", path)).status, 204)
      const full = { ...values, shelfId: shelf }
      const last = { ...full, price: "2.00", big: null, extra: { a: [2] }, shelfId: null, words: [] }
      assert.deepEqual((await of.rows()).map(short), [
        ["thing.created", "1", null, full],
        [
          "thing.updated",
          "2",
          { price: values.price, big: values.big, extra: values.extra },
          { price: "2.00", big: null, extra: { a: [2] } },
        ],
        ["thing.updated", "3", { shelfId: shelf, words: values.words }, { shelfId: null, words: [] }],
        ["thing.deleted", "4", last, null],
      ])
      const [first] = await of.rows(id)
      assert.ok(first)
      assert.deepEqual(
        [first.resource, first.record, first.actor, first.transition, first.input],
        ["thing", id, null, null, null],
      )
      assert.match(first.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      assert.ok(Math.abs(Date.parse(first.at) - Date.now()) < 60_000)
      const read = await ask.rest<Record<string, unknown>>("GET", `/shelves/${shelf}`)
      assert.equal(read.status, 200)
    })

    test("has what the record's answer has", async () => {
      const of = await openLogging(hooks, database, everything)
      const { body } = await of.as("anyone").rest<Record<string, unknown>>("POST", "/things", values)
      const { id: _, etag: __, ...members } = body
      const [row] = await of.rows()
      for (const [name, value] of Object.entries(row?.new ?? {})) assert.deepEqual(value, members[name], name)
      assert.deepEqual(
        Object.keys(row?.new ?? {}).sort(),
        Object.keys(members)
          .filter((name) => name !== "shelf" && name !== "tags")
          .sort(),
      )
    })

    test("knows upserts, bulk writes, nested ones, batches and links for what they are", async () => {
      const of = await openLogging(hooks, database, everything)
      const ask = of.as("anyone")
      const put = (code: string, price: string) => ask.rest<Made>("PUT", `/things/code=${code}`, { price })
      assert.equal((await put("x", "1.00")).status, 201)
      assert.equal((await put("x", "2.00")).status, 200)
      assert.equal((await put("x", "2.00")).status, 200)
      const upsert = `mutation { upsertThingByCode(code: "y", input: { price: "1.00" }) { thing { id } } }`
      const said = await ask.graphql(upsert)
      assert.deepEqual(said.errors, [])
      await ask.graphql(upsert.replace("1.00", "3.00"))
      assert.deepEqual(
        (await of.rows()).map((row) => [...short(row).slice(0, 2), row.old?.["price"], row.new?.["price"]]),
        [
          ["thing.created", "1", undefined, "1.00"],
          ["thing.updated", "2", "1.00", "2.00"],
          ["thing.updated", "3", undefined, undefined],
          ["thing.created", "1", undefined, "1.00"],
          ["thing.updated", "2", "1.00", "3.00"],
        ],
      )
      let seen = (await of.rows()).length
      const next = async (): Promise<readonly unknown[]> => {
        const rows = (await of.rows()).slice(seen)
        seen += rows.length
        return rows.map(({ type, version, new: fresh }) => [type, version, fresh && Object.keys(fresh)])
      }
      const bulk = `mutation { updateThings(where: { code: { in: ["x", "y"] } }, input: { on: true }, maxAffected: 5) { affected } }`
      assert.deepEqual((await ask.graphql(bulk)).errors, [])
      assert.deepEqual(await next(), [
        ["thing.updated", "4", ["on"]],
        ["thing.updated", "3", ["on"]],
      ])
      const shelf = await make(of, "/shelves", {
        name: "s",
        things: { create: [{ code: "n1" }, { code: "n2" }] },
      })
      assert.equal(((await next()) as unknown[][]).filter(([type]) => type === "thing.created").length, 2)
      // What goes with its owner goes as it is.
      assert.equal((await ask.rest("DELETE", `/shelves/${shelf}`)).status, 204)
      assert.deepEqual(await next(), [
        ["thing.deleted", "2", null],
        ["thing.deleted", "2", null],
      ])
      const batch = await ask.rest("POST", "/batch", {
        requests: [
          { method: "POST", path: "/things", body: { code: "b1" } },
          { method: "PATCH", path: "/things/code=b1", body: { on: false } },
        ],
      })
      assert.equal(batch.status, 200, JSON.stringify(batch.body))
      assert.deepEqual(
        (await next()).map((row) => (row as unknown[]).slice(0, 2)),
        [
          ["thing.created", "1"],
          ["thing.updated", "2"],
        ],
      )
      const tag = await make(of, "/tags", { name: "t" })
      const linked = await ask.rest("PUT", `/things/code=b1/tags/${tag}`)
      assert.ok(linked.status < 300, JSON.stringify(linked.body))
      assert.deepEqual(await next(), [["thing.updated", "3", []]])
      const gone = `mutation { deleteThings(where: { code: { in: ["x", "y"] } }, maxAffected: 5) { affected } }`
      assert.deepEqual((await ask.graphql(gone)).errors, [])
      assert.deepEqual(await next(), [
        ["thing.deleted", "5", null],
        ["thing.deleted", "4", null],
      ])
    })

    test("has nothing of what was not done", async () => {
      const of = await openLogging(hooks, database, everything)
      const ask = of.as("anyone")
      const id = await make(of, "/things", { code: "one" })
      await make(of, "/things", { code: "two" })
      const before = await of.rows()
      const refused = [
        await ask.rest("PATCH", `/things/${id}`, { code: "two" }),
        await ask.rest("PATCH", `/things/${id}`, { on: true }, { "if-match": '"9"' }),
        await ask.rest("DELETE", `/things/${id}`, undefined, { "if-match": '"9"' }),
        await ask.rest("PATCH", "/things/thi_00000000000000000000000000", { on: true }),
        await ask.rest("POST", "/batch", {
          requests: [
            { method: "PATCH", path: `/things/${id}`, body: { on: true } },
            { method: "POST", path: "/things", body: { code: "two" } },
          ],
        }),
      ]
      assert.deepEqual(
        refused.map(({ status }) => status),
        [409, 412, 412, 404, 409],
      )
      const two = await ask.graphql(
        `mutation { a: updateThing(id: "${id}", input: { on: true }) { thing { id } } b: createThing(input: { code: "two" }) { thing { id } } }`,
      )
      assert.equal(two.data, null)
      assert.deepEqual(await of.rows(), before)
    })

    test("says who fired a transition, from where to where, and what was given", async () => {
      const of = await openLogging(hooks, database, desk)
      const person = await make(of, "/people", { name: "Ada" }, "role:agent")
      const words = `person:${person}+role:agent`
      const id = await make(
        of,
        "/tickets",
        { title: "t", reporterId: person, notes: { create: [{ text: "n" }] } },
        words,
      )
      await of.fire(words, id, "start")
      await of.fire(words, id, "solve", { answer: "so", effort: 3 })
      await assert.rejects(of.fire(words, id, "start"))
      assert.deepEqual(
        (await of.rows(id)).map(({ type, version, actor, transition, from, to, input, old, new: fresh }) =>
          type === "ticket.created"
            ? [type, version, actor]
            : [type, version, actor, transition, from, to, input, old, fresh],
        ),
        [
          ["ticket.created", "1", person],
          [
            "ticket.working",
            "2",
            person,
            "start",
            "open",
            "working",
            null,
            { state: "open", assigneeId: null },
            { state: "working", assigneeId: person },
          ],
          [
            "ticket.solved",
            "3",
            person,
            "solve",
            "working",
            "solved",
            { answer: "so", effort: 3 },
            { state: "working", answer: null, effort: null },
            { state: "solved", answer: "so", effort: 3 },
          ],
        ],
      )
      const types = (await of.rows()).map(({ type }) => type)
      assert.ok(types.includes("note.created") && !types.includes("person.created"), String(types))
    })

    test("is kept beside tables of somebody else's, and made when it is first needed", async () => {
      const tables =
        database === "sqlite"
          ? others
          : others.map((text) =>
              text.replace(
                "id integer PRIMARY KEY",
                "id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
              ),
            )
      const of = await openLogging(hooks, database, theirs, tables)
      const ask = of.as("anyone")
      const id = await make(of, "/things", { code: "a", price: "1.00" })
      await ask.rest("PATCH", `/things/${id}`, { price: "2.50" })
      await ask.rest("PATCH", "/things/code=a", { code: "b" })
      const etag = (await ask.rest<{ etag: string }>("GET", `/things/${id}`)).headers["etag"]
      await ask.rest("PUT", "/things/code=b", { price: "3.00" })
      await ask.rest("PUT", "/things/code=c", { price: "4.00" })
      const bulk = `mutation { updateThings(where: { code: { in: ["b", "c"] } }, input: { price: "5.00" }, maxAffected: 5) { affected } }`
      assert.deepEqual((await ask.graphql(bulk)).errors, [])
      assert.equal((await ask.rest("DELETE", `/things/${id}`)).status, 204)
      const rows = await of.rows(id)
      assert.deepEqual(
        rows.map(({ type, old, new: fresh }) => [type, old, fresh]),
        [
          ["thing.created", null, { code: "a", price: "1.00", shelfId: null }],
          ["thing.updated", { price: "1.00" }, { price: "2.50" }],
          ["thing.updated", { code: "a" }, { code: "b" }],
          ["thing.updated", { price: "2.50" }, { price: "3.00" }],
          ["thing.updated", { price: "3.00" }, { price: "5.00" }],
          ["thing.deleted", { code: "b", price: "5.00", shelfId: null }, null],
        ],
      )
      assert.ok(String(etag).includes(rows[2]?.version ?? "none"), `${etag} ${rows[2]?.version}`)
      assert.equal(new Set(rows.slice(0, 5).map(({ version }) => version)).size, 5)
      assert.deepEqual(
        (await of.rows()).filter(({ record }) => record !== id).map(({ type }) => type),
        ["thing.created", "thing.updated"],
      )
    })

    test("has what own code writes, also where the log is not made yet", async () => {
      const coded = withCode(theirs, {
        actions: {
          thing: {
            raise: action({
              input: { by: f.decimal({ precision: 12, scale: 2 }) },
              allow: anyone,
              async run({ input, record, db }) {
                await db.thing.update(record.id, { price: input.by })
              },
            }),
          },
        },
      })
      const of = await openLogging(hooks, database, coded, [
        ...others,
        "INSERT INTO thing (id, code) VALUES (1, 'a')",
      ])
      const done = await of.as("anyone").rest("POST", "/things/1/actions/raise", { by: "2.50" })
      assert.ok(done.status < 300, JSON.stringify(done.body))
      const [row, ...more] = await of.rows()
      assert.deepEqual(
        [more.length, row?.type, row?.old, row?.new],
        [0, "thing.updated", { price: null }, { price: "2.50" }],
      )
    })

    test("keeps a plain change one statement on PostgreSQL, and two on SQLite", async () => {
      const of = await openLogging(hooks, database, everything)
      const id = await make(of, "/things", { code: "one" })
      const before = of.storage.sent
      await of.as("anyone").rest("PATCH", `/things/${id}`, { on: true })
      assert.equal(of.storage.sent - before, database === "postgres" ? 1 : 2)
    })
  })
