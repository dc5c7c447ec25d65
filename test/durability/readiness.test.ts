// Two processes behind a balancer that asks each whether it is ready, and tries nothing again, are restarted in turn while
// clients keep their connections: every request is answered. Where the balancer does not look within the delay, or
// connections are cut, requests are lost.

import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { startCheckingBalancer } from "./balancer.ts"
import { makeNotes, startPair, storedNotes, type Tally, whileAsking } from "./restarts.ts"

const full = process.env["BIFOLD_PROOF"] === "full"

interface Rolling {
  readonly database: Database
  readonly restarts: number
  readonly workers?: number
  /** Milliseconds between two looks of the balancer. */
  readonly every?: number
  /** Seconds for which a server that ends still answers. */
  readonly delay?: number
  readonly signal?: NodeJS.Signals
}

const clients = Array.from({ length: full ? 200 : 20 }, () => ({ keeps: true, pause: full ? 1_500 : 100 }))

interface Rolled extends Tally {
  readonly stored: number
}

async function roll(hooks: Hooks, rolling: Rolling): Promise<Rolled> {
  const { database, restarts, workers = 1, every = 200, delay = 1, signal = "SIGTERM" } = rolling
  const address = await makeNotes(hooks, database)
  const options = ["--workers", String(workers), "--drain-delay", String(delay)]
  const { ports, begin, end } = await startPair(hooks, address, options)
  const { port, sends } = await startCheckingBalancer(hooks, ports, every)
  await Promise.all(ports.map((each) => sends(each)))
  const tally = await whileAsking(port, clients, async () => {
    for (let restart = 0; restart < restarts; restart += 1) {
      const at = restart % 2
      await end(at, signal)
      await begin(at)
      await sends(ports[at] ?? 0)
    }
  })
  return { ...tally, stored: await storedNotes(address) }
}

async function losesNothing(test: TestContext, rolling: Rolling): Promise<void> {
  // Several looks of the balancer, and several requests of each client, also on a busy machine.
  const { asked, written, overloaded, stored, failed } = await roll(test, { ...rolling, delay: 3 })
  assert.deepEqual(failed, [], `of ${asked} requests`)
  assert.equal(stored, written)
  assert.ok(asked > clients.length * rolling.restarts, "clients ask meanwhile")
  test.diagnostic(
    `${rolling.restarts} restarts, ${asked} requests, ${failed.length} failures, ${overloaded} sent again for load`,
  )
}

describe("two processes behind a balancer that asks whether they are ready", () => {
  for (const database of dialects) {
    if (full || database === "sqlite")
      it(`lose no request, on ${database}`, (test) =>
        losesNothing(test, { database, restarts: full ? 20 : 1 }))
    if (full || database === "postgres")
      it(`lose no request with two workers each, on ${database}`, (test) =>
        losesNothing(test, { database, restarts: full ? 20 : 1, workers: 2 }))
  }

  it("lose requests when they close before the balancer looks", async (test) => {
    const { failed } = await roll(test, { database: "sqlite", restarts: 1, every: 60_000 })
    assert.notDeepEqual(failed, [])
  })

  if (full)
    it("lose requests when connections are cut", async (test) => {
      const { failed } = await roll(test, { database: "sqlite", restarts: 2, signal: "SIGKILL" })
      assert.notDeepEqual(failed, [])
    })
})
