// Non-interference of writes that own code makes: references that a hook sets from what its caller sends, and operations that are
// given ids, as their caller and with a lent role.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { lent } from "../support/naive-actions.ts"
import { dialects } from "../support/open-service.ts"
import { actorFor } from "./doors.ts"
import { partlySeeing } from "./guarded.ts"
import { referringWrites, withReferringCode } from "./referring-code.ts"
import { full, guardedServices, tenantServices } from "./services.ts"
import { compare, formsOf, newCounts, openClocked, openTrying, perPerson } from "./write-twins.ts"

/** The tests take one person in so many. */
const every = full ? 1 : 3
const plain = [...guardedServices(), ...tenantServices()].slice(0, full ? undefined : 4)

for (const [at, one] of plain.entries()) {
  const service = withReferringCode(one, at % 2 === 1)
  for (const database of dialects)
    describe(`own code that is given what is not seen in ${service.name} on ${database}`, () => {
      const hooks = cleanUp(after)

      test("answers alike", async (context) => {
        const clock = { next: 0 }
        const counts = newCounts()
        let changed = 0
        const all = partlySeeing(service).filter((_, index) => index % every === 0)
        // In the tests each person writes to one of the databases.
        const people = full ? all : all.filter((_, index) => database === dialects[index % dialects.length])
        const first = await openClocked(hooks, service, { database, clock })
        for (const [index, person] of people.entries()) {
          const trying = await openTrying(hooks, {
            ...{ service, person, database, seed: index + 1, first, clock },
            others: [lent(person, { name: "", as: service.loan })],
            writes: referringWrites(service, person),
            hooked: service.hooked,
          })
          changed += trying.changes.length
          await compare(trying, counts, actorFor(service.whole, person))
        }
        context.diagnostic(
          `${counts.asked} pairs, ${counts.done} done, ${counts.ruled} told apart by a rule, ${counts.shown} that show more, ${changed} unseen changes`,
        )
        context.diagnostic(formsOf(counts))
        assert.equal(counts.asked, people.length * perPerson)
        assert.ok(counts.ruled + counts.taken + counts.shown < counts.asked / 10, JSON.stringify(counts))
      })
    })
}
