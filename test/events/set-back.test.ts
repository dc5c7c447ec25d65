// A calendar that is set back by days, by an operator or by NTP: what failed is tried again after its pause all the same.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { longestPause } from "../../src/events/handlers/followed.ts"
import { handler } from "../../src/index.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type On, openShop } from "./open.ts"

const day = 86_400_000

for (const database of dialects)
  describe(`handlers when the calendar is set back on ${database}`, () => {
    const hooks = cleanUp(after)
    const clocks = { calendar: Date.UTC(2026, 5, 1), passed: 0 }
    const options = { now: () => clocks.calendar, elapsed: () => clocks.passed }

    test("try again after the pause that has passed, and after a start within the longest one", async () => {
      const shop = await openShop(hooks, database)
      let tries = 0
      const on: On = {
        "order.created": handler({
          retries: 10,
          run: () => {
            tries += 1
            throw new Error("not yet")
          },
        }),
      }
      const running = await shop.start(on, options)
      await shop.order("1")
      await running.settled()
      assert.equal(tries, 1)
      clocks.calendar -= 3 * day
      await running.settled()
      assert.equal(tries, 1, "its pause has not passed")
      clocks.passed += 2_000
      await running.settled()
      assert.equal(tries, 2)
      await running.close()

      clocks.calendar -= 30 * day
      const next = await shop.start(on, options)
      await next.settled()
      assert.equal(tries, 2)
      clocks.passed += longestPause
      await next.settled()
      assert.equal(tries, 3)
    })
  })
