// The testing kit, as tests of a service use it: on both databases, as several people, at another time.
import assert from "node:assert/strict"
import { globSync } from "node:fs"
import { tmpdir } from "node:os"
import { describe, test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { Refusal } from "../../src/base/problem.ts"
import { anyone, f, many, one, only, resource, role, service, viewer } from "../../src/index.ts"
import type { RuleObject } from "../../src/model/policy-declaration.ts"
import { type Records, startService } from "../../src/tools/testing/start-service.ts"

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

const folders = (): ReadonlySet<string> =>
  new Set(globSync(`bifold-testing-${process.pid}-*/service.sqlite`, { cwd: tmpdir() }))

test("a service is gone when it is closed, and can be closed twice", async () => {
  const before = folders()
  const shop = await startService(notes)
  const own = [...folders().difference(before)]
  assert.ok(own.length >= 1)
  await shop.close()
  await shop.close()
  await assert.rejects(shop.everybody.rest("GET", "/notes"))
  assert.ok(own.some((folder) => !folders().has(folder)))
})

describe("a request of a test", () => {
  test("has its headers, and its body as it is given", async () => {
    await using shop = await startService(notes, { records })
    const ann = shop.as("author:aut_ann")
    const patch = await ann.rest("PATCH", "/notes/note_1", '{"text":"New"}', {
      "Content-Type": "application/merge-patch+json",
      Prefer: "return=minimal",
    })
    assert.deepEqual([patch.status, patch.body], [204, null])
    const stale = await ann.rest("PATCH", "/notes/note_1", { text: "Newer" }, { "if-match": '"1"' })
    assert.equal(stale.status, 412)
    const csv = await ann.rest("GET", "/notes?fields=text", undefined, { accept: "text/csv" })
    assert.equal(csv.body, "id,text\r\nnote_1,New\r\nnote_2,Second\r\n")
    const bytes = await ann.rest("POST", "/notes/query", Buffer.from('{"limit":1}'))
    assert.equal((bytes.body as { data: unknown[] }).data.length, 1)
    assert.equal((await ann.rest("POST", "/notes", "{", {})).status, 400)
  })

  test("is refused by the rules as it is by a server", async () => {
    await using shop = await startService(notes, { records })
    const ann = shop.as("author:aut_ann")
    const remove = await ann.rest<{ code: string }>("DELETE", "/notes/note_1")
    assert.deepEqual([remove.status, remove.body.code], [403, "forbidden"])
    assert.equal((await ann.rest("PATCH", "/notes/note_3", { text: "x" })).status, 404)
    assert.equal((await shop.anyone.rest("DELETE", "/notes/note_2")).status, 401)
    const { data, errors } = await ann.graphql('mutation { deleteNote(id: "note_1") { note { id } } }')
    assert.equal(data ?? null, null)
    assert.equal(errors.length, 1)
    assert.equal((await shop.as("role:editor").rest("DELETE", "/notes/note_1")).status, 204)
  })

  test("by GraphQL has its variables, and errors with their codes", async () => {
    await using shop = await startService(notes, { records })
    const query = "query($id: ID!) { note(id: $id) { text } }"
    assert.deepEqual((await shop.anyone.graphql(query, { id: "note_2" })).data, { note: { text: "Second" } })
    assert.deepEqual((await shop.anyone.graphql(query, { id: "note_1" })).data, { note: null })
    for (const [client, code] of [
      [shop.anyone, "unauthenticated"],
      [shop.as("role:editor"), "invalid_document"],
    ] as const) {
      const { data, errors } = await client.graphql("{ nots { text } }")
      assert.equal(data, null)
      assert.equal(errors[0]?.extensions.code, code)
    }
  })

  test("of everybody may set what nobody else may", async () => {
    await using shop = await startService(notes, { records })
    const body = { state: "published" }
    assert.equal((await shop.as("role:editor").rest("PATCH", "/notes/note_1", body)).status, 400)
    assert.equal((await shop.everybody.rest("PATCH", "/notes/note_1", body)).status, 200)
    assert.equal((await shop.anyone.rest("GET", "/notes/note_1")).status, 200)
  })
})

describe("what cannot be meant is refused", () => {
  const problemsOf = async (work: Promise<unknown>): Promise<readonly string[]> => {
    const error = await work.then(
      () => assert.fail("nothing was refused"),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof Refusal, String(error))
    return error.problems.map(({ place = [], message }) => `${place.join(".")}: ${message}`)
  }

  test("of the records, all at once, and then there is none", async () => {
    await using shop = await startService(notes)
    const wrong = {
      author: [{ id: "aut_1" }, { id: "aut_2", name: "Two" }],
      note: [{ id: 7, text: "x".repeat(51), authorId: "aut_2", stat: "draft" }],
      label: [{ id: "x", name: "x" }],
    }
    assert.deepEqual(await problemsOf(shop.add(wrong)), [
      "author.0.name: `name` must be given.",
      "note.0.id: A note cannot have the id 7.",
      "note.0.text: `text` must be at most 50 characters long, not 51.",
      'note.0.stat: `note` has no member "stat" to write.',
      'label.0.id: A label cannot have the id "x".',
    ])
    assert.deepEqual(
      await problemsOf(shop.add({ author: [{ name: "One" }], note: [{ text: "x", authorId: "aut_none" }] })),
      ["note.0.authorId: `authorId` must be the id of an author that exists."],
    )
    const { body } = await shop.everybody.rest<{ data: unknown[] }>("GET", "/authors")
    assert.deepEqual(body.data, [])
    const untyped: Records = { notes: [] }
    assert.deepEqual(await problemsOf(shop.add(untyped)), ['notes: There is no resource "notes".'])
  })

  test("of the service and its options, and nothing is left behind", async () => {
    const before = folders()
    const broken = { ...notes, viewer: "nobody" }
    assert.ok((await problemsOf(startService(broken))).length >= 1)
    const misspelt: RuleObject = { c: { eq: 1 } }
    const badRule = service({
      name: "bad",
      resources: { a: resource({ id: "aaa", fields: { b: f.text() }, allow: { read: misspelt } }) },
    })
    assert.match((await problemsOf(startService(badRule))).join(), /^resources\.a\.allow\.read\.c: /)
    assert.match((await problemsOf(startService(notes, { now: "soon" }))).join(), /years 1970 to 9999/)
    assert.match((await problemsOf(startService(notes, { database: "shop.db" }))).join(), /not shop\.db/)
    const nowhere = "postgres://nobody:nothing@127.0.0.1:1/none"
    assert.match(
      (await problemsOf(startService(notes, { database: nowhere }))).join(),
      /No database can be made/,
    )
    const bad: Records<"note"> = { note: [{}] }
    assert.equal((await problemsOf(startService(notes, { records: bad }))).length, 2)
    assert.deepEqual([...folders().difference(before)], [])
  })

  test("of who is asking", async () => {
    await using shop = await startService(notes)
    const text: string = "role:editr"
    assert.throws(() => shop.as(text), /no role "editr"/)
    // @ts-expect-error the compiler knows the roles
    assert.throws(() => shop.as({ roles: ["editr"] }), /no role "editr"/)
    assert.throws(() => shop.as({ viewer: "" }), /no id of an author/)
    assert.throws(() => shop.clock.set("never"), /years 1970 to 9999/)
    assert.throws(() => shop.clock.advance({ days: 4_000_000 }), /years 1970 to 9999/)
  })
})

test("each service has a database of its own", async () => {
  await using first = await startService(notes, { records })
  await using second = await startService(notes)
  assert.equal((await first.everybody.rest<{ data: unknown[] }>("GET", "/notes")).body.data.length, 3)
  assert.equal((await second.everybody.rest<{ data: unknown[] }>("GET", "/notes")).body.data.length, 0)
})

test("the storefront is tested with it", async () => {
  await using shop = await startService(storefront, {
    records: {
      order: [
        {
          id: "ord_1",
          number: "A-1",
          status: "paid",
          total: "5",
          customerId: "cus_ann",
          billingAddressId: "adr_1",
        },
      ],
      orderLine: [
        { orderId: "ord_1", position: 1, quantity: 2, unitPrice: "2.5", lineTotal: "5", productId: "prd_1" },
      ],
      product: [
        {
          id: "prd_1",
          slug: "cup",
          name: "Cup",
          price: "2.5",
          weight: 1,
          colours: [],
          attributes: {},
          categoryId: "cat_1",
        },
      ],
      category: [{ id: "cat_1", slug: "all", name: "All", position: 1 }],
      address: [
        { id: "adr_1", recipient: "A", street: "S", city: "C", country: "CH", customerId: "cus_ann" },
      ],
      customer: [
        { id: "cus_ann", email: "ann@example.org", name: "Ann" },
        { id: "cus_bob", email: "bob@example.org", name: "Bob" },
      ],
    },
  })
  const count = async (client: typeof shop.anyone) =>
    (await client.graphql<{ orders: { totalCount: number } }>("{ orders { totalCount } }")).data?.orders
      .totalCount
  assert.equal(await count(shop.as("customer:cus_ann")), 1)
  assert.equal(await count(shop.as("customer:cus_bob")), 0)
  assert.equal(await count(shop.as("role:warehouse")), 1)
  const { data, errors } = await shop.anyone.graphql("{ orders { totalCount } }")
  assert.deepEqual([data, errors.length], [null, 1], "there is nothing of that name for anyone")
})
