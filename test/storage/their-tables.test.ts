// Somebody else's SQLite tables at the edge of what there is: names that hide the rowid, a thousand columns, foreign keys
// that lead nowhere.
import assert from "node:assert/strict"
import { test } from "node:test"
import { inspectSql } from "../introspection/databases.ts"
import { openTheirs } from "./theirs.ts"

test("rows without a key are told apart by the name of the rowid that is free, whatever the case of others", async (context) => {
  for (const columns of [
    `oid INTEGER, "ROWID" TEXT`,
    `"Rowid" TEXT, "_RowId_" TEXT`,
    `"_rowid_" TEXT, "OID" TEXT`,
  ]) {
    const { ask } = await openTheirs(
      context,
      `CREATE TABLE pairs (${columns}); INSERT INTO pairs VALUES (1, 'a'), (1, 'a'), (1, 'a');`,
    )
    let address: string | undefined = "/pairs?limit=1"
    let count = 0
    while (address !== undefined) {
      const { body } = await ask("GET", address)
      const { data, page } = body as { data: readonly unknown[]; page: { next: string | null } }
      count += data.length
      address =
        page.next === null
          ? undefined
          : `/pairs?limit=1&after=${new URL(page.next, "http://x").searchParams.get("after") ?? page.next}`
    }
    assert.equal(count, 3, columns)
  }
  const { model } = await openTheirs(context, `CREATE TABLE none (OID TEXT, "RowId" TEXT, _ROWID_ TEXT);`)
  assert.equal(model.resources.get("none")?.tiebreak, "columns")
})

test("a record of a table of more columns than a function takes arguments is written", async (context) => {
  const columns = Array.from({ length: 1_200 }, (_, index) => `c${index} TEXT`)
  const { ask } = await openTheirs(
    context,
    `CREATE TABLE wides (id INTEGER PRIMARY KEY, ${columns.join(", ")}); INSERT INTO wides (id, c7) VALUES (1, 'a');`,
  )
  const { etag } = await ask("GET", "/wides/1?fields=c7")
  const headers = { "if-match": String(etag) }
  const changed = await ask("PATCH", "/wides/1?fields=c1199", { c1199: "z" }, headers)
  assert.equal(changed.status, 200)
  assert.notEqual(changed.etag, etag)
  assert.equal((await ask("PATCH", "/wides/1", { c1199: "y" }, headers)).status, 412)
  assert.equal((await ask("POST", "/wides", { c600: "b" })).status, 201)
})

test("a foreign key that leads nowhere is no relation, and what it keeps from being written is told", async (context) => {
  const tables = `
    CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE a (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents(missing));
    CREATE TABLE b (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES nowhere(id));
    CREATE TABLE c (id INTEGER PRIMARY KEY, parent INTEGER, other TEXT, FOREIGN KEY (parent, other) REFERENCES parents(id, missing));
    CREATE TABLE d (id INTEGER PRIMARY KEY, parent TEXT REFERENCES parents(name));`
  const { model, notes } = await inspectSql(context, "sqlite", tables)
  for (const name of ["a", "b", "c", "d"]) {
    assert.equal(model.resources.get(name)?.relations.size, 0, name)
    assert.ok(
      notes.some(({ place: [table], what }) => table === name && what === "no relation"),
      name,
    )
  }
  const { ask } = await openTheirs(context, tables)
  for (const [path, parent] of [
    ["/as", 1],
    ["/bs", 1],
    ["/cs", 1],
    ["/ds", "x"],
  ] as const) {
    const { status, code } = await ask("POST", path, { parent, ...(path === "/cs" && { other: "x" }) })
    assert.deepEqual([path, status, code], [path, 503, "database_mismatch"])
  }
})
