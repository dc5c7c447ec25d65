// Parity of writes: every action on every member by every door has the verdict that the naive interpreter gives, leaves
// the records that it says, and answers with what may be seen of them.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { seeded } from "../../examples/storefront/random.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type BrokenWrite, brokenWrites } from "./broken.ts"
import { type House, openHouse } from "./doors.ts"
import type { Guarded } from "./guarded.ts"
import { createJudge, sample } from "./judged.ts"
import { noon, transact } from "./naive-writes.ts"
import { databasesEach, full, guardedServices, housesFor } from "./services.ts"
import { tryDoor, tryDoors } from "./tried.ts"
import { type Attempt, attemptsAt, newKey } from "./writes.ts"

/** The tests take one door in so many of each person. */
const every = full ? 1 : 97
/** Ids that are told beforehand, and a clock that stands still. */
const next = { number: 0 }
const fresh = {
  id: () => newKey(next.number),
  uuid: () => `00000000-0000-4000-8000-${String(next.number).padStart(12, "0")}`,
  now: () => noon,
}

for (const service of guardedServices())
  describe(`writes to ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects)
        houses.set(database, await openHouse(hooks, { ...service, log: [], database, fresh }))
    })
    const attempts = attemptsAt(service.whole)

    test("are as the rules say, for every action on every member by every door", async (context) => {
      const judge = createJudge()
      let done = 0
      for (const [index, person] of service.people.entries())
        for (const [database, house] of housesFor(houses, index)) {
          const trying = { service, person, house, doors: house.as(person), judge, label: database }
          const pace = { next, every, seed: index + 1 }
          done += await tryDoors(trying, pace, attempts, (tried) => tryDoor(trying, tried))
        }
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused, ${done} writes done`)
      judge.settle()
      assert.ok(
        judge.judged >= (attempts.length * service.people.length * databasesEach) / every,
        `${judge.judged}`,
      )
      if (service.name === "storefront") assert.ok(done > judge.judged / 20, `${done} were done`)
    })

    test("that a build without a rule would do are found", async (context) => {
      const house = houses.get("sqlite")
      assert.ok(house)
      let found = 0
      for (const build of sample(brokenWrites(service), full ? 1 : 13)) {
        const about = attempts.filter((one) => one.resource === build.resource && one.action === build.action)
        const { tried, done } = await tryBroken({ service, house, ...build }, about)
        assert.ok(done || !tried, `${build.name} was not found`)
        found += Number(done)
      }
      context.diagnostic(`${found} broken builds found`)
      assert.ok(found > 0)
    })
  })

/** Tries what only the build without the rule should do, until one is done. */
async function tryBroken(
  {
    service,
    house,
    person,
    actor,
    declared,
  }: BrokenWrite & { readonly service: Guarded; readonly house: House },
  attempts: readonly Attempt[],
): Promise<{ readonly tried: boolean; readonly done: boolean }> {
  const { store } = service
  const random = seeded(1)
  let tried = false
  for (let round = 0; round < 8; round += 1)
    for (const attempt of attempts) {
      next.number += 1
      const doors = attempt.doors({ store, random, number: next.number })
      for (const door of doors.slice(0, 3)) {
        const { reasons } = transact(service.declared, store, person, door.changes)
        const broken = transact(declared, store, person, door.changes)
        if (!reasons.has("forbidden") || reasons.size > 1 || broken.reasons.size > 0) continue
        tried = true
        if ((await door.ask(house.asActor(actor), house.everybody)).reason !== "done") continue
        await house.refill()
        return { tried, done: true }
      }
    }
  return { tried, done: false }
}
