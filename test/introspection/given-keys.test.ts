// Keys that no database makes: they are given when the record is made, as its id, and never change.
import assert from "node:assert/strict"
import { test } from "node:test"
import { dialects } from "../support/open-service.ts"
import { inspectSql, serveWriting } from "./databases.ts"

const tables = {
  postgres: `CREATE TABLE plain (id int PRIMARY KEY, n int, code text UNIQUE);
    CREATE TABLE long (number bigint PRIMARY KEY, n int, code text UNIQUE);
    CREATE TABLE named (id varchar(9) PRIMARY KEY, n int, code text UNIQUE);
    CREATE TABLE random (id uuid PRIMARY KEY, n int, code text UNIQUE);
    CREATE TABLE child (id serial PRIMARY KEY, plain_id int NOT NULL REFERENCES plain);`,
  sqlite: `CREATE TABLE plain (id INT PRIMARY KEY, n INTEGER, code TEXT UNIQUE);
    CREATE TABLE long (number BIGINT PRIMARY KEY, n INTEGER, code TEXT UNIQUE);
    CREATE TABLE named (id TEXT PRIMARY KEY, n INTEGER, code TEXT UNIQUE);
    CREATE TABLE random (id UUID PRIMARY KEY, n INTEGER, code TEXT UNIQUE);
    CREATE TABLE child (id INTEGER PRIMARY KEY, plain_id INT NOT NULL REFERENCES plain);`,
} as const

const uuid = "0b6d2a3c-5c9e-4c1e-9d53-2f3d6a7f9c10"
const keys = [
  ["plain", "/plains", 5, "plain_5"],
  ["long", "/longs", "9007199254740993", "long_9007199254740993"],
  ["named", "/nameds", "a~b", "named_a~b"],
  ["random", "/randoms", uuid.toUpperCase(), `random_${uuid}`],
] as const

for (const database of dialects) {
  test(`${database}: a record is made with the id that is given, bare or whole, by both faces`, async (t) => {
    const made = await inspectSql(t, database, tables[database])
    const service = await serveWriting(t, made)
    for (const [name, path, bare, id] of keys) {
      assert.deepEqual(made.model.resources.get(name)?.key?.origin, "given")
      const first = await service.ask("POST", path, { id: bare, n: 1, code: "a" })
      assert.deepEqual([first.status, first.json["id"]], [201, id], JSON.stringify(first.json))
      const again = await service.ask("POST", path, { id, n: 1 })
      assert.deepEqual(
        [again.status, again.json["code"], again.json["detail"]],
        [409, "already_exists", `There is already another ${name} with the same \`id\`.`],
      )
      const without = await service.ask("POST", path, { n: 1 })
      assert.deepEqual([without.status, without.json["detail"]], [400, "`id` must be given."])
      const changed = await service.ask("PATCH", `${path}/${id}`, { id, n: 2 })
      assert.deepEqual([changed.status, changed.json["n"]], [200, 2], JSON.stringify(changed.json))
      const elsewhere = name === "random" ? uuid.replace("0", "2") : "7"
      const contradicted = await service.ask("PATCH", `${path}/${id}`, { id: elsewhere, n: 2 })
      assert.deepEqual(
        [contradicted.status, contradicted.json["code"]],
        [400, "readonly_field"],
        JSON.stringify(contradicted.json),
      )
      const upserted = await service.ask("PUT", `${path}/code=a`, { id, n: 3 })
      assert.deepEqual([upserted.status, upserted.json["n"]], [200, 3], JSON.stringify(upserted.json))
      const other = name === "random" ? uuid.replace("0", "1") : "6"
      const moved = await service.ask("PUT", `${path}/code=a`, { id: other, n: 3 })
      assert.deepEqual(
        [moved.status, moved.json["detail"]],
        [400, "`id` is given when the record is made, and never changes."],
      )
      assert.equal((await service.ask("DELETE", `${path}/${id}`)).status, 204)
      const replaced = await service.ask("PUT", `${path}/${id}`, { n: 4, code: "b" })
      assert.deepEqual([replaced.status, replaced.json["id"]], [201, id], JSON.stringify(replaced.json))
      const type = `${name[0]?.toUpperCase()}${name.slice(1)}`
      const graphql = await service.mutate(
        `mutation ($input: ${type}CreateInput!) { delete${type}(id: "${id}") { deletedId } create${type}(input: $input) { ${name} { id n } } }`,
        { input: { id: bare, n: 6 } },
      )
      assert.deepEqual(graphql.json, {
        data: { [`delete${type}`]: { deletedId: id }, [`create${type}`]: { [name]: { id, n: 6 } } },
      })
    }
  })

  test(`${database}: what is nested in a record with a given id is related to it`, async (t) => {
    const service = await serveWriting(t, await inspectSql(t, database, tables[database]))
    const made = await service.ask("POST", "/plains?include=children", {
      id: 7,
      children: { create: [{}, {}] },
    })
    assert.deepEqual(made.json["children"], {
      data: [
        { id: "child_1", plainId: "plain_7" },
        { id: "child_2", plainId: "plain_7" },
      ],
      page: { next: null, prev: null },
    })
  })

  test(`${database}: a key that the database makes cannot be given`, async (t) => {
    const made = await inspectSql(
      t,
      database,
      database === "sqlite"
        ? "CREATE TABLE one (id INTEGER PRIMARY KEY, n INTEGER); CREATE TABLE two (id TEXT PRIMARY KEY NOT NULL DEFAULT (lower(hex(randomblob(8)))), n INTEGER);"
        : "CREATE TABLE one (id serial PRIMARY KEY, n int); CREATE TABLE two (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int); CREATE TABLE three (id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, n int);",
    )
    const service = await serveWriting(t, made)
    for (const { path } of made.model.resources.values()) {
      assert.equal((await service.ask("POST", `/${path}`, { n: 1 })).status, 201)
      const given = await service.ask("POST", `/${path}`, { id: "1", n: 1 })
      assert.equal(given.json["detail"], "`id` is made when the record is, and never changes.")
    }
  })
}

test("sqlite: INTEGER PRIMARY KEY DESC, and one without rowid, are no aliases of the rowid", async (t) => {
  const made = await inspectSql(
    t,
    "sqlite",
    "CREATE TABLE down (id INTEGER PRIMARY KEY DESC, n INTEGER); CREATE TABLE bare (id INTEGER PRIMARY KEY, n INTEGER) WITHOUT ROWID;",
  )
  const service = await serveWriting(t, made)
  for (const path of ["/downs", "/bares"])
    assert.equal((await service.ask("POST", path, { id: 3, n: 1 })).status, 201)
})

test("sqlite: an id that the column would change is refused", async (t) => {
  const made = await inspectSql(t, "sqlite", "CREATE TABLE loose (id STRING PRIMARY KEY, n INTEGER);")
  const service = await serveWriting(t, made)
  for (const [method, path, body] of [
    ["POST", "/looses", { id: "007" }],
    ["PUT", "/looses/007", {}],
  ] as const) {
    const { status, json } = await service.ask(method, path, body)
    assert.deepEqual([status, json["code"]], [400, "invalid_value"])
    assert.match(String(json["detail"]), /must be text that does not look like a number/)
  }
})
