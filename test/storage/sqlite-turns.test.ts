// Transactions for user code on a SQLite file: clients take turns, so that one with many waits for its own.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { startRequest } from "../../src/base/request.ts"
import { openStorage } from "../../src/storage/open.ts"
import { temporaryFolder } from "../support/database.ts"

test("clients take turns, however many transactions one of them waits for", async (context) => {
  const path = join(await temporaryFolder(context), "turns.db")
  new DatabaseSync(path).close()
  const storage = await openStorage(path, { writes: "unsafe" })
  context.after(() => storage.close())
  const { transact } = storage
  assert.ok(transact)
  const began: string[] = []
  const first = Promise.withResolvers<void>()
  const begin = (client: string, name: string, work: () => Promise<void> = async () => {}) =>
    transact(
      async () => {
        began.push(name)
        await work()
        return [name]
      },
      { lasts: 60_000, request: startRequest(client) },
    )
  const all = [begin("a", "a1", () => first.promise)]
  for (const name of ["a2", "a3", "a4"]) all.push(begin("a", name))
  for (const name of ["b1", "b2"]) all.push(begin("b", name))
  all.push(begin("c", "c1"))
  first.resolve()
  await Promise.all(all)
  assert.deepEqual(began, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"])
})

test("a transaction that never had its turn is refused as one whose time is over", async (context) => {
  const path = join(await temporaryFolder(context), "turns.db")
  new DatabaseSync(path).close()
  const storage = await openStorage(path, { writes: "unsafe", deadline: 50 })
  context.after(() => storage.close())
  const { transact } = storage
  assert.ok(transact)
  const held = Promise.withResolvers<void>()
  const long = transact(async () => held.promise.then(() => [null]), { lasts: 60_000 })
  const late = transact(async () => [null], { lasts: 50 })
  await assert.rejects(late, (error: Error & { problems?: readonly { code: string }[] }) => {
    assert.equal(error.problems?.[0]?.code, "deadline_exceeded")
    return true
  })
  held.resolve()
  assert.equal((await long).kind, "done")
  assert.equal((await transact(async () => [null], { lasts: 60_000 })).kind, "done")
})
