// Somebody else changes the database while it is served: what is hurt answers 503, the rest goes on, and what has been mended
// comes back.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { Readable } from "node:stream"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { findMismatches } from "../../src/model/introspection/schema-mismatches.ts"
import type { Entry } from "../../src/observe/logs/catalog.ts"
import { entryOf } from "../../src/observe/observations.ts"
import { openTerminal } from "../../src/observe/terminal/terminal.ts"
import { everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import type { Observe } from "../../src/server/observation.ts"
import { createFaces } from "../../src/server/service.ts"
import { watchDatabase } from "../../src/service/database-check.ts"
import { inspect } from "../../src/storage/introspection/inspect.ts"
import { openStorage } from "../../src/storage/open.ts"
import { inspectSql } from "../introspection/databases.ts"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"

const tables = `CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, code TEXT, author_id INTEGER REFERENCES author (id));
  CREATE UNIQUE INDEX book_code ON book (code);
  INSERT INTO author VALUES (1, 'Ada');
  INSERT INTO book VALUES (1, 'One', 7, 'one', 1);`

/** @param observe for what a log has of it, in the place of its text */
async function open(hooks: Hooks, database: Database, observe?: Observe) {
  const { url, model: made } = await inspectSql(hooks, database, tables)
  const said: string[] = []
  const stream = { write: (text: string) => said.push(text) }
  const terminal = openTerminal({ stdin: Readable.from([]), stdout: stream, stderr: stream, env: {} })
  const { model, drift } = watchDatabase(
    { ...terminal, ...(observe && { observe }) },
    { model: made, database: url },
  )
  let looks = 0
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const look = (): Promise<boolean> => {
    looks += 1
    return drift.look()
  }
  const served = openModel(model)
  const { facesFor, health } = createFaces({ model: served, storage, secret: "s", base: "", drift: { look } })
  const actor = everybodyOf(served)
  const ask = async (method: string, address: string, body?: object) => {
    const [path = "", query = ""] = address.split("?")
    const request = { method, path, query, requestId: "test", actor }
    const answer = await facesFor(actor).rest({
      ...request,
      headers: body ? { "content-type": "application/json" } : {},
      body: Buffer.from(body ? JSON.stringify(body) : ""),
    })
    const text = String(answer.body ?? "")
    const code = answer.status >= 400 ? `${answer.status} ${JSON.parse(text).code}` : String(answer.status)
    return code
  }
  const change = async (sql: string): Promise<void> => {
    if (database === "sqlite") {
      const other = new DatabaseSync(url)
      other.exec(sql)
      other.close()
      return
    }
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  const healthy = async (wanted: number | "no"): Promise<void> => {
    let found: number | string = ""
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
      found = await health().then(
        ({ unavailable }) => unavailable,
        () => "no",
      )
      if (found === wanted) return
    }
    assert.equal(found, wanted)
  }
  return { ask, change, said, looks: () => looks, made, url, healthy }
}

const hurt = "503 resource_unavailable"

test("a log has an event of its own for what goes, and for its return", async (t) => {
  const entries: Entry[] = []
  const { ask, change, said, healthy } = await open(t, "sqlite", (one) => void entries.push(entryOf(one)))
  await change("ALTER TABLE book RENAME TO tome")
  assert.equal(await ask("GET", "/books"), hurt)
  await change("ALTER TABLE tome RENAME TO book")
  await sleep(1_050)
  assert.equal(await ask("GET", "/books"), "200")
  await healthy(0)
  assert.deepEqual(said, [])
  assert.deepEqual(
    entries.map(({ event }) => event),
    ["schema_drifted", "schema_repaired"],
  )
  const [{ members } = { members: {} }] = entries
  assert.match(JSON.stringify(members), /"code":"database_mismatch".*has no table \\"book\\"/)
})

/** SQLite gives the key itself. */
const newBook = (database: Database): object => (database === "sqlite" ? {} : { id: 9 })

for (const database of dialects)
  test(`${database}: a column that goes while it is served hurts its resource, until it is back`, async (t) => {
    const { ask, change, said, looks } = await open(t, database)
    assert.equal(await ask("GET", "/books?include=author"), "200")
    assert.equal(
      await ask("POST", "/books", { id: 2, title: "Two" }).then((code) => code.slice(0, 3)),
      database === "sqlite" ? "400" : "201",
    )
    await change("ALTER TABLE book RENAME COLUMN title TO name")
    const all = await Promise.all(Array.from({ length: 20 }, () => ask("GET", "/books")))
    assert.deepEqual(new Set(all), new Set([hurt]))
    assert.equal(looks(), 1)
    assert.match(said.join(""), /title.*\n.*These resources answer 503/s)
    said.length = 0
    for (const [method, address, body] of [
      ["GET", "/books/1"],
      ["GET", "/books?fields=pages"],
      ["GET", "/authors?include=books"],
      ["PATCH", "/books/1", { pages: 8 }],
      [
        "POST",
        "/authors",
        database === "sqlite" ? { books: { create: [{}] } } : { id: 3, books: { create: [{ id: 4 }] } },
      ],
    ] as const)
      assert.equal(await ask(method, address, body), hurt, address)
    assert.equal(await ask("GET", "/authors"), "200")
    await change("ALTER TABLE book RENAME COLUMN name TO title")
    await sleep(1_050)
    assert.equal(await ask("GET", "/books/1"), "200")
    assert.deepEqual(said, ["The database has all that the service needs again.\n"])
    assert.equal(await ask("PATCH", "/books/1", { pages: 8 }), "200")
    await change("ALTER TABLE book RENAME TO tome")
    assert.equal(await ask("PATCH", "/books/1", { pages: 9 }), hurt)
    assert.equal(await ask("GET", "/authors"), "200")
  })

for (const database of dialects)
  test(`${database}: a record that is made is the first to meet what is gone, which is no fault of ours`, async (t) => {
    const { ask, change } = await open(t, database)
    assert.equal(await ask("PUT", "/books/code=a", { ...newBook(database), title: "A" }), "201")
    await change("DROP INDEX book_code")
    assert.equal(
      await ask("PUT", "/books/code=a", { ...newBook(database), title: "B" }),
      "503 database_mismatch",
    )
    await change("ALTER TABLE book RENAME COLUMN title TO name")
    assert.equal(await ask("POST", "/books", { ...newBook(database), title: "Two" }), hurt)
  })

for (const database of dialects)
  test(`${database}: the health check counts what is hurt, though nobody asks for it`, async (t) => {
    const { change, healthy, ask } = await open(t, database)
    await healthy(0)
    await change("ALTER TABLE book RENAME COLUMN title TO name")
    await healthy(1)
    await change("ALTER TABLE book RENAME COLUMN name TO title")
    await healthy(0)
    // The first resource, which the check asks for.
    await change("ALTER TABLE author RENAME TO writer")
    await healthy(1)
    assert.equal(await ask("GET", "/books"), "200")
    await change("ALTER TABLE book RENAME TO tome")
    await healthy("no")
  })

test("postgres: a column of another type hurts as well, at the start and later", async (t) => {
  const { ask, change, made, url } = await open(t, "postgres")
  assert.equal(await ask("GET", "/books?filter[pages]=7"), "200")
  await change("ALTER TABLE book ALTER COLUMN pages TYPE text")
  assert.equal(await ask("GET", "/books?filter[pages]=7"), hurt)
  assert.deepEqual(
    findMismatches(made, await inspect(url)).map(({ place, message }) => [place, message]),
    [
      [
        ["resources", "book"],
        'The column "pages" of the table "book" is of the type text, which is not an integer.',
      ],
    ],
  )
})
