// Parity of look-ups: every record, seen or not, by everything that names it, and lists in every form; and the names that
// schema and OpenAPI show to whom.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { brokenBuilds } from "./broken.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, interpreterOf, type Person, seenWorld } from "./guarded.ts"
import { createJudge, type Judge, sample } from "./judged.ts"
import { type Looking, listForms, lookUp, shownNames } from "./looked-up.ts"
import { databasesEach, full, guardedServices, housesFor } from "./services.ts"

/** Of each person one record in so many. */
const every = full ? 4 : 61

for (const service of guardedServices())
  describe(`look-ups in ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects) houses.set(database, await openHouse(hooks, { ...service, database }))
    })

    test("find what the rules say, by every name of a record", async (context) => {
      const judge = createJudge()
      for (const [index, person] of service.people.entries())
        for (const [database, house] of housesFor(houses, index)) {
          const looking = look(judge, service, person, house.as(person), database)
          for (const [name, rows] of service.world.rows)
            for (const row of sample(rows, every, index * 3)) await lookUp(looking, name, row)
        }
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused or missing`)
      judge.settle()
      assert.ok(judge.judged > 25 * databasesEach, `${judge.judged}`)
    })

    test("give lists in every form with what the rules say", async (context) => {
      const judge = createJudge()
      for (const [index, person] of sample(service.people, full ? 1 : 4).entries())
        for (const [database, house] of housesFor(houses, index))
          for (const name of sample([...service.world.rows.keys()], full ? 1 : 2))
            await listForms(look(judge, service, person, house.as(person), database), name)
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused or missing`)
      judge.settle()
      assert.ok(judge.judged > 20, `${judge.judged}`)
    })

    test("are offered with the names that the rules leave", async (context) => {
      const judge = createJudge()
      const house = houses.get("sqlite")
      assert.ok(house)
      for (const person of service.people)
        await shownNames(look(judge, service, person, house.as(person), "sqlite"))
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused or missing`)
      judge.settle()
      assert.ok(judge.judged >= service.people.length * 3)
    })

    test("that a build without a rule would answer are found", async () => {
      const house = houses.get("sqlite")
      assert.ok(house)
      for (const { name, person, actor, resource } of sample(brokenBuilds(service), full ? 1 : 13)) {
        const judge = createJudge()
        const looking = look(judge, service, person, house.asActor(actor), name)
        for (const row of service.world.rows.get(resource) ?? []) await lookUp(looking, resource, row)
        assert.ok(judge.differences.length > 0, `${name} was not found`)
      }
    })
  })

function look(judge: Judge, service: Guarded, person: Person, doors: Doors, place: string): Looking {
  const interpreter = interpreterOf(service, person)
  const { world } = service
  return {
    judge,
    doors,
    interpreter,
    world,
    seen: seenWorld(service, interpreter),
    label: `${person.name}, ${place}`,
  }
}
