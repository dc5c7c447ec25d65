// What goes on beside writes: reads do not wait for them, the log of a SQLite file stays small whoever reads, and a write
// that takes too long is ended.
import assert from "node:assert/strict"
import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it } from "node:test"
import pg from "pg"
import { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { type Ledger, ledgerDatabase, makeLedger, openLedger } from "./ledger.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const megabyte = 1024 * 1024

interface Opened {
  readonly address: string
  readonly ledger: Ledger
  readonly storage: Storage
}

async function opened(hooks: Hooks, database: Database, deadline = 10_000): Promise<Opened> {
  const address = await ledgerDatabase(hooks, database)
  const storage = await openStorage(address, { writes: "unsafe", deadline })
  hooks.after(() => storage.close())
  return { address, storage, ledger: openLedger(storage) }
}

/** Holds up whoever writes, as another process may, until the function that it gives is called. */
async function holdWriters(hooks: Hooks, address: string): Promise<() => Promise<void>> {
  if (!address.startsWith("postgres:")) {
    const other = new DatabaseSync(address)
    other.exec("BEGIN IMMEDIATE")
    hooks.after(() => other.close())
    return async () => other.exec("ROLLBACK")
  }
  const other = new pg.Client({ connectionString: address })
  other.on("error", () => {}) // its database may go first
  await other.connect()
  hooks.after(() => other.end())
  await other.query("BEGIN; LOCK TABLE receipt, counter IN EXCLUSIVE MODE")
  return async () => void (await other.query("ROLLBACK"))
}

describe("reads", () => {
  for (const database of dialects)
    it(`are answered while every write waits, on ${database}`, async (test) => {
      const { ledger, address } = await opened(test, database)
      await ledger.addCounter("a")
      const release = await holdWriters(test, address)
      const order: string[] = []
      const writes = Array.from({ length: 50 }, async (_, index) => {
        await ledger.write({ number: `${index}`, lines: ["one"] })
        order.push("write")
      })
      for (let count = 0; count < 50; count += 1) {
        await ledger.readCounter("a")
        order.push("read")
      }
      await release()
      await Promise.all(writes)
      assert.deepEqual(order, [...Array(50).fill("read"), ...Array(50).fill("write")])
    })
})

describe("a write that waits for too long", () => {
  for (const database of dialects)
    it(`is ended and done by nobody later, on ${database}`, async (test) => {
      const { ledger, address } = await opened(test, database, 500)
      const release = await holdWriters(test, address)
      const ended = await ledger.write({ number: "late", lines: ["one"] }).then(
        () => undefined,
        (fault: unknown) => fault,
      )
      assert.ok(ended instanceof Refusal)
      assert.equal(
        ended.problems[0].code,
        database === "sqlite" ? "storage_unavailable" : "deadline_exceeded",
      )
      await release()
      await ledger.write({ number: "later", lines: ["one"] })
      assert.deepEqual(await numbersIn(address), ["later"])
    })

  it("on a SQLite file is also one that looks through much", async (test) => {
    const address = await makeLedger(join(await temporaryFolder(test), "ledger.sqlite"))
    const filling = new DatabaseSync(address)
    filling.exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO receipt (id, number, line_count) SELECT 'r' || i, 'n' || i, i FROM n",
    )
    filling.close()
    const storage = await openStorage(address, { writes: "durable", deadline: 5 })
    test.after(() => storage.close())
    const { changeEach } = openLedger(storage)
    await assert.rejects(
      changeEach("no such number"),
      (fault) => fault instanceof Refusal && fault.problems[0].code === "deadline_exceeded",
    )
  })
})

async function numbersIn(address: string): Promise<readonly string[]> {
  const text = "SELECT number FROM receipt ORDER BY number"
  if (!address.startsWith("postgres:")) {
    const database = new DatabaseSync(address)
    const rows = database.prepare(text).all()
    database.close()
    return rows.map(({ number }) => String(number))
  }
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query<{ number: string }>(text)
  await client.end()
  return rows.map(({ number }) => number)
}

describe("the log of a SQLite file", () => {
  const write = async (ledger: Ledger, round: number, receipts: number): Promise<void> => {
    const lines = Array.from({ length: 10 }, (_, line) => `${line}`.repeat(3_000))
    await Promise.all(
      Array.from({ length: receipts }, (_, index) => ledger.write({ number: `${round}-${index}`, lines })),
    )
  }
  const logSize = (address: string): number => statSync(`${address}-wal`).size

  it("is begun anew however many read beside the writes", async (test) => {
    const { ledger, address } = await opened(test, "sqlite")
    await ledger.addCounter("a")
    let reading = true
    const readers = Array.from({ length: 8 }, async () => {
      while (reading) {
        await ledger.readCounter("a")
        await new Promise(setImmediate)
      }
    })
    const sizes: number[] = []
    for (let round = 0; round < (full ? 60 : 6); round += 1) {
      await write(ledger, round, full ? 400 : 150)
      sizes.push(logSize(address))
    }
    reading = false
    await Promise.all(readers)
    const written = statSync(address).size
    const largest = Math.max(...sizes)
    assert.ok(written > 2 * largest, `${written} bytes, of which the log had ${largest}`)
    test.diagnostic(
      `${Math.round(written / megabyte)} MB written, at most ${Math.round(largest / megabyte)} in the log`,
    )
  })

  if (full)
    it("is cut when who held it back has gone", async (test) => {
      const { ledger, address } = await opened(test, "sqlite")
      const reader = new DatabaseSync(address, { readOnly: true })
      test.after(() => reader.close())
      reader.exec("BEGIN; SELECT count(*) FROM receipt")
      let round = 0
      while (round === 0 || logSize(address) < 100 * megabyte) await write(ledger, round++, 200)
      reader.exec("COMMIT")
      for (let commit = 0; commit < 201; commit += 1)
        await ledger.write({ number: `after ${commit}`, lines: [] })
      assert.ok(logSize(address) <= 64 * megabyte, `${logSize(address)} bytes`)
    })
})
