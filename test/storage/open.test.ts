// A database that cannot be had is a Refusal that says what to do; a lost connection is one request's trouble only.
import assert from "node:assert/strict"
import { chmod, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import type { Code } from "../../src/base/codes.ts"
import { Refusal } from "../../src/base/problem.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { openStorage } from "../../src/storage/open.ts"
import { temporaryFolder, temporaryPostgres } from "../support/database.ts"

const statement = (text: string): Statement => ({ text, binds: [], columns: [0], cursors: [], flaws: false })

const refused = (code: Code, message: RegExp, hint?: RegExp) => (fault: unknown) => {
  assert.ok(fault instanceof Refusal, String(fault))
  const [problem] = fault.problems
  assert.equal(problem.code, code)
  assert.match(problem.message, message)
  if (hint) assert.match(problem.hint ?? "", hint)
  return true
}

test("what is no SQLite database is refused by name", async (context) => {
  const folder = await temporaryFolder(context)
  await assert.rejects(
    openStorage(join(folder, "absent.db")),
    refused("storage_unavailable", /There is no file .*absent\.db/, /existing/),
  )
  await assert.rejects(openStorage(folder), refused("storage_unavailable", /is a folder/, /a file in it/))
  const text = join(folder, "notes.txt")
  await writeFile(text, "not a database, but long enough to be looked at ".repeat(100))
  await assert.rejects(
    openStorage(text),
    refused("storage_unavailable", /notes\.txt is not a SQLite database/),
  )
  if (process.getuid?.() !== 0) {
    const closed = join(folder, "closed.db")
    await writeFile(closed, "")
    await chmod(closed, 0)
    await assert.rejects(openStorage(closed), refused("storage_unavailable", /cannot be opened/))
  }
})

test("a SQLite file is opened for reading, and what it lacks is said without its own words", async (context) => {
  const path = join(await temporaryFolder(context), "a.db")
  new DatabaseSync(path).exec("CREATE TABLE a (b); INSERT INTO a VALUES ('x')")
  const storage = await openStorage(path)
  context.after(() => storage.close())
  assert.deepEqual(await storage.read(statement("SELECT b FROM a"), []), ["x"])
  await assert.rejects(storage.read(statement("DELETE FROM a"), []), /can only be read now/)
  await assert.rejects(
    storage.read(statement("SELECT secret FROM a"), []),
    refused("database_mismatch", /does not have what the service needs/),
  )
  assert.equal(storage.sent, 3)
})

test("a SQLite file that another program has locked is told as that, not as too many requests", async (context) => {
  const path = join(await temporaryFolder(context), "a.db")
  const other = new DatabaseSync(path)
  other.exec("CREATE TABLE a (b)")
  const storage = await openStorage(path)
  context.after(() => storage.close())
  other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO a VALUES (1)")
  await assert.rejects(
    storage.read(statement("SELECT b FROM a"), []),
    refused("storage_unavailable", /locked/, /again/),
  )
  other.close()
  assert.deepEqual(await storage.read(statement("SELECT count(*) || '' FROM a"), []), ["0"])
})

test("a PostgreSQL server that cannot be had is refused without the password", async (context) => {
  const free = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => free.once("listening", resolve))
  const address = free.address()
  const port = typeof address === "object" ? address?.port : undefined
  await new Promise((resolve) => free.close(resolve))
  const without = `postgres://someone:secret@127.0.0.1:${port}/shop`
  await assert.rejects(openStorage(without), (fault) => {
    assert.doesNotMatch(JSON.stringify(fault instanceof Refusal ? fault.problems : fault), /secret/)
    return refused("storage_unavailable", /127\.0\.0\.1.*cannot be reached/, /Nothing listens there/)(fault)
  })
  const other = new URL(await temporaryPostgres(context))
  other.pathname = "/absent"
  await assert.rejects(
    openStorage(other.href),
    refused("storage_unavailable", /absent cannot be reached/, /no database of this name/),
  )
})

test("a lost PostgreSQL connection does not end the process, and the next request is answered", async (context) => {
  const url = await temporaryPostgres(context)
  const storage = await openStorage(url)
  context.after(() => storage.close())
  const [pid] = await storage.read(statement("SELECT pg_backend_pid()::text"), [])
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query("SELECT pg_terminate_backend($1)", [Number(pid)])
  // The pool may not have heard of it yet; then one request is lost with the connection.
  await storage.read(statement("SELECT 'x'"), []).catch(refused("storage_unavailable", /cannot be reached/))
  assert.deepEqual(await storage.read(statement("SELECT 'x'"), []), ["x"])

  const sleeping =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(20)::text'"
  const slow = storage.read(statement("SELECT pg_sleep(20)::text"), [])
  const failed = assert.rejects(slow, refused("storage_unavailable", /cannot be reached/))
  for (let tries = 0; tries < 100 && (await admin.query(sleeping)).rowCount === 0; tries++) await sleep(50)
  await failed
  await admin.end()
  assert.deepEqual(await storage.read(statement("SELECT 'x'"), []), ["x"])
  assert.deepEqual(await storage.read(statement("SHOW TimeZone"), []), ["UTC"])
  await assert.rejects(storage.read(statement("CREATE TABLE a (b int)"), []), /can only be read now/)
  await assert.rejects(
    storage.read(statement("SELECT a FROM absent"), []),
    refused("database_mismatch", /does not have/),
  )
})
