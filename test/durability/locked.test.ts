// A table that somebody has locked on PostgreSQL: what is not in it is written meanwhile, and what waits for it has its
// deadline from when it was asked for.
import assert from "node:assert/strict"
import { test } from "node:test"
import pg from "pg"
import { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Hooks } from "../support/database.ts"
import { ledgerDatabase, openLedger } from "./ledger.ts"

/** More than there are connections for writes. */
const writers = 40
const deadline = 5_000

async function openLocked(hooks: Hooks, limit = deadline) {
  const address = await ledgerDatabase(hooks, "postgres")
  const storage = await openStorage(address, { writes: "unsafe", deadline: limit })
  hooks.after(() => storage.close())
  const ledger = openLedger(storage)
  const other = new pg.Client({ connectionString: address })
  other.on("error", () => {}) // its database may go first
  await other.connect()
  hooks.after(() => other.end())
  await other.query("BEGIN; LOCK TABLE receipt IN EXCLUSIVE MODE")
  const write = (number: number): Promise<string> =>
    ledger.write({ number: `${number}`, lines: ["one"] }).then(() => "done", codeOf)
  return { ledger, write, release: () => other.query("ROLLBACK") }
}

const codeOf = (fault: unknown): string =>
  fault instanceof Refusal ? fault.problems[0].code : `bug: ${String(fault)}`

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

test("writes beyond those that may wait for one table are refused, and others are done", {
  timeout: 120_000,
}, async (context) => {
  const { ledger, write, release } = await openLocked(context, 3 * deadline)
  const refused = Promise.withResolvers<void>()
  const all = Promise.all(
    Array.from({ length: 400 }, async (_, number) => {
      const outcome = await write(number)
      if (outcome === "overloaded") refused.resolve()
      return outcome
    }),
  )
  await Promise.race([refused.promise, all])
  await ledger.addCounter("beside")
  assert.equal(await write(1_000), "overloaded", "at once")
  await release()
  assert.deepEqual(new Set(await all), new Set(["done", "overloaded"]))
})
