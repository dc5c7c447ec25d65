// Random steps in services whose rules lead back to what is written: verdict, records and answer are what the naive interpreter
// says, which judges each step by the records before it.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { seeded } from "../../examples/storefront/random.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openHouse } from "./doors.ts"
import { createJudge } from "./judged.ts"
import { noon } from "./naive-writes.ts"
import { full, tenantServices } from "./services.ts"
import { drawStep, keysOfStep } from "./step-doors.ts"
import { tryDoor } from "./tried.ts"
import { newKey } from "./writes.ts"

/** Steps of each person, of each service and database. */
const perPerson = Number(process.env["BIFOLD_WRITES"] ?? (full ? 600 : 25))
/** Steps that were done, after which the records are as at first again. */
const mostDone = 10

for (const service of tenantServices())
  for (const database of dialects)
    describe(`steps in ${service.name} on ${database}`, () => {
      const hooks = cleanUp(after)

      test("are judged by the records before each", async (context) => {
        const clock = { number: 1_000, made: 0 }
        const next = (): number => clock.number + clock.made++
        const fresh = {
          id: () => newKey(next()),
          uuid: () => `00000000-0000-4000-8000-${String(next()).padStart(12, "0")}`,
          now: () => noon,
        }
        const house = await openHouse(hooks, { ...service, log: [], database, fresh })
        const judge = createJudge()
        let [asked, done] = [0, 0]
        for (const [index, person] of service.people.entries()) {
          const doors = house.as(person)
          const random = seeded(index + 1)
          let { store } = service
          for (let turn = 0; turn < perPerson; turn += 1) {
            clock.number += keysOfStep
            clock.made = 0
            asked += 1
            const door = drawStep({ service, own: doors.own, store, random, number: clock.number })
            const trying = { service, person, house, doors, judge, label: database }
            const then = await tryDoor(trying, { what: `step ${turn}`, door, store })
            done += Number(then !== store)
            const isThin = Object.values(then.records).some((rows) => rows.length < 2 || rows.length > 60)
            const isLong = then !== store && done % mostDone === 0
            store = then
            if (!isThin && !isLong) continue
            await house.refill()
            store = service.store
          }
          if (store !== service.store) await house.refill()
        }
        context.diagnostic(
          `${asked} steps, ${done} done, ${judge.judged} tuples, ${judge.differences.length} differences`,
        )
        judge.settle()
        assert.ok(done > asked / 50, `${done} of ${asked} were done`)
      })
    })
