// What the thread that writes a SQLite file is sent: shapes once, and their numbers from then on.
import assert from "node:assert/strict"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import type { Worker } from "node:worker_threads"
import { elapsed } from "../../src/base/clock.ts"
import { present } from "../../src/base/invariant.ts"
import { Refusal } from "../../src/base/problem.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { connectSqlite, tidy } from "../../src/storage/sqlite/connection.ts"
import { runSession } from "../../src/storage/sqlite/session.ts"
import { runTasks } from "../../src/storage/sqlite/work.ts"
import type { WriteBaton } from "../../src/storage/sqlite/write-baton.ts"
import type { Outcome, Work } from "../../src/storage/write-request.ts"
import { temporaryFolder } from "../support/database.ts"

const work = (text: string): Work => ({
  shape: { commands: [{ text: `SELECT '${text}'`, takes: 0 }], wanted: [0], takes: 0, sure: true },
  parameters: [],
})

test("shapes beyond those that a thread remembers are as good as the first", async (context) => {
  const path = join(await temporaryFolder(context), "a.sqlite")
  await setUp(path, [{ text: "CREATE TABLE a (id INTEGER PRIMARY KEY)", parameters: [] }])
  const storage = await openStorage(path, { writes: "durable" })
  context.after(() => storage.close())
  const write = present(storage.write, "it was opened for writing")
  const first = work("first")
  for (let round = 0; round < 20; round += 1) {
    // 300 is no part of 5,000: numbers begin anew somewhere within what is sent together.
    const works = [first, ...Array.from({ length: 299 }, (_, index) => work(`${round} ${index}`)), first]
    const outcomes = await Promise.all(works.map((one) => write(one)))
    const expected = works.map(({ shape }): Outcome => {
      const [, text = ""] = /'(.*)'/.exec(shape.commands[0]?.text ?? "") ?? []
      return { kind: "done", rows: [[text]] }
    })
    assert.deepEqual(outcomes, expected)
  }
})

test("another process is waited for no longer than until the deadline of what waits", async (context) => {
  const path = join(await temporaryFolder(context), "a.sqlite")
  const patiences: number[] = []
  const baton: WriteBaton = {
    isAwaited: () => false,
    take(attempt, patience) {
      patiences.push(patience)
      return attempt()
    },
  }
  const connection = connectSqlite(path, "write", 5_000, baton)
  context.after(() => connection.close())
  connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY)")
  const other = new DatabaseSync(path)
  context.after(() => other.close())
  other.exec("BEGIN IMMEDIATE")
  const patience = (): number => patiences.at(-1) ?? Number.NaN
  const run = (...left: readonly number[]) =>
    runTasks(
      connection,
      left.map((milliseconds) => ({ work: work("a"), until: elapsed() + milliseconds })),
    ).map(({ kind }) => kind)
  assert.deepEqual(run(60_000, 300, -1), ["fault", "fault", "fault"])
  assert.ok(patience() <= 300, `${patience()}`)
  assert.equal(runSession(connection, { session: "begin", until: elapsed() - 1 }).kind, "fault")
  assert.equal(patience(), 100)
  other.exec("ROLLBACK")
  assert.deepEqual(run(60_000, -1), ["done", "late"])
  assert.equal(patience(), 5_000)
})

test("what is looked at after a commit fails nothing", async (context) => {
  const path = join(await temporaryFolder(context), "a.sqlite")
  const connection = connectSqlite(path, "write", 5_000)
  context.after(() => connection.close())
  const elsewhere = join(await temporaryFolder(context), "b.sqlite")
  symlinkSync(`${elsewhere}-wal`, `${elsewhere}-wal`)
  for (let commits = 0; commits < 1_000; commits += 1) tidy(connection, elsewhere)
})

test("a thread that ends unexpectedly is a database that does not answer: its work may be on disk", async (context) => {
  const path = join(await temporaryFolder(context), "a.sqlite")
  await setUp(path, [{ text: "CREATE TABLE a (id INTEGER PRIMARY KEY)", parameters: [] }])
  const threads: Worker[] = []
  const note = (thread: Worker): unknown => threads.push(thread)
  process.on("worker", note)
  const storage = await openStorage(path, { writes: "durable" })
  const other = new DatabaseSync(path)
  context.after(async () => {
    process.off("worker", note)
    other.close()
    await storage.close()
  })
  const write = present(storage.write, "it was opened for writing")
  const transact = present(storage.transact, "it was opened for writing")
  const end = (): Promise<unknown> => present(threads.at(-1), "a thread was started").terminate()
  const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.catch((fault: unknown) => (fault instanceof Refusal ? fault.code : fault))
  // The thread has its work, and waits for the other connection.
  other.exec("BEGIN IMMEDIATE")
  const written = codeOf(write(work("a")))
  await new Promise(setImmediate)
  const ended = end()
  other.exec("ROLLBACK")
  await ended
  assert.equal(await written, "storage_unavailable")
  assert.equal((await write(work("b"))).kind, "done")
  const run = transact(
    async (session) => {
      await end()
      await session.run(work("c"))
      return []
    },
    { lasts: 1_000 },
  )
  assert.equal(await codeOf(run), "storage_unavailable")
  assert.equal((await write(work("d"))).kind, "done")
  assert.equal(threads.length, 3)
})
