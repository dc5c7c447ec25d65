// Processes that write one SQLite file take turns at its lock, whatever becomes of one that waits.
import assert from "node:assert/strict"
import { type ChildProcess, execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { elapsed } from "../../src/base/clock.ts"
import { present } from "../../src/base/invariant.ts"
import { openStorage } from "../../src/storage/open.ts"
import { connectSqlite } from "../../src/storage/sqlite/connection.ts"
import { runTasks } from "../../src/storage/sqlite/work.ts"
import { createWriteBaton, markOf } from "../../src/storage/sqlite/write-baton.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { insertion, turnTable } from "./baton-rows.ts"

async function open(hooks: Hooks) {
  const path = join(await temporaryFolder(hooks), "turns.db")
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; ${turnTable}`)
  const storage = await openStorage(path, { writes: "durable", deadline: 60_000 })
  hooks.after(async () => {
    if (database.isOpen) database.close()
    await storage.close()
  })
  const write = present(storage.write, "it was opened for writing")
  const last = (): number => Number(database.prepare("SELECT max(id) AS last FROM turn").get()?.["last"] ?? 0)
  /** The number of its row. */
  const one = async (): Promise<number> => {
    const outcome = await write(insertion("one", false))
    assert.equal(outcome.kind, "done")
    return Number(outcome.rows[0]?.[0])
  }
  return { path, database, last, one }
}

/** Resolves when it has begun. */
async function start(hooks: Hooks, ...given: readonly string[]): Promise<ChildProcess> {
  const child = fork(new URL("bulk-writer.ts", import.meta.url), given)
  hooks.after(() => end(child))
  await once(child, "message")
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

const isStopped = ({ pid }: ChildProcess): boolean =>
  execFileSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" }).startsWith("T")

const inBulk = 8

test("a write waits for two commits of another process at the most, however much that one writes", {
  timeout: 60_000,
}, async (context) => {
  const { path, last, one } = await open(context)
  const bulk = await start(context, path, "bulk", String(inBulk))
  const behind: number[] = []
  for (let count = 0; count < 60; count += 1) {
    const before = last()
    behind.push((await one()) - before - 1)
  }
  await end(bulk)
  context.diagnostic(`rows of the other process before each: ${behind.join(" ")}`)
  assert.ok(Math.max(...behind) <= 2 * inBulk, `${behind}`)
})

for (const signal of ["SIGKILL", "SIGSTOP"] as const)
  test(`a process that is ended by ${signal} while it waits keeps no other from writing`, {
    timeout: 60_000,
  }, async (context) => {
    const { path, database, one } = await open(context)
    database.exec("BEGIN IMMEDIATE")
    const child = await start(context, path, "single")
    while (!existsSync(markOf(path))) await new Promise(setImmediate)
    child.kill(signal)
    if (signal === "SIGKILL") await once(child, "exit")
    else while (!isStopped(child)) await new Promise(setImmediate)
    database.exec("ROLLBACK")
    assert.equal(await one(), 1)
    assert.equal(await one(), 2)
    if (signal === "SIGKILL") return
    child.kill("SIGCONT")
    const [said] = await once(child, "message")
    assert.equal(said, "done")
    assert.equal(await one(), 4)
    assert.equal(existsSync(markOf(path)), false)
  })

test("a program that knows nothing of turns writes beside those that do", {
  timeout: 60_000,
}, async (context) => {
  const { path, database } = await open(context)
  const bulk = await start(context, path, "bulk", String(inBulk))
  database.exec("PRAGMA busy_timeout = 30000")
  for (let count = 0; count < 10; count += 1) database.exec("INSERT INTO turn (by) VALUES ('stranger')")
  await end(bulk)
})

test("a mark is made only where another process has the file's lock", async (context) => {
  const { path } = await open(context)
  const baton = createWriteBaton(path)
  const answers = [true, false, true]
  const marks: boolean[] = []
  const attempt = (): boolean => {
    marks.push(existsSync(markOf(path)))
    return present(answers.shift(), "it is not called again")
  }
  assert.ok(baton.take(attempt, 1_000))
  assert.ok(baton.take(attempt, 1_000))
  assert.deepEqual(marks, [false, false, true])
  assert.equal(existsSync(markOf(path)), false)
})

test("a mark that its process has left is replaced", async (context) => {
  const { path } = await open(context)
  writeFileSync(markOf(path), "left")
  const marks: string[] = []
  const attempt = (): boolean => {
    marks.push(readFileSync(markOf(path), "utf8"))
    return true
  }
  assert.ok(createWriteBaton(path).take(attempt, 3_000))
  assert.deepEqual(marks, [""])
})

test("a transaction of many slow writes ends early only where another process waits", async (context) => {
  const { path } = await open(context)
  for (const isAwaited of [false, true]) {
    let begun = 0
    const baton = {
      isAwaited: () => isAwaited,
      take(attempt: () => boolean): boolean {
        begun += 1
        return attempt()
      },
    }
    const connection = connectSqlite(path, "write", 1_000, baton)
    const tasks = Array.from({ length: 100 }, () => ({
      work: insertion("bulk", true),
      until: elapsed() + 60_000,
    }))
    const kinds = runTasks(connection, tasks).map(({ kind }) => kind)
    connection.close()
    assert.deepEqual(new Set(kinds), new Set(["done"]))
    assert.equal(kinds.length, tasks.length)
    assert.equal(begun > 1, isAwaited)
  }
})

test("writes that come while another process writes share the next commit", async (context) => {
  const { path } = await open(context)
  const connection = connectSqlite(path, "write", 1_000)
  context.after(() => connection.close())
  const task = () => ({ work: insertion("one", false), until: elapsed() + 60_000 })
  const tasks = [task()]
  let gathered = 0
  const results = runTasks(connection, tasks, () => {
    gathered += 1
    tasks.push(task(), task())
  })
  assert.deepEqual([results.length, gathered], [3, 1])
})
