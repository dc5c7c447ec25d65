// Constraints of somebody else's SQLite tables that settle conflicts in their own way: no record goes that nobody asked to go.
import assert from "node:assert/strict"
import { test } from "node:test"
import { openTheirs } from "./theirs.ts"

const tables = `
  CREATE TABLE takers (id INTEGER PRIMARY KEY, code TEXT UNIQUE /* not ON CONFLICT ABORT */ ON CONFLICT REPLACE, word TEXT);
  CREATE TABLE shirkers (id INTEGER PRIMARY KEY, code TEXT, word TEXT, UNIQUE (code) ON CONFLICT IGNORE);
  CREATE TABLE losers (id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT FAIL, word TEXT);
  CREATE TABLE enders (id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT ROLLBACK, word TEXT);
  CREATE TABLE plains (id INTEGER PRIMARY KEY, code TEXT UNIQUE, word TEXT DEFAULT 'on conflict replace');
  CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL);
  CREATE TRIGGER listed AFTER INSERT ON plains BEGIN INSERT OR IGNORE INTO words VALUES (NEW.word); END;
  INSERT INTO words VALUES ('there');`
const names = ["takers", "shirkers", "losers", "enders", "plains"] as const

for (const name of names)
  test(`a value that is taken is refused, and no record goes for it: ${name}`, async (context) => {
    const { ask } = await openTheirs(
      context,
      `${tables} INSERT INTO ${name} VALUES (1, 'a', 'one'), (2, 'b', 'two');`,
    )
    const answers = [
      await ask("POST", `/${name}`, { code: "a", word: "new" }),
      await ask("PATCH", `/${name}/2`, { code: "a" }),
      await ask("PUT", `/${name}/code=b`, { word: "deux" }),
      await ask("POST", `/${name}`, { code: "c", word: "there" }),
    ]
    assert.deepEqual(
      answers.map(({ status, code }) => code ?? status),
      ["already_exists", "already_exists", 200, 201],
    )
    const { body } = await ask("GET", `/${name}?sort=id&fields=code,word`)
    const { data } = body as { data: readonly { code: string; word: string }[] }
    assert.deepEqual(
      data.map(({ code, word }) => [code, word]),
      [
        ["a", "one"],
        ["b", "deux"],
        ["c", "there"],
      ],
    )
  })

test("only a table that settles conflicts is told not to, since its triggers would have to do likewise", async (context) => {
  const { model } = await openTheirs(context, tables)
  const told = [...model.resources.values()]
    .filter(({ onConflict }) => onConflict)
    .map(({ table }) => table.name)
  assert.deepEqual(
    told,
    ["ender", "loser", "shirker", "taker"].map((name) => `${name}s`),
  )
})
