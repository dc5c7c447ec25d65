// Random requests to both faces by four who ask: whatever is sent, nothing breaks.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { doorsOf } from "../fuzz/doors.ts"
import { failureText, fuzz, fuzzRounds, newTally, shareOf, statusText } from "../fuzz/run.ts"
import { openTarget } from "../fuzz/target.ts"
import type { Hooks } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
/** On each database. */
const requests = full ? Number(process.env["BIFOLD_FUZZ"] ?? 500_000) : 1_000
const seed = Number(process.env["BIFOLD_SEED"] ?? (full ? Date.now() % 2 ** 31 : 20_261_121))

/** What is opened for a while, and closed before the test ends. */
function whileOpen() {
  const works: (() => Promise<void> | void)[] = []
  const hooks: Hooks = { after: (work) => void works.push(work) }
  return {
    hooks,
    end: async () => {
      for (const work of works.splice(0).reverse()) await work()
    },
  }
}

describe("random requests", () => {
  for (const database of dialects)
    test(`break nothing on ${database}`, async (context) => {
      const tally = newTally()
      const begun = Date.now()
      await fuzzRounds(whileOpen, tally, { seed, count: requests, database })
      const minutes = ((Date.now() - begun) / 60_000).toFixed(1)
      context.diagnostic(`seed ${seed}, ${minutes} minutes, ${tally.asked} requests: ${statusText(tally)}`)
      assert.equal(tally.failures.length, 0, tally.failures.map(failureText).join("\n\n"))
      assert.equal(tally.asked, requests)
      // What is only refused at the door shows nothing of what is behind it.
      assert.ok(shareOf(tally, 200, 299) > 0.3, statusText(tally))
      assert.ok(shareOf(tally, 400, 499) > 0.2, statusText(tally))
      const open = whileOpen()
      const doors = doorsOf((await openTarget(open.hooks, database)).world)
      await open.end()
      const closed = [...doors]
        .filter((door) => !tally.opened.has(door))
        .map((door) => `${door}: ${tally.refused.get(door)}`)
      context.diagnostic(`${doors.size - closed.length} of ${doors.size} doors opened`)
      if (full) assert.deepEqual(closed, [], "each of the ways in has been gone through")
      else assert.ok(closed.length < doors.size * 0.6, `${closed.length} of ${doors.size}: ${closed}`)
    })

  for (const database of dialects)
    test(`of an older version break nothing on ${database}`, async (context) => {
      const tally = newTally()
      const count = full ? requests / 10 : 200
      await fuzzRounds(whileOpen, tally, { seed, count, database, isOlder: true })
      context.diagnostic(`seed ${seed}, ${tally.asked} requests: ${statusText(tally)}`)
      assert.equal(tally.failures.length, 0, tally.failures.map(failureText).join("\n\n"))
      assert.ok(shareOf(tally, 200, 299) > 0.3, statusText(tally))
    })

  test("find a service that is broken on purpose, and the smallest request that shows it", async () => {
    const open = whileOpen()
    try {
      const target = await openTarget(open.hooks, "sqlite", (options) => ({
        ...options,
        facesFor: (actor) => {
          const { graphql, rest } = options.facesFor(actor)
          const breaking: typeof rest = (request) => {
            const text = Buffer.from(request.body).toString()
            // As a name that is put into a message would, where it is an object.
            if (text.includes('"toString":')) String({ toString: 1 })
            return rest(request)
          }
          return { graphql, rest: breaking }
        },
      }))
      const tally = newTally()
      for (let from = seed; tally.failures.length === 0 && from < seed + 20_000; from += 500)
        await fuzz(target, tally, { seed: from, count: 500, database: "sqlite" })
      const [found] = tally.failures
      assert.ok(found, statusText(tally))
      assert.equal(found.status, 500)
      assert.match(failureText(found), /^500 on sqlite, seed \d+:/)
      assert.ok(JSON.stringify(found.request.body).length < 120, JSON.stringify(found.request.body))
    } finally {
      await open.end()
    }
  })
})
