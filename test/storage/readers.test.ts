// Threads for slow reads of SQLite files: each has a heap of its own, so none is started before there is such a read.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import type { Worker } from "node:worker_threads"
import { elapsed } from "../../src/base/clock.ts"
import { startRequest } from "../../src/base/request.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { openStorage } from "../../src/storage/open.ts"
import { unremarkable } from "../../src/storage/storage.ts"
import { temporaryFolder } from "../support/database.ts"

const statement: Statement = { text: "SELECT 'a'", binds: [], columns: [0], cursors: [], flaws: false }

test("a thread is started by the first slow read, and another by one beside it", async (context) => {
  const path = join(await temporaryFolder(context), "shop.db")
  new DatabaseSync(path).exec("CREATE TABLE book (id INTEGER PRIMARY KEY)")
  const slow = { ...unremarkable, pace: "slow" } as const
  const started: Worker[] = []
  // Others of this process may start threads meanwhile: readers have little memory.
  const count = (thread: Worker): void => {
    if (thread.resourceLimits?.maxYoungGenerationSizeMb === 12) started.push(thread)
  }
  process.on("worker", count)
  const storage = await openStorage(path)
  context.after(async () => {
    process.off("worker", count)
    await storage.close()
  })
  await Promise.all([storage.read(statement, []), storage.read(statement, [], unremarkable)])
  assert.equal(started.length, 0)
  await storage.read(statement, [], slow)
  await storage.read(statement, [], slow)
  assert.equal(started.length, 1)
  await Promise.all([storage.read(statement, [], slow), storage.read(statement, [], slow)])
  assert.equal(started.length, 2)
})

test("a thread that ends unexpectedly is a database that does not answer, and another takes its place", async (context) => {
  const path = join(await temporaryFolder(context), "shop.db")
  new DatabaseSync(path).exec("CREATE TABLE book (id INTEGER PRIMARY KEY)")
  const storage = await openStorage(path)
  context.after(() => storage.close())
  const read = (): Promise<unknown> => storage.read(statement, [], { ...unremarkable, pace: "slow" })
  process.once("worker", (thread: Worker) => void thread.terminate())
  await assert.rejects(read(), { code: "storage_unavailable" })
  assert.deepEqual(await read(), ["a"])
})

test("a read whose time is over when it begins has a moment to end, and no timer that counts backwards", async (context) => {
  const path = join(await temporaryFolder(context), "shop.db")
  new DatabaseSync(path).exec("CREATE TABLE book (id INTEGER PRIMARY KEY)")
  const storage = await openStorage(path)
  context.after(() => storage.close())
  const warnings: string[] = []
  const note = ({ name }: Error): void => void warnings.push(name)
  process.on("warning", note)
  const late = { ...startRequest("ada"), since: elapsed() - 3_600_000 }
  const read = storage.read(statement, [], { ...unremarkable, pace: "slow" }, late)
  assert.deepEqual(await read, ["a"])
  process.off("warning", note)
  assert.deepEqual(warnings, [])
})
