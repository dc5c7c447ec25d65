// Non-interference: two databases that are equal but for what somebody may not see give them byte-identical answers,
// whatever they ask: filters, orders, figures, cursors, look-ups, mistakes and ETags.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { brokenBuilds } from "./broken.ts"
import { openHouse } from "./doors.ts"
import { full, guardedServices } from "./services.ts"
import { compare, manyAttempts, openTwins, perPerson } from "./twins.ts"

for (const service of guardedServices())
  for (const database of dialects)
    describe(`what is not seen in ${service.name} on ${database}`, () => {
      const hooks = cleanUp(after)

      test("makes no difference to any answer", async (context) => {
        const first = await openHouse(hooks, { ...service, database })
        let asked = 0
        let changed = 0
        let people = 0
        for (const [index, person] of service.people.entries()) {
          // In the tests one person in eight asks each of the databases.
          if (!full && index % (4 * dialects.length) !== dialects.indexOf(database)) continue
          const twins = await openTwins(hooks, { service, person, database, seed: index + 1, first })
          people += 1
          changed += twins.twin.changes.length
          asked += await compare(twins, (house) => house.as(person))
        }
        context.diagnostic(`${asked} requests with equal answers, ${changed} unseen changes`)
        assert.ok(people >= Math.floor(service.people.length / (full ? 1 : 8)))
        assert.ok(asked >= people * perPerson, `${asked}`)
        assert.ok(changed >= 3 * people, `${changed} unseen changes`)
      })
    })

describe("builds that are broken on purpose", () => {
  const hooks = cleanUp(after)

  test("let somebody tell two databases apart", async (context) => {
    let found = 0
    let tried = 0
    // In the tests a few of each service that are found are enough.
    let enough = 0
    for (const service of guardedServices()) {
      const first = await openHouse(hooks, { ...service, database: "sqlite" })
      const builds = brokenBuilds(service)
      enough += full ? builds.length : 2
      for (const build of builds.filter((_, index) => index % (full ? 4 : 11) === 0)) {
        if (found >= enough) break
        const twins = await openTwins(hooks, {
          service,
          person: build.person,
          database: "sqlite",
          seed: 5,
          first,
          attempts: manyAttempts,
        })
        if (!twins.twin.changes.some((change) => isAbout(change, build))) continue
        tried += 1
        const failed = await compare(twins, (house) => house.asActor(build.actor), build.resource).then(
          () => false,
          (error: unknown) => error instanceof assert.AssertionError,
        )
        found += Number(failed)
      }
    }
    context.diagnostic(`${found} of ${tried} broken builds found`)
    // A random question need not touch the one value that differs.
    assert.ok(full ? found >= tried * 0.7 : found === enough, `${found} of ${tried}`)
  })
})

const isAbout = (change: string, { resource, field }: { resource: string; field?: string }): boolean =>
  field === undefined ? change.endsWith(` of ${resource}`) : change === `value of ${field} of ${resource}`
