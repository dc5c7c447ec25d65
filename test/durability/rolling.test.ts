// Two processes behind a balancer are restarted in turn while clients read and write: every request is answered.

import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { startBalancer } from "./balancer.ts"
import { makeNotes, startPair, storedNotes, type Tally, whileAsking } from "./restarts.ts"

const full = process.env["BIFOLD_PROOF"] === "full"

interface Rolling {
  readonly database: Database
  readonly restarts: number
  readonly workers?: number
}

const clients = Array.from({ length: 12 }, (_, index) =>
  index % 3 === 0 ? { keeps: false, pause: 100 } : { keeps: true, pause: 30 },
)

async function roll(hooks: Hooks, { database, restarts, workers = 1 }: Rolling): Promise<Tally> {
  const address = await makeNotes(hooks, database)
  const { ports, begin, end } = await startPair(hooks, address, ["--workers", String(workers)])
  const balancer = await startBalancer(hooks, ports)
  const tally = await whileAsking(balancer, clients, async (sofar) => {
    for (let restart = 0; restart < restarts; restart += 1) {
      const before = sofar.asked
      await end(restart % 2, "SIGTERM")
      await begin(restart % 2)
      assert.ok(sofar.asked > before, "clients ask meanwhile")
    }
  })
  assert.equal(await storedNotes(address), tally.written)
  return tally
}

/** Times that it is tried where others use the processors too. */
const tries = full ? 1 : 3

/**
 * Between the last look of a server for connections and its end of listening are some microseconds, in which the kernel may
 * make one more and resets it, undone; where the process has to wait for a processor there, it is milliseconds. So a reset is
 * chance, and resets each time are not.
 */
async function losesNothing(test: TestContext, rolling: Rolling): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    const { asked, failed } = await roll(test, rolling)
    const isChance = failed.length <= rolling.restarts && failed.every((told) => told.includes("ECONNRESET"))
    if (failed.length > 0 && isChance && left > 0) continue
    assert.deepEqual(failed, [], `of ${asked} requests`)
    return
  }
}

describe("two processes that are restarted in turn", () => {
  for (const database of dialects) {
    // The tests have each once, the proof both on both.
    if (full || database === "sqlite")
      it(`lose no request, on ${database}`, (test) =>
        losesNothing(test, { database, restarts: full ? 24 : 2 }))
    if (full || database === "postgres")
      it(`lose no request with two workers each, on ${database}`, (test) =>
        losesNothing(test, { database, restarts: full ? 20 : 2, workers: 2 }))
  }
})
