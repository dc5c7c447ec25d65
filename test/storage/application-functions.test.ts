// SQLite files that need functions or collations of the application that made them: what can be read is served, and the rest
// is refused with its cause, never as a fault of the service.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { describe, it, type TestContext } from "node:test"
import { inspectService, makeDatabase, serveWriting } from "../introspection/databases.ts"

const tables = `
  CREATE TABLE hooked (id INTEGER PRIMARY KEY, name TEXT, slug TEXT);
  CREATE TRIGGER hooks AFTER INSERT ON hooked BEGIN UPDATE hooked SET slug = slugify(NEW.name) WHERE id = NEW.id; END;
  CREATE TABLE checked (id INTEGER PRIMARY KEY, name TEXT CHECK (slugify(name) <> ''));
  CREATE TABLE indexed (id INTEGER PRIMARY KEY, name TEXT);
  CREATE INDEX by_slug ON indexed (slugify(name));
  CREATE TABLE made (id INTEGER PRIMARY KEY, name TEXT, slug TEXT GENERATED ALWAYS AS (slugify(name)) VIRTUAL,
    kept TEXT GENERATED ALWAYS AS (slugify(name)) STORED);
  CREATE TABLE filled (id INTEGER PRIMARY KEY, name TEXT, slug TEXT DEFAULT (slugify('X')));
  CREATE TABLE folded (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE);
  CREATE TABLE keyed (name TEXT COLLATE NOCASE PRIMARY KEY);
  CREATE VIEW seen AS SELECT id, slugify(name) AS slug FROM hooked;
  ${["hooked", "checked", "indexed", "made", "filled", "folded", "keyed"].map((table) => `INSERT INTO ${table} (name) VALUES ('One');`).join(" ")}
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'unicase');`

async function open(t: TestContext) {
  const url = await makeDatabase(t, "sqlite", "")
  const application = new DatabaseSync(url)
  application.enableDefensive(false)
  application.function("slugify", { deterministic: true }, (text: unknown) => String(text).toLowerCase())
  application.exec(tables)
  application.close()
  const inspected = await inspectService(url, "made")
  return { inspected, ...(await serveWriting(t, inspected)) }
}

describe("a SQLite file that needs an application's functions and collations", () => {
  it("is read but for what needs them, which the notes name", async (t) => {
    const { ask, mutate, inspected } = await open(t)
    for (const path of ["hookeds", "checkeds", "indexeds", "mades", "filleds", "foldeds"]) {
      const { status, json } = await ask("GET", `/${path}`)
      assert.equal(status, 200, path)
      const [first] = json["data"] as readonly { name: string; kept?: string; slug?: string }[]
      assert.equal(first?.name, "One")
      if (path === "mades") assert.deepEqual([first.kept, first.slug], ["one", undefined])
    }
    const places = inspected.notes.map(({ place }) => place.join("."))
    assert.deepEqual(places.toSorted(), ["keyed", "made.slug", "seen"])
    const { json } = await mutate("{ mades { nodes { name kept } } }")
    assert.deepEqual(json["data"], { mades: { nodes: [{ name: "One", kept: "one" }] } })
    const sorted = await ask("GET", "/foldeds?sort=name")
    assert.ok(
      sorted.status === 200 || sorted.json["code"] === "resource_unavailable",
      JSON.stringify(sorted.json),
    )
  })

  it("refuses what needs them with its cause, by both faces, and changes nothing", async (t) => {
    const { ask, mutate } = await open(t)
    const before = (await ask("GET", "/hookeds")).json
    for (const [method, path] of [
      ["POST", "/hookeds"],
      ["POST", "/checkeds"],
      ["PATCH", "/checkeds/1"],
      ["POST", "/indexeds"],
      ["PATCH", "/indexeds/1"],
      ["DELETE", "/indexeds/1"],
      ["POST", "/mades"],
      ["PATCH", "/mades/1"],
      ["POST", "/filleds"],
      ["POST", "/foldeds"],
      ["PATCH", "/foldeds/1"],
      ["DELETE", "/foldeds/1"],
    ] as const) {
      const { status, json } = await ask(method, path, method === "DELETE" ? undefined : { name: "x" })
      assert.deepEqual([status, json["code"]], [503, "resource_unavailable"], `${method} ${path}`)
      assert.match(String(json["detail"]), /a function or a collation of another application/)
    }
    const { json } = await mutate('mutation { createHooked(input: { name: "q" }) { hooked { id } } }')
    assert.match(JSON.stringify(json["errors"]), /"resource_unavailable"/)
    assert.deepEqual((await ask("GET", "/hookeds")).json, before)
    assert.equal((await ask("PATCH", "/hookeds/1", { name: "y" })).status, 200, "the trigger is for others")
    assert.equal((await ask("DELETE", "/checkeds/1")).status, 204)
  })
})
