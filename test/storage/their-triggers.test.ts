// Triggers of somebody else's SQLite tables: a write that one of them skips or ends is refused, with nothing of it left, and
// what shares its commit is done.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { present } from "../../src/base/invariant.ts"
import { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Work } from "../../src/storage/write-request.ts"
import { makeDatabase } from "../introspection/databases.ts"
import { openTheirs } from "./theirs.ts"

test("a deletion that a trigger turns into something else is refused, and nothing of it is left", async (context) => {
  const { ask, url } = await openTheirs(
    context,
    `CREATE TABLE sds (id INTEGER PRIMARY KEY, name TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0);
     CREATE TRIGGER keep BEFORE DELETE ON sds BEGIN UPDATE sds SET deleted = 1 WHERE id = OLD.id; SELECT RAISE(IGNORE); END;
     INSERT INTO sds VALUES (1, 'one', 0), (2, 'two', 0);`,
  )
  const refused = await ask("DELETE", "/sds/1")
  assert.deepEqual([refused.status, refused.code], [422, "rule_violated"])
  const several = await ask("DELETE", "/sds?filter[id][in]=1,2", undefined, { prefer: "max-affected=5" })
  assert.deepEqual([several.status, several.code], [422, "rule_violated"])
  const [answer] = await Promise.all([
    ask("DELETE", "/sds/1"),
    ask("PATCH", "/sds/2", { name: "deux" }),
    ask("POST", "/sds", { name: "three" }),
  ])
  assert.equal(answer.status, 422)
  assert.equal((await ask("DELETE", "/sds/99")).status, 404)
  assert.deepEqual(rowsOf(url, "SELECT id, name, deleted FROM sds"), [
    [1, "one", 0],
    [2, "deux", 0],
    [3, "three", 0],
  ])
})

test("a change or a record that a trigger skips is refused as what breaks a rule", async (context) => {
  const { ask, url } = await openTheirs(
    context,
    `CREATE TABLE notes (id INTEGER PRIMARY KEY, word TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0);
     CREATE TABLE codes (code TEXT PRIMARY KEY NOT NULL, word TEXT);
     CREATE TRIGGER quiet BEFORE INSERT ON notes WHEN NEW.word = 'no' BEGIN UPDATE notes SET tries = tries + 1; SELECT RAISE(IGNORE); END;
     CREATE TRIGGER still BEFORE UPDATE OF word ON notes WHEN NEW.word = 'no' BEGIN UPDATE notes SET tries = tries + 1; SELECT RAISE(IGNORE); END;
     CREATE TRIGGER mute BEFORE INSERT ON codes WHEN NEW.word = 'no' BEGIN SELECT RAISE(IGNORE); END;
     INSERT INTO notes VALUES (1, 'one', 0);`,
  )
  const answers = [
    await ask("POST", "/notes", { word: "no" }),
    await ask("PATCH", "/notes/1", { word: "no" }),
    await ask("POST", "/codes", { code: "a", word: "no" }),
    await ask("PUT", "/codes/a", { word: "no" }),
  ]
  for (const { status, code } of answers) assert.deepEqual([status, code], [422, "rule_violated"])
  assert.equal((await ask("PATCH", "/notes/2", { word: "no" })).status, 404)
  assert.deepEqual(rowsOf(url, "SELECT id, word, tries FROM notes"), [[1, "one", 0]])
  const { etag } = await ask("GET", "/notes/1")
  const headers = { "if-match": String(etag) }
  assert.equal((await ask("PATCH", "/notes/1", { word: "no" }, headers)).status, 422)
  assert.equal((await ask("PATCH", "/notes/1", { word: "no" }, { "if-match": '"other"' })).status, 412)
})

test("a trigger that ends the transaction fails its own write, and none beside it", async (context) => {
  const { ask, url } = await openTheirs(
    context,
    `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
     CREATE TRIGGER fatal BEFORE INSERT ON things WHEN NEW.name LIKE 'bad%' BEGIN SELECT RAISE(ROLLBACK, 'secret'); END;`,
  )
  const names = Array.from({ length: 400 }, (_, index) =>
    index % 13 === 5 ? `bad ${index}` : `good ${index}`,
  )
  const answers = await Promise.all(names.map((name) => ask("POST", "/things", { name })))
  assert.deepEqual(
    answers.map(({ status, code }) => code ?? status),
    names.map((name) => (name.startsWith("bad") ? "rule_violated" : 201)),
  )
  const kept = rowsOf(url, "SELECT name FROM things").flat().map(String)
  assert.deepEqual(kept.toSorted(), names.filter((name) => name.startsWith("good")).toSorted())
})

test("a constraint that ends the transaction fails its own write, and none beside it", async (context) => {
  const path = await makeDatabase(
    context,
    "sqlite",
    `CREATE TABLE things (name TEXT NOT NULL UNIQUE ON CONFLICT ROLLBACK); INSERT INTO things VALUES ('there');`,
  )
  const storage = await openStorage(path, { writes: "durable" })
  context.after(() => storage.close())
  const write = present(storage.write, "it was opened for writing")
  const outcomes = await Promise.all(["a", "there", "a", "b", "there", "c"].map((name) => write(make(name))))
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.kind === "violated" ? outcome.violation.rule : outcome.kind)),
    ["done", "unique", "unique", "done", "unique", "done"],
  )
  assert.deepEqual(rowsOf(path, "SELECT name FROM things"), [["there"], ["a"], ["b"], ["c"]])
})

test("own code that catches what ended its transaction has changed nothing, and no later write of it stays", async (context) => {
  const path = await makeDatabase(
    context,
    "sqlite",
    `CREATE TABLE things (name TEXT NOT NULL UNIQUE ON CONFLICT ROLLBACK); INSERT INTO things VALUES ('there');`,
  )
  const storage = await openStorage(path, { writes: "durable" })
  context.after(() => storage.close())
  const transact = present(storage.transact, "it was opened for writing")
  const done = transact(
    async (session) => {
      assert.equal((await session.run(make("a"))).kind, "ran")
      assert.equal((await session.run(make("there"))).kind, "violated")
      await session.run(make("b")).catch(() => {})
      await session.within((inner) => inner.run(make("c"))).catch(() => {})
      return [null]
    },
    { lasts: 5_000 },
  )
  await assert.rejects(
    done,
    (fault) => fault instanceof Refusal && fault.problems[0].code === "rule_violated",
  )
  assert.deepEqual(rowsOf(path, "SELECT name FROM things"), [["there"]])
})

const make = (name: string): Work => ({
  shape: {
    commands: [{ text: "INSERT INTO things (name) VALUES (?) RETURNING name", takes: 1, present: true }],
    wanted: [0],
    takes: 1,
    sure: true,
  },
  parameters: [name],
})

function rowsOf(path: string, query: string): readonly (readonly unknown[])[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => Object.values(row))
  } finally {
    database.close()
  }
}
