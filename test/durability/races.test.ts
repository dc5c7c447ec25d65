// Many who write the same at once: no increment is lost, and what has a key happens once however often it is asked.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { type Ledger, ledgerDatabase, openLedger } from "./ledger.ts"
import { losses, startWriter, storedIn, type Writer } from "./writing.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const clients = full ? 100 : 20
const increments = full ? 10_000 : 200
const keys = full ? 1_000 : 100
const retries = 5

async function openedLedger(hooks: Hooks, database: Database): Promise<Ledger> {
  const storage = await openStorage(await ledgerDatabase(hooks, database), { writes: "unsafe" })
  hooks.after(() => storage.close())
  return openLedger(storage)
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const codeOf = (fault: unknown): string => {
  if (!(fault instanceof Refusal)) throw fault
  return fault.problems[0].code
}

/** Reads, adds one and writes, until it was the counter that it had read. Gives how often somebody else was first. */
async function increment(ledger: Ledger, name: string): Promise<number> {
  for (let stale = 0; ; stale += 1) {
    const counter = await ledger.readCounter(name)
    const code = await ledger.setCounter(counter, counter.count + 1).then(() => undefined, codeOf)
    if (code === undefined) return stale
    assert.equal(code, "stale_version")
    // As clients do, or all that are left meet again at once.
    await pause(Math.random() * clients * 4)
  }
}

describe("increments by many clients, each of the version that it has read,", () => {
  for (const database of dialects)
    it(`add up on ${database}`, async (test) => {
      const ledger = await openedLedger(test, database)
      await ledger.addCounter("visits")
      let left = increments
      let stale = 0
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (left > 0) {
            left -= 1
            const met = await increment(ledger, "visits")
            stale += met
          }
        }),
      )
      assert.equal((await ledger.readCounter("visits")).count, increments)
      assert.ok(stale > 0, "nobody met anybody")
      test.diagnostic(`${increments} increments by ${clients} clients, ${stale} refused on the way`)
    })
})

describe("what is asked again with its key", () => {
  for (const database of dialects) {
    it(`is done once, asked five times at once, on ${database}`, async (test) => {
      const address = await ledgerDatabase(test, database)
      const storage = await openStorage(address, { writes: "unsafe" })
      test.after(() => storage.close())
      const ledger = openLedger(storage)
      const ask = async (key: number): Promise<string> => {
        const number = `n${key}`
        const asked = ledger.write({ number, lines: ["one"], key: `key ${key}` })
        return asked.then(({ replayed }) => (replayed ? "replayed" : "done"), codeOf)
      }
      const asked = Array.from({ length: keys * retries }, (_, index) => index % keys)
      const told = await inTurns(asked, ask)
      const outcomes = Map.groupBy(told, (outcome) => outcome)
      assert.equal(outcomes.get("done")?.length, keys)
      assert.deepEqual(
        losses(
          await storedIn(address),
          asked.map((key) => `n${key}`),
        ),
        [],
      )
      assert.deepEqual(
        [...outcomes.keys()].filter(
          (outcome) => !["done", "replayed", "idempotency_in_progress"].includes(outcome),
        ),
        [],
      )
      assert.ok(outcomes.has("replayed"))
    })

    it(`is done once, across processes that are killed, on ${database}`, async (test) => {
      const address = await ledgerDatabase(test, database)
      const done = new Map<string, number>()
      for (let round = 0; round < retries; round += 1) {
        const writer = await startWriter(test, address, { writes: "unsafe" })
        const last = round === retries - 1
        if (!last) setTimeout(() => void writer.kill(), 30 + Math.random() * 150)
        await inTurns(
          Array.from({ length: keys }, (_, key) => key),
          async (key) => {
            const outcome = await outcomeOf(writer, key)
            if (outcome === "done") done.set(`n${key}`, (done.get(`n${key}`) ?? 0) + 1)
            else if (last) assert.equal(outcome, "replayed")
            else assert.match(outcome, /^(replayed|lost|idempotency_in_progress)$/)
          },
        )
        await writer.end()
      }
      assert.deepEqual(
        [...done.values()].filter((times) => times > 1),
        [],
      )
      const stored = await storedIn(address)
      assert.equal(stored.receipts.size, keys)
      assert.deepEqual(losses(stored, done.keys()), [])
    })
  }
})

/** On PostgreSQL the connection of a process that was killed may still hold the key for a moment. */
async function outcomeOf(writer: Writer, key: number): Promise<string> {
  for (;;) {
    const outcome = await writer.write({ number: `n${key}`, lines: ["one", "two"], key: `key ${key}` })
    if (outcome !== "idempotency_in_progress") return outcome
    await pause(10)
  }
}

/** By twenty at a time. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) results.push(await work(item))
    }),
  )
  return results
}
