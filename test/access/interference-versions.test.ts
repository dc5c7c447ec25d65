// Non-interference through an older version of the API: what its former members show is seen where their sources are.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { actorFor, openHouse } from "./doors.ts"
import type { Guarded, Person } from "./guarded.ts"
import { full, guardedServices, otherSeeds } from "./services.ts"
import { smallModel } from "./small-models.ts"
import { compare, manyAttempts, openTwins, type Twins } from "./twins.ts"
import { atOlder, older, twinAt, withOlder } from "./versioned.ts"

/** As the older version has it, for what is asked. */
const asked = (twins: Twins): Twins => ({
  ...twins,
  service: atOlder(twins.service),
  twin: twinAt(twins.service, twins.twin),
})

const people = ({ people: all }: Guarded): readonly Person[] => (full ? all : all.slice(1, 3))

for (const plain of guardedServices())
  for (const database of dialects)
    describe(`what is not seen in ${plain.name}, by an older version, on ${database}`, () => {
      const hooks = cleanUp(after)

      test("makes no difference to any answer", async (context) => {
        const service = withOlder(plain)
        const first = await openHouse(hooks, { ...service, database })
        let count = 0
        let changed = 0
        let asking = 0
        for (const [index, person] of people(service).entries()) {
          // In the tests each person asks one of the databases.
          if (!full && database !== dialects[index % dialects.length]) continue
          asking += 1
          const twins = await openTwins(hooks, { service, person, database, seed: index + 1, first })
          changed += twins.twin.changes.length
          const actor = actorFor(service.whole, person)
          const old = { ...actor, model: modelAt(actor.model, older) }
          count += await compare(asked(twins), (house) => house.asActor(old))
        }
        context.diagnostic(`${count} requests with equal answers, ${changed} unseen changes`)
        assert.ok(asking > 0 && changed >= asking, `${changed} unseen changes`)
      })
    })

describe("a former field that is shown whatever its sources are", () => {
  const hooks = cleanUp(after)

  test("lets somebody tell two databases apart", async (context) => {
    let [found, tried] = [0, 0]
    for (const plain of full ? guardedServices() : otherSeeds.map(smallModel)) {
      const service = withOlder(plain)
      const first = await openHouse(hooks, { ...service, database: "sqlite" })
      for (const person of service.people) {
        // In the tests one that is found is enough.
        if (!full && found > 0) break
        const given = {
          service,
          person,
          database: "sqlite",
          seed: 3,
          first,
          attempts: manyAttempts,
        } as const
        const twins = asked(await openTwins(hooks, given))
        const actor = actorFor(service.whole, person)
        const model = modelAt(actor.model, older)
        const whole = modelAt(service.whole, older)
        // As if a former field of the whole service were everybody's.
        const resources = new Map(
          [...model.resources].map(([name, resource]) => {
            const all = whole.resources.get(name)?.fields ?? new Map()
            const former = [...all].filter(([, { column }]) => column.startsWith("=~"))
            return [name, { ...resource, fields: new Map([...resource.fields, ...former]) }] as const
          }),
        )
        const isHidden = [...whole.resources.values()].some(({ name, fields }) =>
          [...fields.values()].some(
            (field) =>
              field.column.startsWith("=~") &&
              twins.twin.changes.includes(`value of ${field.name} of ${name}`) &&
              model.resources.has(name),
          ),
        )
        if (!isHidden) continue
        tried += 1
        const broken = { ...actor, model: { ...model, resources } }
        const failed = await compare(twins, (house) => house.asActor(broken)).then(
          () => false,
          (error: unknown) => error instanceof assert.AssertionError,
        )
        found += Number(failed)
      }
    }
    context.diagnostic(`${found} of ${tried} broken versions found`)
    // Few questions are about the one value that differs.
    assert.ok(tried > 0 && found >= (full ? tried / 2 : 1), `${found} of ${tried}`)
  })
})
