// A SQLite table that was small when the service began and has grown since: what reads much of it leaves the main thread at once.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { f, resource, service } from "bifold"
import { present } from "../../src/base/invariant.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Work } from "../../src/storage/write-request.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { countReaders, serveFile } from "./served-file.ts"

const model = loadOpen(
  service({
    name: "tickets",
    resources: {
      ticket: resource({
        key: { column: "id", type: "integer" },
        fields: { status: f.text(), note: f.text() },
        indexes: [["status"]],
      }),
    },
  }),
)

async function open(hooks: Hooks) {
  const path = join(await temporaryFolder(hooks), "tickets.db")
  await setUp(
    path,
    createSchema(model, sqlite).map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(path, { writes: "durable" })
  const base = await serveFile(hooks, model, storage)
  const get = async (query: string): Promise<void> => {
    const answer = await fetch(`${base}/tickets?limit=2&${query}`)
    assert.equal(answer.status, 200, await answer.text())
  }
  return { path, storage, get }
}

const readers = countReaders()
const rows = 10_000
const insertion = "INSERT INTO ticket (id, status, note) VALUES (?, 's', 'note') RETURNING CAST(id AS TEXT)"
const shape: Work["shape"] = {
  commands: [{ text: insertion, takes: 1 }],
  wanted: [0],
  single: true,
  takes: 1,
  sure: true,
}

const manyRows = ["sort=-status", "sort=note", "filter[note]=other"]

for (const query of manyRows)
  test(`${query} of records that were made just now is read beside others`, async (context) => {
    readers.started = 0
    const { storage, get } = await open(context)
    await get(query)
    assert.equal(readers.started, 0, "a small table is read in the main thread")
    const write = present(storage.write, "it was opened for writing")
    await Promise.all(Array.from({ length: rows }, (_, id) => write({ shape, parameters: [id + 1] })))
    await get(query)
    assert.equal(readers.started, 1)
    await get("sort=id")
  })

test("so are records of a transaction of user code, and after a moment those of another process", {
  timeout: 60_000,
}, async (context) => {
  for (const isOwn of [true, false]) {
    readers.started = 0
    const { path, storage, get } = await open(context)
    const text = `INSERT INTO ticket (id, status, note)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i, 's', 'note' FROM n`
    if (isOwn)
      await present(storage.transact, "it was opened for writing")(
        async (session) => {
          const shape = { commands: [{ text, takes: 0 }], wanted: [], takes: 0, sure: false }
          await session.run({ shape, parameters: [] })
          return [null]
        },
        { lasts: 10_000 },
      )
    else {
      const other = new DatabaseSync(path)
      other.exec(text)
      other.close()
    }
    await get("sort=note")
    if (isOwn) assert.equal(readers.started, 1)
    while (readers.started === 0) await get("sort=note")
  }
})
