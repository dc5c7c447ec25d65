// Two processes behind a balancer are restarted in turn while clients read and write: every request is answered.

import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { startBalancer } from "./balancer.ts"
import { makeNotes, startPair, storedNotes, whileAsking } from "./restarts.ts"

const full = process.env["BIFOLD_PROOF"] === "full"

interface Rolling {
  readonly database: Database
  readonly restarts: number
  readonly workers?: number
}

const clients = Array.from({ length: 12 }, (_, index) =>
  index % 3 === 0 ? { keeps: false, pause: 100 } : { keeps: true, pause: 30 },
)

async function roll(hooks: Hooks, { database, restarts, workers = 1 }: Rolling): Promise<void> {
  const address = await makeNotes(hooks, database)
  const { ports, begin, end } = await startPair(hooks, address, ["--workers", String(workers)])
  const balancer = await startBalancer(hooks, ports)
  const { asked, written, failed } = await whileAsking(balancer, clients, async (tally) => {
    for (let restart = 0; restart < restarts; restart += 1) {
      const before = tally.asked
      await end(restart % 2, "SIGTERM")
      await begin(restart % 2)
      assert.ok(tally.asked > before, "clients ask meanwhile")
    }
  })
  assert.deepEqual(failed, [], `of ${asked} requests`)
  assert.equal(await storedNotes(address), written)
}

describe("two processes that are restarted in turn", () => {
  for (const database of dialects) {
    // The tests have each once, the proof both on both.
    if (full || database === "sqlite")
      it(`lose no request, on ${database}`, (test) => roll(test, { database, restarts: full ? 24 : 3 }))
    if (full || database === "postgres")
      it(`lose no request with two workers each, on ${database}`, (test) =>
        roll(test, { database, restarts: full ? 20 : 2, workers: 2 }))
  }
})
