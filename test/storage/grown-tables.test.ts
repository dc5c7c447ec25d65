// A SQLite table that was small when the service began and has grown since: what reads much of it leaves the main thread at once.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import type { Worker } from "node:worker_threads"
import { f, resource, service } from "bifold"
import { present } from "../../src/base/invariant.ts"
import { everybodyIn } from "../../src/identity/identify.ts"
import { createServer } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Work } from "../../src/storage/write-request.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"

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
  const server = await createServer({
    ...createFaces({ model, storage, base: "", secret: "a secret of the tests" }),
    identify: everybodyIn(model),
    base: "",
    cors: [],
    bodyLimit: 1024,
    loopbackOnly: false,
    observe: () => {},
    host: "127.0.0.1",
    port: 0,
  })
  hooks.after(() => server.close().then(() => storage.close()))
  const get = async (query: string): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/tickets?limit=2&${query}`)
    assert.equal(answer.status, 200, await answer.text())
  }
  return { path, storage, get }
}

/** Threads that read, which have little memory, unlike other threads of this process. */
let started = 0
const count = (thread: Worker): void => {
  if (thread.resourceLimits?.maxYoungGenerationSizeMb === 12) started += 1
}
before(() => void process.on("worker", count))
after(() => void process.off("worker", count))

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
    started = 0
    const { storage, get } = await open(context)
    await get(query)
    assert.equal(started, 0, "a small table is read in the main thread")
    const write = present(storage.write, "it was opened for writing")
    await Promise.all(Array.from({ length: rows }, (_, id) => write({ shape, parameters: [id + 1] })))
    await get(query)
    assert.equal(started, 1)
    await get("sort=id")
  })

test("so are records of a transaction of user code, and after a moment those of another process", {
  timeout: 60_000,
}, async (context) => {
  for (const isOwn of [true, false]) {
    started = 0
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
    if (isOwn) assert.equal(started, 1)
    while (started === 0) await get("sort=note")
  }
})
