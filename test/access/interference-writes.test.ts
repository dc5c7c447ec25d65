// Non-interference of writes: two databases that are equal but for what somebody may not see give them byte-identical
// answers to whatever they write, and show them the same afterwards.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { present } from "../../src/base/invariant.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { brokenBuilds } from "./broken.ts"
import { actorFor } from "./doors.ts"
import { partlySeeing } from "./guarded.ts"
import { full, guardedServices, tenantServices } from "./services.ts"
import { withOlder } from "./versioned.ts"
import { compare, formsOf, newCounts, openClocked, openTrying, perPerson } from "./write-twins.ts"

/** The tests take one person in so many. */
const every = full ? 1 : 4

for (const service of [...guardedServices(), ...tenantServices()].map(withOlder))
  for (const database of dialects)
    describe(`writes to what is not seen in ${service.name} on ${database}`, () => {
      const hooks = cleanUp(after)

      test("are answered alike", async (context) => {
        const clock = { next: 0 }
        const counts = newCounts()
        const all = partlySeeing(service).filter((_, index) => index % every === 0)
        // In the tests each person writes to one of the databases.
        const people = full ? all : all.filter((_, index) => database === dialects[index % dialects.length])
        const first = await openClocked(hooks, service, { database, clock })
        for (const [index, person] of people.entries()) {
          const trying = await openTrying(hooks, { service, person, database, seed: index + 1, first, clock })
          await compare(trying, counts, actorFor(service.whole, person))
        }
        context.diagnostic(
          `${counts.asked} pairs, ${counts.done} done, ${counts.ruled} told apart by a rule, ${counts.taken} by a taken value, ${counts.shown} that show more`,
        )
        context.diagnostic(formsOf(counts))
        assert.equal(counts.asked, people.length * perPerson)
        // Rules that look at what is hidden tell of it: that stays the exception.
        assert.ok(counts.ruled + counts.taken + counts.shown < counts.asked / 10, JSON.stringify(counts))
      })
    })

describe("writes of builds that are broken on purpose", () => {
  const hooks = cleanUp(after)

  test("let somebody tell two databases apart", async (context) => {
    let found = 0
    let tried = 0
    const service = withOlder(present(guardedServices()[0], "the storefront"))
    const clock = { next: 0 }
    const first = await openClocked(hooks, service, { database: "sqlite", clock })
    // Somebody who may write, without the rule of what they refer to.
    const builds = brokenBuilds(service).filter(
      ({ person, resource, field }) =>
        field === undefined && person.name === "a customer" && ["address", "order"].includes(resource),
    )
    for (const build of builds) {
      const { person } = build
      const trying = await openTrying(hooks, { service, person, database: "sqlite", seed: 3, first, clock })
      tried += 1
      const counts = newCounts()
      const failed = await compare(trying, counts, build.actor, 600).then(
        () => false,
        (error: unknown) => error instanceof assert.AssertionError,
      )
      await first.refill()
      found += Number(failed)
    }
    context.diagnostic(`${found} of ${tried} broken builds found`)
    assert.ok(tried > 0 && found === tried, `${found} of ${tried}`)
  })
})
