// A table that somebody has locked on PostgreSQL: what is not in it is written meanwhile, and what waits for it has its
// deadline from when it was asked for.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import { longestWait } from "../../src/storage/postgres/writer.ts"
import type { Hooks } from "../support/database.ts"
import { ledgerDatabase, openLedger } from "./ledger.ts"

/** More than there are connections for writes. */
const writers = 40
const deadline = 5_000

async function openLocked(hooks: Hooks, limit = deadline, table = "receipt") {
  const address = await ledgerDatabase(hooks, "postgres")
  const storage = await openStorage(address, { writes: "unsafe", deadline: limit })
  hooks.after(() => storage.close())
  const ledger = openLedger(storage)
  const other = new pg.Client({ connectionString: address })
  other.on("error", () => {}) // its database may go first
  await other.connect()
  hooks.after(() => other.end())
  await other.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`)
  const write = (number: number): Promise<string> =>
    ledger.write({ number: `${number}`, lines: ["one"] }).then(() => "done", codeOf)
  /** Of each session that waits for a lock the milliseconds that it has waited, the longest first. */
  const waits = async (): Promise<readonly number[]> => {
    // A transaction keeps the list of sessions that it has read first.
    await other.query("SELECT pg_stat_clear_snapshot()")
    const { rows } = await other.query<{ waited: number }>(waitsQuery)
    return rows.map(({ waited }) => waited)
  }
  return { ledger, write, waits, release: () => other.query("ROLLBACK") }
}

/** A session waits for one lock at a time. */
const waitsQuery = `SELECT extract(epoch FROM clock_timestamp() - waitstart)::float8 * 1000 AS waited
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database() AND wait_event_type = 'Lock' ORDER BY 1 DESC NULLS LAST`

const codeOf = (fault: unknown): string =>
  fault instanceof Refusal ? fault.problems[0].code : `bug: ${String(fault)}`

/** Sessions that may wait for one table, as docs/operate/load.md says. */
const share = 4

for (const [table, what] of [
  ["counter", "writes of one command"],
  ["receipt", "writes of several commands"],
] as const)
  test(`few connections wait for a table that is locked, by ${what}`, {
    timeout: 120_000,
  }, async (context) => {
    const { ledger, write, waits, release } = await openLocked(context, 60_000, table)
    const writeLocked = (number: number): Promise<unknown> =>
      table === "receipt" ? write(number) : ledger.addCounter(`a${number}`).then(() => "done", codeOf)
    const writeBeside = (number: number): Promise<unknown> =>
      table === "receipt" ? ledger.addCounter(`b${number}`).then(() => "done", codeOf) : write(number)
    const ended: unknown[] = []
    const waiting = Array.from({ length: writers }, async (_, number) => {
      const outcome = await writeLocked(number)
      ended.push(outcome)
      return outcome
    })
    // The first to wait give up and go to where the few wait: by then all others have done so as well.
    let waited = await waits()
    while ((waited[0] ?? 0) < 4 * longestWait) {
      assert.deepEqual(ended, [], "they wait still")
      await sleep(20)
      waited = await waits()
    }
    assert.ok(waited.length >= 1 && waited.length <= share, `${waited.length} sessions wait`)
    for (let number = 0; number < 20; number += 1) assert.equal(await writeBeside(number), "done")
    assert.ok((await waits()).length <= share)
    assert.deepEqual(ended, [], "they wait still")
    await release()
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(["done"]))
  })

test("other tables are written while many wait for one", { timeout: 60_000 }, async (context) => {
  const { ledger, write, release } = await openLocked(context)
  let ended = 0
  const waiting = Array.from({ length: writers }, async (_, number) => {
    const outcome = await write(number)
    ended += 1
    return outcome
  })
  for (let count = 0; count < 20; count += 1) await ledger.addCounter(`b${count}`)
  assert.equal(ended, 0, "they wait still")
  await release()
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(["done"]))
})

test("a write that waits for a connection and then for a table has one deadline", {
  timeout: 60_000,
}, async (context) => {
  const { write } = await openLocked(context)
  const began = Date.now()
  const outcomes = await Promise.all(Array.from({ length: writers }, (_, number) => write(number)))
  assert.deepEqual(new Set(outcomes), new Set(["deadline_exceeded"]))
  assert.ok(Date.now() - began < 2 * deadline, "none had a second one")
})
