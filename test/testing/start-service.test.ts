// The testing kit, as tests of a service use it: on both databases, as several people, at another time.
import assert from "node:assert/strict"
import { existsSync, globSync } from "node:fs"
import { tmpdir } from "node:os"
import { describe, test } from "node:test"
import pg from "pg"
import storefront from "../../examples/storefront/service.ts"
import { Refusal } from "../../src/base/problem.ts"
import { anyone, f, many, one, only, resource, role, service, viewer } from "../../src/index.ts"
import { type Records, startService } from "../../src/testing/start-service.ts"

const own = { author: { id: { eq: viewer["id"] } } }

const notes = service({
  name: "notes",
  roles: ["editor"],
  viewer: "author",
  resources: {
    author: resource({
      id: "aut",
      fields: { name: f.text(), secret: f.text({ optional: true, read: role("editor") }) },
      relations: { notes: many("note", { by: "author" }) },
      allow: { read: anyone },
    }),
    note: resource({
      id: "note",
      fields: {
        text: f.text({ max: 50 }),
        state: f.oneOf(["draft", "published"], { readonly: true, default: "draft" }),
        madeAt: f.timestamp({ readonly: true, default: "now" }),
      },
      relations: { author: one("author"), labels: many("label", { through: "note_label" }) },
      allow: {
        read: [role("editor"), own, { state: { eq: "published" } }],
        create: own,
        update: [role("editor"), only(["text"], own)],
        delete: role("editor"),
      },
    }),
    label: resource({
      key: ["name"],
      fields: { name: f.slug() },
      relations: { notes: many("note", { through: "note_label" }) },
      allow: { read: anyone },
    }),
  },
})

const records: Records<"author" | "note" | "label"> = {
  note: [
    { id: "note_1", text: "First", authorId: "aut_ann" },
    { id: "note_2", text: "Second", authorId: "aut_bob", state: "published", madeAt: "2020-01-01T00:00:00Z" },
    { id: "note_3", text: "Third", authorId: "aut_bob" },
  ],
  author: [
    { id: "aut_ann", name: "Ann", secret: "s" },
    { id: "aut_bob", name: "Bob" },
  ],
}

const server = process.env["BIFOLD_TEST_POSTGRES"] ?? ""
const now = "2026-11-21T12:00:00Z"

for (const [title, database] of [
  ["SQLite", "sqlite"],
  ["PostgreSQL", server],
] as const)
  describe(`a service on ${title}`, () => {
    test("is asked by both faces, by each of its people", async () => {
      await using shop = await startService(notes, { database, now, records })
      const ids = async (client: typeof shop.anyone): Promise<readonly string[]> => {
        const { status, data, errors } = await client.graphql<{ notes: { nodes: { id: string }[] } }>(
          "{ notes { nodes { id } } }",
        )
        assert.deepEqual([status, errors], [200, []])
        const byRest = await client.rest<{ data: { id: string }[] }>("GET", "/notes?fields=id")
        assert.equal(byRest.status, 200)
        const found = byRest.body.data.map(({ id }) => id)
        assert.deepEqual(
          data?.notes.nodes.map(({ id }) => id),
          found,
        )
        return found
      }
      assert.deepEqual(await ids(shop.anyone), ["note_2"])
      assert.deepEqual(await ids(shop.as("author:aut_ann")), ["note_1", "note_2"])
      assert.deepEqual(await ids(shop.as({ viewer: "ann" })), ["note_1", "note_2"])
      assert.deepEqual(await ids(shop.as({ viewer: "aut_bob", roles: ["editor"] })), [
        "note_1",
        "note_2",
        "note_3",
      ])
      assert.deepEqual(await ids(shop.as({})), ["note_2"])
      assert.deepEqual(await ids(shop.everybody), ["note_1", "note_2", "note_3"])
    })

    test("shows a field to those who may see it", async () => {
      await using shop = await startService(notes, { database, records })
      const secretFor = (client: typeof shop.anyone) => client.rest("GET", "/authors/ann?fields=secret")
      assert.equal((await secretFor(shop.anyone)).status, 400)
      assert.deepEqual((await secretFor(shop.as("role:editor"))).body, { id: "aut_ann", secret: "s" })
    })

    test("has records with defaults, at the time that its clock shows", async () => {
      await using shop = await startService(notes, { database, now, records })
      const read = async (id: string) =>
        (await shop.everybody.rest("GET", `/notes/${id}?fields=state,madeAt`)).body
      assert.deepEqual(await read("note_1"), { id: "note_1", state: "draft", madeAt: now })
      assert.deepEqual(await read("note_2"), {
        id: "note_2",
        state: "published",
        madeAt: "2020-01-01T00:00:00Z",
      })
      shop.clock.advance({ days: 1, minutes: 1, milliseconds: 500 })
      const { note = [], author = [] } = await shop.add({
        note: [{ text: "Later", authorId: "aut_ann", labels: { create: [{ name: "new" }] } }],
      })
      assert.deepEqual([note.length, author], [1, []])
      const [id = ""] = note
      assert.match(id, /^note_[0-9a-z]{26}$/)
      assert.deepEqual(await read(id), { id, state: "draft", madeAt: "2026-11-22T12:01:00.5Z" })
      shop.clock.set(new Date("2030-01-01T00:00:00Z"))
      const made = await shop.as("author:ann").rest<{ madeAt: string }>("POST", "/notes", {
        text: "Own",
        authorId: "aut_ann",
      })
      assert.deepEqual([made.status, made.body.madeAt], [201, "2030-01-01T00:00:00Z"])
      assert.ok(made.headers["location"])
    })
  })

test("a service is gone when it is closed, and can be closed twice", async () => {
  const shop = await startService(notes)
  const folders = (): readonly string[] => globSync("bifold-testing-*/service.sqlite", { cwd: tmpdir() })
  assert.ok(folders().length >= 1)
  const before = new Set(folders())
  await shop.close()
  await shop.close()
  await assert.rejects(shop.everybody.rest("GET", "/notes"))
  const after = new Set(folders())
  assert.ok([...before].some((folder) => !after.has(folder)))
})
