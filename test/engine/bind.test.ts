// What a kept plan was made ready with is used again for whom it was made ready, as long as the tables are known to be so.
import assert from "node:assert/strict"
import { test } from "node:test"
import declaration from "../../examples/storefront/service.ts"
import { createStages, type Run } from "../../src/engine/prepare.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { load } from "../../src/model/load.ts"
import { type Actor, actorOf } from "../../src/plan/access/actor.ts"
import { type Statistics, tableKey } from "../../src/plan/cost/access-paths.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"

const whole = load(declaration)
const somebody = (name: string): Actor => {
  const actor = actorOf(whole, {
    name,
    viewer: `cus_01hv000000000000000000000${name}`,
    roles: [],
    scopes: [],
  })
  assert.ok(actor)
  return actor
}
const [one, other] = [somebody("1"), somebody("2")]
const query = '{ orders(first: 5, where: {number: {eq: "A-1"}}) { nodes { number } } }'
const asked = planQuery(
  { model: one.model, cursors: createCursors("a secret of the tests") },
  { query },
) as ReadPlan
const kept: ReadPlan = { ...asked, kept: {} }

const statistics = (): Statistics => new Map()
const dialects = { prompt: sqlite, usual: sqlite, slow: sqlite, write: sqlite }

/** As the engine goes through the stages before it runs anything. */
function createBinder(storage: Parameters<typeof createStages>[0]) {
  const { recall, guard, prepare, price } = createStages(storage)
  return {
    bind(asked: ReadPlan, actor: Actor): Run {
      const known = recall(asked, actor)
      if (known) return known
      const plan = guard(asked, actor)
      return price(asked, { actor, plan, prepared: prepare(plan) })
    },
  }
}

/** The value that tells whose it is. */
const valuesOf = ({ plan }: Run) => plan.values

test("a plan that is kept is bound once for whoever asks again", () => {
  const { bind } = createBinder({ dialects, statistics: statistics() })
  assert.equal(bind(kept, one), bind(kept, one))
  assert.notEqual(bind(asked, one), bind(asked, one))
  assert.deepEqual(valuesOf(bind(asked, one)), valuesOf(bind(kept, one)))
})

test("stages that a drift of the database began anew bind it anew", () => {
  const storage = { dialects, statistics: statistics() }
  const before = createBinder(storage).bind(kept, one)
  const { bind } = createBinder(storage)
  assert.notEqual(bind(kept, one), before)
  assert.equal(bind(kept, one), bind(kept, one))
})

test("somebody else's is another, each time they take turns", () => {
  const { bind } = createBinder({ dialects, statistics: statistics() })
  const expected = [one, other].map((actor) => valuesOf(bind(asked, actor)))
  assert.notDeepEqual(expected[0], expected[1])
  for (let time = 0; time < 3; time += 1)
    assert.deepEqual(
      [one, other].map((actor) => valuesOf(bind(kept, actor))),
      expected,
    )
})

test("nobody of another audience is answered by it", () => {
  const clerk = actorOf(whole, { name: "3", roles: ["support"], scopes: [] })
  assert.ok(clerk && clerk.model !== one.model)
  const { bind } = createBinder({ dialects, statistics: statistics() })
  bind(kept, one)
  assert.throws(() => bind(kept, clerk), /for whom it was made/)
})

test("it is bound anew when more is known of the tables", () => {
  const storage = { dialects, statistics: statistics() }
  const { bind } = createBinder(storage)
  const before = bind(kept, one)
  storage.statistics = statistics()
  const after = bind(kept, one)
  assert.notEqual(after, before)
  assert.equal(bind(kept, one), after)
})

test("what was expected of a shape is forgotten with what was known of the tables", () => {
  const search = planQuery(
    { model: one.model, cursors: createCursors("a secret of the tests") },
    { query: '{ products(first: 1, where: {name: {contains: "x"}}) { nodes { name } } }' },
  ) as ReadPlan
  const lasting: ReadPlan = { ...search, kept: {} }
  const tables = [...whole.resources.values()].map(({ table }) => tableKey(table))
  const each = (rows: number): Statistics => new Map(tables.map((table) => [table, { rows, indexes: [] }]))
  const storage = { dialects, statistics: each(10) }
  const { bind } = createBinder(storage)
  const paceOf = (plan: ReadPlan) => bind(plan, one).price.pace
  const paces: unknown[] = []
  for (const rows of [10, 1_000_000, 10]) {
    storage.statistics = each(rows)
    paces.push(paceOf(search), paceOf(search), paceOf(lasting))
  }
  assert.deepEqual(paces, [...Array(3).fill("prompt"), ...Array(3).fill("slow"), ...Array(3).fill("prompt")])
})
