// Keys of somebody else's SQLite tables that may hold equal values in several forms, and others that the database takes for
// equal although they are not: what a read shows can be written, and no write takes one record for another.
import assert from "node:assert/strict"
import { test } from "node:test"
import { openTheirs, type Told } from "./theirs.ts"

const upper = "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"
const mixed = "A0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12"
const bytes = "a0eebc999c0b4ef8bb6d6bb9bd380a13"
const dashed = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a13"

const listed = ({ body }: Told): readonly Readonly<Record<string, unknown>>[] =>
  (body as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data
const shown = (told: Told): string => String((told.body as { readonly id: string }).id)

test("a record whose uuid is stored in capitals or as bytes can be referred to, linked, changed and deleted", async (context) => {
  const { ask } = await openTheirs(
    context,
    `CREATE TABLE custs (Id GUID PRIMARY KEY NOT NULL, name TEXT);
     CREATE TABLE ords (id INTEGER PRIMARY KEY, CustId GUID REFERENCES custs(Id), word TEXT);
     CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
     CREATE TABLE cust_tags (cust GUID NOT NULL REFERENCES custs(Id), tag INTEGER NOT NULL REFERENCES tags(id), PRIMARY KEY (cust, tag));
     INSERT INTO custs VALUES ('${upper}', 'upper'), ('${mixed}', 'mixed'), (x'${bytes}', 'bytes');
     INSERT INTO tags VALUES (1, 'new'), (2, 'old');`,
  )
  const custs = listed(await ask("GET", "/custs?sort=name"))
  assert.deepEqual(
    custs.map(({ id }) => id),
    [`cust_${dashed}`, `cust_${mixed.toLowerCase()}`, `cust_${upper.toLowerCase()}`],
  )
  for (const { id } of custs) {
    const made = await ask("POST", "/ords?include=cust", { custId: id, word: "w" })
    assert.equal(made.status, 201)
    assert.equal((made.body as { cust: { id: string } }).cust.id, id)
    const linked = await ask("PUT", `/custs/${id}/tags/1`)
    assert.ok(linked.status < 300, `linked ${linked.status}`)
    const own = await ask("GET", `/custs/${id}?include=ords,tags`)
    const { ords, tags } = own.body as { ords: { data: unknown[] }; tags: { data: unknown[] } }
    assert.deepEqual([ords.data.length, tags.data.length], [1, 1])
    assert.equal((await ask("DELETE", `/custs/${id}/tags/1`)).status, 204)
    const bare = await ask("GET", `/custs/${id}?include=tags`)
    assert.deepEqual((bare.body as { tags: { data: unknown[] } }).tags.data, [])
  }
  const nested = await ask("PATCH", `/custs/${custs[0]?.["id"]}`, { ords: { create: [{ word: "nested" }] } })
  assert.equal(nested.status, 200)
  assert.equal(listed(await ask("GET", `/custs/${custs[0]?.["id"]}/ords`)).length, 2)
  const missing = await ask("POST", "/ords", { custId: "cust_a0eebc99-9c0b-4ef8-bb6d-6bb9bd380aff" })
  assert.deepEqual([missing.status, missing.code], [422, "missing_reference"])
  const several = await ask(
    "PATCH",
    "/custs?filter[name][in]=upper,bytes",
    { name: "x" },
    {
      prefer: "max-affected=5",
    },
  )
  assert.equal(several.status, 200)
  assert.equal(listed(await ask("GET", "/custs?filter[name]=x")).length, 2)
})

test("a record of a uuid that the database makes as bytes is answered", async (context) => {
  const { ask } = await openTheirs(
    context,
    "CREATE TABLE made (id UUID PRIMARY KEY NOT NULL DEFAULT (randomblob(16)), word TEXT);",
  )
  const made = await ask("POST", "/mades", { word: "w" })
  assert.equal(made.status, 201)
  assert.equal((await ask("GET", `/mades/${shown(made)}`)).status, 200)
})

test("a day that is stored with a time is the same day, to writes as well", async (context) => {
  const { ask } = await openTheirs(
    context,
    `CREATE TABLE dateks (d DATE PRIMARY KEY NOT NULL, v TEXT);
     CREATE TABLE visits (id INTEGER PRIMARY KEY, day DATE REFERENCES dateks(d));
     INSERT INTO dateks VALUES ('2024-02-01 00:00:00', 'a'), ('2024-02-02', 'b'), (1706918400, 'c');`,
  )
  for (const [day, value] of [
    ["2024-02-01", "x"],
    ["2024-02-02", "y"],
    ["2024-02-03", "z"],
  ] as const) {
    const put = await ask("PUT", `/dateks/${day}`, { v: value })
    assert.deepEqual([put.status, (put.body as { v: string }).v], [200, value])
    assert.equal((await ask("POST", "/dateks", { d: day, v: "again" })).code, "already_exists")
    assert.equal((await ask("POST", "/visits", { dayId: day })).status, 201)
  }
  assert.equal((await ask("PUT", "/dateks/2024-02-04", { v: "new" })).status, 201)
  assert.deepEqual(
    listed(await ask("GET", "/dateks?sort=d")).map(({ d, v }) => [d, v]),
    [
      ["2024-02-01", "x"],
      ["2024-02-02", "y"],
      ["2024-02-03", "z"],
      ["2024-02-04", "new"],
    ],
  )
})

test("a unique moment that is stored in another form is the same, with what stands beside it", async (context) => {
  const { ask } = await openTheirs(
    context,
    `CREATE TABLE slots (id INTEGER PRIMARY KEY, room TEXT NOT NULL, at DATETIME NOT NULL, word TEXT, UNIQUE (room, at));
     INSERT INTO slots VALUES (1, 'a', '2024-02-01 10:00', 'one'), (2, 'b', '2024-02-01 12:00:00+02:00', 'two');`,
  )
  const at = "2024-02-01T10:00:00Z"
  assert.equal((await ask("POST", "/slots", { room: "a", at, word: "x" })).code, "already_exists")
  assert.equal((await ask("POST", "/slots", { room: "b", at, word: "x" })).code, "already_exists")
  assert.equal((await ask("POST", "/slots", { room: "c", at, word: "x" })).status, 201)
  const put = await ask("PUT", `/slots/room=b,at=${at}`, { word: "deux" })
  assert.deepEqual([put.status, shown(put)], [200, "slot_2"])
})

test("a key that differs in letter case only names another record, which cannot be made", async (context) => {
  const { ask, service } = await openTheirs(
    context,
    `CREATE TABLE natncs (code TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, label TEXT, more TEXT);
     CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT COLLATE NOCASE UNIQUE, name TEXT);
     CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT, word TEXT);
     CREATE UNIQUE INDEX room_names ON rooms (name COLLATE RTRIM);
     INSERT INTO natncs VALUES ('Key', 'l', 'm'); INSERT INTO people VALUES (1, 'Ann@x.org', 'Ann'); INSERT INTO rooms VALUES (1, 'a', 'w');`,
  )
  assert.equal((await ask("GET", "/natncs/KEY")).status, 404)
  for (const [method, address, body] of [
    ["PUT", "/natncs/KEY", { label: "p" }],
    ["POST", "/natncs", { code: "KEY", label: "p" }],
    ["PUT", "/people/email=ann@x.org", { name: "p" }],
    ["PUT", "/rooms/name=a%20", { word: "p" }],
  ] as const) {
    const { status, code } = await ask(method, address, body)
    assert.deepEqual([address, status, code], [address, 409, "already_exists"])
  }
  const { body } = await service.graphql({
    body: {
      query: `mutation { upsertPersonByEmail(email: "ANN@x.org", input: {name: "p"}) { person { id } } }`,
    },
  })
  assert.match(body, /"data":null.*already_exists/)
  const before = [
    await ask("GET", "/natncs/Key?fields=code,label,more"),
    await ask("GET", "/people/1?fields=email,name"),
    await ask("GET", "/rooms/1?fields=name,word"),
  ]
  assert.deepEqual(
    before.map(({ body: record }) => Object.values(record as object).slice(1)),
    [
      ["Key", "l", "m"],
      ["Ann@x.org", "Ann"],
      ["a", "w"],
    ],
  )
  const put = await ask("PUT", "/natncs/Key", { label: "p" })
  assert.deepEqual([put.status, (put.body as { label: string }).label], [200, "p"])
  assert.equal((await ask("PUT", "/people/email=Ann@x.org", { name: "p" })).status, 200)
  assert.equal((await ask("PUT", "/natncs/Other", { label: "p" })).status, 201)
})

test("a foreign key leads where the database says, in both directions, and is shown as the id that there is", async (context) => {
  const { ask } = await openTheirs(
    context,
    `CREATE TABLE tcodes (code TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, label TEXT UNIQUE);
     CREATE TABLE trefs (id INTEGER PRIMARY KEY, code TEXT REFERENCES tcodes(code), n INTEGER);
     CREATE TABLE tags (name TEXT COLLATE RTRIM PRIMARY KEY NOT NULL, word TEXT);
     CREATE TABLE tref_tags (tref INTEGER NOT NULL REFERENCES trefs(id), tag TEXT NOT NULL REFERENCES tags(name), PRIMARY KEY (tref, tag));
     CREATE TABLE badges (code TEXT PRIMARY KEY NOT NULL REFERENCES tcodes(code), word TEXT);
     INSERT INTO tcodes VALUES ('Abc', 'l'), ('Other', 'm');
     INSERT INTO trefs VALUES (1, 'ABC', 1), (2, 'abc', 2), (3, 'Abc', 3), (4, 'Other', 4), (5, NULL, 5);
     INSERT INTO tags VALUES ('new', 'w'); INSERT INTO tref_tags VALUES (1, 'new  '); INSERT INTO badges VALUES ('aBC', 'b');`,
  )
  const ids = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ id }) => id)
  const all = listed(await ask("GET", "/trefs?sort=id&include=code"))
  const found = all.map(({ codeId, code }) => [codeId, (code as { id: string } | null)?.id])
  const [abc, other] = [
    ["tcode_Abc", "tcode_Abc"],
    ["tcode_Other", "tcode_Other"],
  ]
  assert.deepEqual(found, [abc, abc, abc, other, [null, undefined]])
  const mine = ["tref_1", "tref_2", "tref_3"]
  const { trefs, badge } = (await ask("GET", "/tcodes/Abc?include=trefs,badge")).body as {
    trefs: { data: Readonly<Record<string, unknown>>[] }
    badge: { word: string }
  }
  assert.deepEqual([ids(trefs.data), badge.word], [mine, "b"])
  for (const filter of [
    "filter[codeId]=tcode_Abc",
    "filter[codeId][in]=tcode_Abc",
    "filter[code.label]=l",
    "filter[code.label][startsWith]=l",
  ])
    assert.deepEqual(ids(listed(await ask("GET", `/trefs?sort=id&${filter}`))), mine, filter)
  assert.deepEqual(ids(listed(await ask("GET", "/tcodes?filter[trefs.some.n]=2"))), ["tcode_Abc"])
  assert.deepEqual(ids(listed(await ask("GET", "/trefs?filter[tags.some.word]=w"))), ["tref_1"])
  assert.deepEqual(ids(listed(await ask("GET", "/trefs/1/tags"))), ["tag_new"])
  assert.deepEqual(ids(listed(await ask("GET", "/tags/new/trefs"))), ["tref_1"])
  assert.equal((await ask("DELETE", "/tcodes/Abc")).code, "still_referenced")
  assert.equal((await ask("DELETE", "/trefs/1/tags/new")).status, 204)
  assert.deepEqual(listed(await ask("GET", "/trefs/1/tags")), [])
})
