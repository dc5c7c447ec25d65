// A prompt read of PostgreSQL that is ended while the server prepares it: those sent behind it rely on what it was to prepare.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import pg from "pg"
import type { Statement } from "../../src/sql/statement.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryPostgres } from "../support/database.ts"

const hooks = cleanUp(after)

test("reads behind one that a locked table kept from being prepared are answered", async () => {
  const address = await temporaryPostgres(hooks)
  const other = new pg.Client({ connectionString: address })
  await other.connect()
  hooks.after(() => other.end())
  await other.query("CREATE TABLE word (id integer); INSERT INTO word VALUES (1), (2)")
  const storage = await openStorage(address, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const read = async (text: string, id: number): Promise<string> =>
    String(await storage.read({ text } as Statement, [id], { pace: "prompt", long: false, usual: false }))
  await read("SELECT $1::integer", 0) // connects
  await other.query("BEGIN; LOCK TABLE word")
  const reads = [1, 2, 1, 2].map((id) => read("SELECT id FROM word WHERE id = $1", id))
  // Longer than a prompt read may take, and than the next one behind it: each is sent again as a slow one.
  setTimeout(() => void other.query("COMMIT"), 2_500)
  assert.deepEqual(await Promise.all(reads), ["1", "2", "1", "2"])
})
