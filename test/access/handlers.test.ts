// Parity of handlers: each, as whomever it runs, is called for the events and told what the naive interpreter says, once
// each and in the order of each record; what its `db` shows it is what the rules show.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { handling, kindsOf } from "../support/naive-handlers.ts"
import { dialects } from "../support/open-service.ts"
import { brokenBuilds } from "./broken.ts"
import { interpreterOf } from "./guarded.ts"
import { type Following, type HandledHouse, type Heard, nameOf, openHandled } from "./handled.ts"
import { type Handled, handledServices, type Lent } from "./handled-services.ts"
import { createJudge, type Judge, sample } from "./judged.ts"
import { full, seeds } from "./services.ts"
import { byId } from "./telling.ts"

/** The tests take one handler in so many. */
const every = full ? 1 : 25

for (const service of handledServices(seeds))
  describe(`handlers of ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, HandledHouse>()
    before(async () => {
      for (const database of dialects) houses.set(database, await openHandled(hooks, service, database))
    })

    for (const [index, database] of dialects.entries())
      test(`are told what the rules say, on ${database}`, async (context) => {
        const judge = createJudge()
        const house = houses.get(database)
        assert.ok(house)
        const followed = sample(followersOf(service), every, index)
        const all = await house.follow(followed)
        let events = 0
        for (const one of followed) {
          const heard = all.get(nameOf(one))
          assert.ok(heard)
          assert.deepEqual(heard.mistakes, [])
          events += judgeHeard(judge, service, one, heard)
        }
        context.diagnostic(
          `${judge.judged} tuples by ${followed.length} handlers, ${events} events, ${judge.refused} not told or shown`,
        )
        judge.settle()
        assert.ok(events > followed.length && judge.judged > events)
      })

    test("that a build without a rule or a mask would show are found", async (context) => {
      const house = houses.get("sqlite")
      assert.ok(house)
      const builds = brokenBuilds(service).flatMap((build) => {
        const records = recordsHiddenBy(service, build)
        return records.size > 0 ? [{ ...build, records }] : []
      })
      assert.ok(builds.length > 0)
      const tried = sample(builds, full ? 1 : 5)
      for (const { name, person, actor, resource, records } of tried) {
        const judge = createJudge()
        const lent = service.people.find((one) => one === person)
        assert.ok(lent)
        const following: Following = { resource, event: "*", lent }
        judgeHeard(judge, service, following, await house.followAs(following, actor, records), records)
        assert.ok(judge.differences.length > 0, `${name} was not found`)
      }
      const masks = tried.filter(({ field }) => field !== undefined)
      context.diagnostic(`${tried.length} broken builds found, ${masks.length} of them without a mask`)
    })
  })

const followersOf = ({ declared, people }: Handled): readonly Following[] =>
  people.flatMap((lent: Lent) => kindsOf(declared).map((kind): Following => ({ ...kind, lent })))

/** Each record's events, each record that was asked for, and each list. How many events there should be. */
function judgeHeard(
  judge: Judge,
  service: Handled,
  followed: Following,
  heard: Heard,
  records?: ReadonlySet<string>,
): number {
  const laws = handling(service, followed.lent)
  const calls = laws.calls(followed)
  const name = nameOf(followed)
  const expected = Map.groupBy(calls, ({ recordId }) => recordId)
  const logged = service.log.filter(({ resource }) => resource === followed.resource)
  for (const record of new Set(logged.map((entry) => entry.record))) {
    if (records && !records.has(record)) continue
    judge.judge(
      `${name}: events of ${record}`,
      heard.calls.get(record) ?? "missing",
      expected.get(record) ?? "missing",
    )
    heard.calls.delete(record)
  }
  judge.judge(`${name}: events of others`, [...heard.calls.keys()], [])
  for (const [asked, got] of heard.got) {
    const [resource = "", id = ""] = asked.split(" ")
    judge.judge(`${name}: db gets ${asked}`, got ?? "missing", laws.get(resource, id) ?? "missing")
  }
  for (const [resource, list] of heard.lists) {
    const wanted = laws.list(resource)
    judge.judge(`${name}: db lists ${resource}`, list ?? "refused", wanted ? byId(wanted) : "refused")
  }
  return calls.length
}

/** Those of which the build would show something that its handlers are not shown. */
function recordsHiddenBy(
  service: Handled,
  { person, resource, field }: Pick<ReturnType<typeof brokenBuilds>[number], "person" | "resource" | "field">,
): ReadonlySet<string> {
  const rules = interpreterOf(service, person)
  const hidden = (service.store.records[resource] ?? []).filter((row) =>
    field === undefined
      ? !rules.sees(resource, row)
      : rules.sees(resource, row) && !rules.seesValue(resource, row, field) && row[field] !== null,
  )
  return new Set(hidden.slice(0, 3).map(({ id }) => String(id)))
}
