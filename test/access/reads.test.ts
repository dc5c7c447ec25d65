// Parity of reads: each use of each member by each kind of person, at both doors of both databases, has the verdict and
// the values that the naive interpreter gives.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import fc from "fast-check"
import { evaluateList, type World } from "../properties/evaluate.ts"
import { questions } from "../properties/generate.ts"
import { cleanUp } from "../support/database.ts"
import type { Interpreter } from "../support/naive-access.ts"
import { dialects } from "../support/open-service.ts"
import { askList, faces } from "./ask.ts"
import { brokenBuilds } from "./broken.ts"
import { type Doors, type House, openHouse } from "./doors.ts"
import { type Guarded, interpreterOf, type Person, resourceOf, seenWorld } from "./guarded.ts"
import { createJudge, type Judge, sample } from "./judged.ts"
import { databasesEach, full, guardedServices, housesFor } from "./services.ts"
import { type Use, usesOf } from "./uses.ts"
import { fitted, verdictOn } from "./verdict.ts"

/** The tests take one use in so many of each person, the proof all. */
const every = full ? 1 : 290
/** Random questions of each person. */
const runs = full ? 120 : 4

for (const service of guardedServices())
  describe(`reads of ${service.name}`, () => {
    const hooks = cleanUp(after)
    const houses = new Map<string, House>()
    before(async () => {
      for (const database of dialects) houses.set(database, await openHouse(hooks, { ...service, database }))
    })
    const uses = usesOf(service.whole, service.world)

    test("are as the rules say, for every use of every member", async (context) => {
      const judge = createJudge()
      for (const [index, person] of service.people.entries())
        for (const [database, house] of housesFor(houses, index))
          await judgeUses(judge, {
            ...standing(service, person),
            doors: house.as(person),
            uses: sample(uses, every, index * 7),
            label: `${person.name}, ${database}`,
          })
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused`)
      judge.settle()
      assert.ok(
        judge.judged >= (uses.length * service.people.length * 2 * databasesEach) / every / 1.3,
        `${judge.judged}`,
      )
    })

    test("are as the rules say, for random questions", async (context) => {
      const judge = createJudge()
      for (const [index, person] of service.people.entries())
        for (const [database, house] of housesFor(houses, index))
          await judgeQuestions(judge, {
            ...standing(service, person),
            doors: house.as(person),
            world: service.world,
            label: `${person.name}, ${database}`,
          })
      context.diagnostic(`${judge.judged} tuples, ${judge.refused} of them refused`)
      judge.settle()
      assert.ok(judge.judged > runs)
    })

    test("that a build without a rule would answer are found", async (context) => {
      const house = houses.get("sqlite")
      assert.ok(house)
      const builds = sample(brokenBuilds(service), full ? 1 : 17)
      assert.ok(builds.length > 0)
      for (const { name, person, actor, resource, field } of builds) {
        const judge = createJudge()
        const touching = uses.filter(
          (use) => use.resource === resource && (field === undefined || use.member === field),
        )
        await judgeUses(judge, {
          ...standing(service, person),
          doors: house.asActor(actor),
          uses: sample(touching, 5),
          label: name,
        })
        assert.ok(judge.differences.length > 0, `${name} was not found`)
      }
      context.diagnostic(`${builds.length} broken builds found`)
    })
  })

interface Standing {
  readonly interpreter: Interpreter
  readonly seen: World
}

function standing(service: Guarded, person: Person): Standing {
  const interpreter = interpreterOf(service, person)
  return { interpreter, seen: seenWorld(service, interpreter) }
}

interface Judged extends Standing {
  readonly doors: Doors
  readonly label: string
}

async function judgeUses(
  judge: Judge,
  { doors, interpreter, seen, uses, label }: Judged & { readonly uses: readonly Use[] },
): Promise<void> {
  for (const asked of uses) {
    const count = seen.rows.get(asked.root)?.length ?? 0
    const use = { ...asked, list: fitted(asked.list, count) }
    const expected = verdictOn(interpreter, seen, use)
    for (const face of faces)
      judge.judge(
        `${label}, ${face}: ${use.use} of ${use.resource}.${use.member}, ${JSON.stringify(use.list)}`,
        await askList(doors, face, resourceOf(seen.model, use.root), use.list),
        expected,
      )
  }
}

/** Random questions with the names that somebody knows, and values of records that they may not see. */
async function judgeQuestions(
  judge: Judge,
  { doors, seen, world, label }: Judged & { readonly world: World },
): Promise<void> {
  if (doors.own.resources.size === 0) return
  for (const { resource: name, list: asked } of fc.sample(questions({ ...world, model: doors.own }), runs)) {
    const resource = resourceOf(seen.model, name)
    const rows = seen.rows.get(name) ?? []
    const list = fitted(asked, rows.length)
    const expected = evaluateList(seen, resource, rows, list)
    for (const face of faces)
      judge.judge(
        `${label}, ${face}: ${name} ${JSON.stringify(list)}`,
        await askList(doors, face, resource, list),
        expected,
      )
  }
}
