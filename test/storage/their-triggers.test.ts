// Triggers of somebody else's SQLite tables: a write that one of them skips or ends is refused, with nothing of it left, and
// what shares its commit is done.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
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
