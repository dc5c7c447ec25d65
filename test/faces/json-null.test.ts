// JSON `null` in a column of JSON is no value: answers, conditions and writes of both faces agree on it.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { describe, it, type TestContext } from "node:test"
import pg from "pg"
import { anyone, f, resource, service } from "../../src/index.ts"
import { inspectSql, serveWriting, type Writing } from "../introspection/databases.ts"
import { emptyDatabase, openVersion } from "../log/versions.ts"
import { type Database, dialects } from "../support/open-service.ts"

const records = [
  [1, `'{"a":null}'`, `'[1]'`],
  [2, "'null'", "'null'"],
  [3, "'0'", "NULL"],
  [4, "'false'", "' null '"],
]
const values = records.map((row) => `(${row.join()})`).join()
const tables: Readonly<Record<Database, string>> = {
  postgres: `CREATE TABLE thing (id integer PRIMARY KEY, sure jsonb NOT NULL, maybe json, several jsonb[]);
    INSERT INTO thing (id, sure, maybe) VALUES ${values};
    UPDATE thing SET several = CASE id WHEN 1 THEN '{"1","null"}'::jsonb[] WHEN 2 THEN '{"1",NULL}' WHEN 3 THEN '{"[null]"}' END`,
  sqlite: `CREATE TABLE thing (id INTEGER PRIMARY KEY, sure JSON NOT NULL, maybe JSON);
    INSERT INTO thing (id, sure, maybe) VALUES ${values}`,
}

const open = async (t: TestContext, database: Database): Promise<Writing> =>
  serveWriting(t, await inspectSql(t, database, tables[database]))

const idsOf = (rows: unknown): readonly string[] =>
  (rows as readonly { readonly id: string }[]).map(({ id }) => id)

for (const database of dialects)
  describe(`JSON null in a column: ${database}`, { concurrency: true }, () => {
    it("is null where the field is optional, without an error, and an odd value where it is not", async (t) => {
      const { ask, mutate } = await open(t, database)
      const { json } = await ask("GET", "/things?fields=sure,maybe")
      assert.deepEqual(json["data"], [
        { id: "thing_1", sure: { a: null }, maybe: [1] },
        { id: "thing_2", sure: null, maybe: null },
        { id: "thing_3", sure: 0, maybe: null },
        { id: "thing_4", sure: false, maybe: null },
      ])
      assert.deepEqual(json["errors"], [
        {
          code: "unrepresentable_value",
          detail: "The stored value of `sure` does not fit its declaration.",
          pointer: "/data/1/sure",
        },
      ])
      const { json: maybe } = await mutate("{ things { nodes { maybe } } }")
      assert.equal(maybe["errors"], undefined)
      const { json: sure } = await mutate('{ a: thing(id: "2") { sure } b: thing(id: "3") { sure } }')
      assert.deepEqual(sure["data"], { a: null, b: { sure: 0 } })
      assert.deepEqual(
        (sure["errors"] as readonly { path: unknown; extensions: { code: string } }[]).map(
          ({ path, extensions }) => [path, extensions.code],
        ),
        [[["a", "sure"], "unrepresentable_value"]],
      )
    })

    it("is missing for conditions", async (t) => {
      const { ask, mutate } = await open(t, database)
      const missing = await ask("GET", "/things?filter[maybe][isNull]=true&fields=id")
      assert.deepEqual(idsOf(missing.json["data"]), ["thing_2", "thing_3", "thing_4"])
      const there = await ask("GET", "/things?filter[maybe][isNull]=false&fields=id")
      assert.deepEqual(idsOf(there.json["data"]), ["thing_1"])
      const { json } = await mutate(
        "{ things(where: { not: { maybe: { isNull: true } } }) { nodes { id } } }",
      )
      assert.deepEqual(json["data"], { things: { nodes: [{ id: "thing_1" }] } })
    })

    it("is cleared by what was read, and refused where there always is a value", async (t) => {
      const { ask } = await open(t, database)
      const { json: read } = await ask("GET", "/things/4")
      const { id: _, ...members } = read
      const put = await ask("PUT", "/things/4", members)
      assert.equal(put.status, 200, JSON.stringify(put.json))
      assert.deepEqual(put.json, read)
      const refused = await ask("PATCH", "/things/2", { sure: null })
      assert.equal(refused.status, 400)
      assert.equal(refused.json["code"], "invalid_value")
      const kept = await ask("PATCH", "/things/2", { maybe: { a: [null] } })
      assert.deepEqual(kept.json, {
        ...(database === "postgres" && { several: null }),
        id: "thing_2",
        sure: null,
        maybe: { a: [null] },
      })
    })
  })

describe("JSON null as an item of a list", () => {
  it("is an odd value of a jsonb[]", async (t) => {
    const { ask, mutate } = await open(t, "postgres")
    const { json } = await ask("GET", "/things?fields=several")
    assert.deepEqual(
      (json["data"] as readonly { several: unknown }[]).map(({ several }) => several),
      [null, null, [[null]], null],
    )
    assert.deepEqual(
      (json["errors"] as readonly { pointer: string }[]).map(({ pointer }) => pointer),
      ["/data/0/several", "/data/1/several"],
    )
    const { json: asked } = await mutate("{ things { nodes { several } } }")
    assert.equal((asked["errors"] as readonly unknown[]).length, 2)
  })

  for (const database of dialects)
    it(`is refused, and is an odd value where it is stored: ${database}`, async (t) => {
      const url = await emptyDatabase(t, database)
      const allow = { read: anyone, create: anyone, update: anyone }
      const listed = service({
        name: "listed",
        resources: { note: resource({ id: "note", fields: { facts: f.list(f.json()) }, allow }) },
      })
      const { client, close } = await openVersion(url, listed)
      t.after(close)
      const refused = await client.rest("POST", "/notes", { facts: [1, null] })
      assert.equal(refused.status, 400, JSON.stringify(refused.body))
      assert.match(JSON.stringify(refused.body), /not null \(item 2\)/)
      const made = await client.rest<{ id: string }>("POST", "/notes", { facts: [{ a: null }, [null]] })
      assert.equal(made.status, 201)
      const sql = `UPDATE note SET facts = ${database === "sqlite" ? "'[1,null]'" : `'{"1","null"}'`}`
      if (database === "sqlite") {
        const other = new DatabaseSync(url)
        other.exec(sql)
        other.close()
      } else {
        const other = new pg.Client({ connectionString: url })
        await other.connect()
        await other.query(sql)
        await other.end()
      }
      const read = await client.rest<{ facts: unknown }>("GET", `/notes/${made.body.id}`)
      assert.equal(read.body.facts, null)
      assert.match(read.headers["value-errors"] ?? "", /^count=1,/)
      const { data, errors } = await client.graphql(`{ note(id: "${made.body.id}") { facts } }`)
      assert.deepEqual(data, { note: null })
      assert.equal(errors[0]?.extensions.code, "unrepresentable_value")
    })
})
