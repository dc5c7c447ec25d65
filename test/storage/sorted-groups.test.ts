// Which reads of a SQLite file run in the main thread, on a table where an index gives a part of the order only.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { f, many, one, resource, service } from "bifold"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, type Hooks, temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { countReaders, serveFile } from "./served-file.ts"

const model = loadOpen(
  service({
    name: "tickets",
    resources: {
      queue: resource({
        key: { column: "id", type: "integer" },
        fields: { name: f.text() },
        relations: { tickets: many("ticket", { by: "queue" }) },
      }),
      ticket: resource({
        key: { column: "id", type: "integer" },
        fields: { status: f.text(), serial: f.integer(), note: f.text() },
        relations: { queue: one("queue") },
        indexes: [["status"], ["serial"], ["queue", "status"]],
      }),
    },
  }),
)

const rows = 50_000

async function open(hooks: Hooks, analysed: boolean) {
  const path = join(await temporaryFolder(hooks), "tickets.db")
  await setUp(
    path,
    createSchema(model, sqlite).map((text) => ({ text, parameters: [] })),
  )
  const database = new DatabaseSync(path)
  database.exec(`
    INSERT INTO queue (id, name) SELECT value, 'q' FROM json_each('[${Array.from({ length: 1_000 }, (_, index) => index + 1)}]');
    INSERT INTO ticket (id, status, serial, note, queue_id)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    SELECT i, 's' || (i % 3), i, 'note', 1 + i % 1000 FROM n`)
  if (analysed) database.exec("ANALYZE")
  database.close()
  const storage = await openStorage(path, { writes: "none" })
  const base = await serveFile(hooks, model, storage)
  return async (path: string): Promise<number> => {
    const answer = await fetch(`${base}${path}`)
    const body = (await answer.json()) as { readonly data: unknown }
    assert.equal(answer.status, 200, JSON.stringify(body))
    return readers.started
  }
}

const readers = countReaders()

describe("a page in the order of an index", () => {
  const hooks = cleanUp(after)

  for (const analysed of [false, true])
    it(`is read beside others where many rows are sorted for it, ${analysed ? "with" : "without"} ANALYZE`, async () => {
      readers.started = 0
      const get = await open(hooks, analysed)
      for (const path of [
        "/tickets/ticket_1",
        "/tickets?limit=2&sort=status",
        "/tickets?limit=2&sort=serial",
        "/tickets?limit=2&sort=-id",
        // Each row has a number of its own.
        "/tickets?limit=2&sort=-serial",
        "/queues/queue_1?include=tickets",
        "/queues?limit=2&include=tickets",
      ])
        assert.equal(await get(path.replace(/(ticket|queue)_/, "")), 0, path)
      assert.equal(await get("/tickets?limit=2&sort=-status"), 1)
    })
})
