// Random steps in services whose rules lead back to what is written: verdict, records and answer are what the naive interpreter
// says, which judges each step by the records before it.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import { seeded } from "../../examples/storefront/random.ts"
import { present } from "../../src/base/invariant.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import type { Store } from "../support/naive-access.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { drawAimed } from "./aims.ts"
import { brokenSteps } from "./broken.ts"
import { actorFor, type House, openHouse } from "./doors.ts"
import type { Guarded } from "./guarded.ts"
import { createJudge } from "./judged.ts"
import { noon, transact } from "./naive-writes.ts"
import { full, tenantServices } from "./services.ts"
import { drawStep, keysOfStep, type Shape } from "./step-doors.ts"
import { tryDoor } from "./tried.ts"
import { older, withOlderNames } from "./versioned.ts"
import type { Door } from "./write-doors.ts"
import { newKey } from "./writes.ts"

/** Steps of each person, of each service and database. */
const perPerson = Number(process.env["BIFOLD_WRITES"] ?? (full ? 600 : 5))
/** Steps that were done, after which the records are as at first again. */
const mostDone = 10

/** Steps that are drawn to find one that only a broken build does. */
const turns = full ? 2_000 : 400

/** A house in which the keys of new records follow the number of the step. */
interface Clocked extends House {
  readonly database: Database
  /** The number of the next step. */
  next(): number
}

async function openClocked(hooks: Hooks, service: Guarded, database: Database): Promise<Clocked> {
  const clock = { number: 1_000, made: 0 }
  const made = (): number => clock.number + clock.made++
  const fresh = {
    id: () => newKey(made()),
    uuid: () => `00000000-0000-4000-8000-${String(made()).padStart(12, "0")}`,
    now: () => noon,
  }
  const house = await openHouse(hooks, { ...service, log: [], database, fresh })
  return {
    ...house,
    database,
    next() {
      clock.number += keysOfStep
      clock.made = 0
      return clock.number
    },
  }
}

interface Stepping extends Pick<Parameters<typeof tryDoor>[0], "service" | "person" | "judge"> {
  readonly door: Door
  readonly store: Store
  readonly what: string
}

/** A step on each database, and the records as they are then: as at first where the databases do not agree. */
async function tryOn(houses: readonly Clocked[], { service, person, judge, door, store, what }: Stepping) {
  const expected = transact(service.declared, store, person, door.changes)
  const thens: Store[] = []
  const actor = actorFor(service.whole, person)
  const model = door.older ? modelAt(actor.model, older) : actor.model
  for (const { database, ...house } of houses) {
    const doors = house.asActor({ ...actor, model })
    const trying = { service, person, house, doors, judge, label: database }
    thens.push(await tryDoor(trying, { what, door, store, expected }))
  }
  const [then = store] = thens
  if (thens.every((one) => one === then || isDeepStrictEqual(one, then))) return then
  for (const house of houses) await house.refill()
  return service.store
}

for (const service of tenantServices().map(withOlderNames))
  describe(`steps in ${service.name}`, () => {
    const hooks = cleanUp(after)

    test("are judged by the records before each", async (context) => {
      const houses: Clocked[] = []
      for (const database of dialects) houses.push(await openClocked(hooks, service, database))
      const next = (): number => Math.max(...houses.map((house) => house.next()))
      const refill = async (): Promise<void> => {
        for (const house of houses) await house.refill()
      }
      const judge = createJudge()
      let [asked, done] = [0, 0]
      for (const [index, person] of service.people.entries()) {
        const { own } = present(houses[0], "a house").as(person)
        const asking = { service, person, own, random: seeded(index + 1), viewer: person.viewer, next }
        let { store } = service
        for (let turn = 0; turn < perPerson; turn += 1) {
          asked += 1
          const door = drawAimed({ ...asking, store })
          const then = await tryOn(houses, { service, person, judge, door, store, what: `step ${turn}` })
          done += Number(then !== store)
          const isThin = Object.values(then.records).some((rows) => rows.length < 2 || rows.length > 60)
          const isLong = then !== store && done % mostDone === 0
          store = then
          if (!isThin && !isLong) continue
          await refill()
          store = service.store
        }
        if (store !== service.store) await refill()
      }
      context.diagnostic(
        `${asked} steps on each database, ${done} done, ${judge.judged} tuples, ${judge.differences.length} differences`,
      )
      judge.settle()
      assert.ok(done > asked / 50, `${done} of ${asked} were done`)
    })
  })

const making: readonly Shape[] = ["made", "severalMade", "batch", "document"]

describe("a build in which everything is made together", () => {
  const hooks = cleanUp(after)

  test("does what is forbidden", async (context) => {
    let [tried, found] = [0, 0]
    for (const service of tenantServices()) {
      const house = await openClocked(hooks, service, "sqlite")
      for (const build of brokenSteps(service)) {
        const doors = house.asActor(build.actor)
        const random = seeded(1)
        const { store, declared } = service
        for (let turn = 0; turn < turns; turn += 1) {
          const { viewer } = build.person
          const number = house.next()
          const door = drawStep({ service, own: doors.own, viewer, store, random, number, shapes: making })
          const { reasons } = transact(declared, store, build.person, door.changes)
          if (!reasons.has("forbidden") || reasons.size > 1) continue
          if (transact(build.declared, store, build.person, door.changes).reasons.size > 0) continue
          tried += 1
          found += Number((await door.ask(doors, house.everybody)).reason === "done")
          await house.refill()
          break
        }
      }
    }
    context.diagnostic(`${found} of ${tried} broken builds found`)
    assert.ok(tried > 0 && found === tried, `${found} of ${tried}`)
  })
})
