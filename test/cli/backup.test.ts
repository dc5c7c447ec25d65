// `bifold backup`: one moment of a database that is written to meanwhile, checked before it has its name.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryFolder } from "../support/database.ts"
import { bifold, main } from "./run.ts"

/** Each transaction adds a row to both tables. */
const writer = `
  const { DatabaseSync } = require("node:sqlite")
  const database = new DatabaseSync(process.argv[1], { timeout: 5_000 })
  const [one, other] = ["one", "other"].map((name) => database.prepare("INSERT INTO " + name + " (text) VALUES (?)"))
  let count = 0
  const write = () => {
    database.exec("BEGIN IMMEDIATE")
    one.run("x".repeat(500))
    other.run("y".repeat(500))
    database.exec("COMMIT")
    if (++count === 20) console.log("writing")
    setImmediate(write)
  }
  write()
`

function fill(path: string, rows: number): void {
  const database = new DatabaseSync(path)
  database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF")
  database.exec(
    "CREATE TABLE one (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE other (id INTEGER PRIMARY KEY, text TEXT)",
  )
  database.exec(
    `INSERT INTO one (text) SELECT hex(randomblob(200)) FROM generate_series(1, ${rows})`.replace(
      `generate_series(1, ${rows})`,
      `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n)`,
    ),
  )
  database.exec("INSERT INTO other (text) SELECT text FROM one")
  database.close()
}

const countsOf = (path: string): readonly unknown[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  const [one, other] = ["one", "other"].map(
    (name) => database.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.["n"],
  )
  database.close()
  return [one, other]
}

test("a copy is one moment of a database that is written to meanwhile", async (t) => {
  const folder = await temporaryFolder(t)
  const [path, to] = [join(folder, "shop.db"), join(folder, "copy.db")]
  fill(path, 20_000)
  chmodSync(path, 0o600)
  const child = spawn(process.execPath, ["-e", writer, path], { stdio: ["ignore", "pipe", "inherit"] })
  t.after(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  const [before] = countsOf(path)
  const { code, stdout } = await bifold(["backup", path, to, "--json"])
  const [after] = countsOf(path)
  assert.equal(code, 0)
  const told = JSON.parse(stdout)
  assert.deepEqual([told.tables, told.danglingReferences], [2, 0])
  const [one, other] = countsOf(to)
  assert.equal(one, other)
  assert.ok(Number(one) >= Number(before) && Number(one) < Number(after), `${before} <= ${one} < ${after}`)
  assert.ok(told.bytes > 1_000_000)
  // Nobody reads it who may not read the database.
  assert.equal(statSync(to).mode & 0o777, 0o600)
  // One file, without a log that has to go with it.
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("copy")),
    ["copy.db"],
  )
})

test("a copy that is there already is replaced only when that is asked for", async (t) => {
  const folder = await temporaryFolder(t)
  const [path, to] = [join(folder, "shop.db"), join(folder, "copy.db")]
  fill(path, 10)
  writeFileSync(to, "precious")
  const refused = await bifold(["backup", path, to])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /copy\.db is there already\.\n.*--replace/)
  assert.equal(readFileSync(to, "utf8"), "precious")
  const { code, stdout, stderr } = await bifold(["backup", path, to, "--replace"])
  assert.equal(code, 0)
  assert.match(stdout, /copy\.db: 0\.\d MB, 2 tables, checked, in \d/)
  assert.match(stderr, /on the disk of the database/)
  assert.deepEqual(countsOf(to), [10, 10])
  const own = await bifold(["backup", path, path, "--replace"])
  assert.match(own.stderr, /is the database itself/)
  assert.deepEqual(countsOf(path), [10, 10])
})

test("what a copy that was ended has left is removed", {
  skip: process.platform === "win32" ? "no signals" : false,
}, async (t) => {
  const folder = await temporaryFolder(t)
  const [path, to] = [join(folder, "shop.db"), join(folder, "copy.db")]
  fill(path, 200_000)
  const left = (): readonly string[] => readdirSync(folder).filter((name) => name.includes(".unfinished-"))
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    const copying = spawn(process.execPath, [main, "backup", path, to], { stdio: "ignore" })
    const gone = once(copying, "exit")
    while (left().length === 0 && copying.exitCode === null) await new Promise(setImmediate)
    copying.kill(signal)
    assert.deepEqual(await gone, [null, signal])
  }
  await ended("SIGTERM")
  assert.deepEqual(left(), [])
  await ended("SIGKILL")
  assert.ok(left().length > 0)
  // Of another host, whose processes are not seen here.
  writeFileSync(`${to}.unfinished-1-elsewhere`, "")
  assert.equal((await bifold(["backup", path, to])).code, 0)
  assert.deepEqual(left(), ["copy.db.unfinished-1-elsewhere"])
  assert.deepEqual(countsOf(to), [200_000, 200_000])
})

test("a damaged database is told of, and nothing takes the place of an earlier copy", async (t) => {
  const folder = await temporaryFolder(t)
  const [path, to] = [join(folder, "shop.db"), join(folder, "copy.db")]
  fill(path, 2_000)
  const whole = new DatabaseSync(path)
  whole.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
  whole.close()
  copyFileSync(path, to)
  const file = openSync(path, "r+")
  for (let page = 40; page < 60; page++) writeSync(file, Buffer.alloc(2_000, 0xaa), 0, 2_000, page * 4_096)
  closeSync(file)
  const { code, stderr } = await bifold(["backup", path, to, "--replace"])
  assert.equal(code, 1)
  assert.match(stderr, /The database is damaged, so there is no copy/)
  assert.deepEqual(countsOf(to), [2_000, 2_000])
  assert.deepEqual(readdirSync(folder).toSorted(), ["copy.db", "shop.db"])
})

test("what is no SQLite file, or cannot be written, is refused with what to do", async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, "shop.db")
  fill(path, 1)
  const text = join(folder, "text.db")
  writeFileSync(text, "a text ".repeat(200))
  const cases = [
    [["backup", join(folder, "none.db"), join(folder, "copy.db")], 1, /There is no database/],
    [["backup", path, join(folder, "no", "copy.db")], 2, /There is no folder \S+\/no for the copy/],
    [["backup", path, folder, "--replace"], 2, /is a folder\.\n {2}→ .*backup\.db/],
    [["backup", text, join(folder, "copy.db")], 1, /text\.db is no SQLite database/],
    [
      ["backup", "postgres://me:secret@localhost/shop", "shop.dump"],
      2,
      /pg_dump --format=custom --file=shop\.dump/,
    ],
    [["backup", ":memory:", join(folder, "copy.db")], 2, /in memory/],
  ] as const
  for (const [given, expected, words] of cases) {
    const { code, stderr } = await bifold(given)
    assert.match(stderr, words)
    assert.match(stderr, /^ {2}→ /m)
    assert.equal(code, expected)
    assert.doesNotMatch(stderr, /secret/)
  }
  assert.ok(!existsSync(join(folder, "none.db")))
})
