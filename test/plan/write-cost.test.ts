// What a write costs is told before it runs, from its records at most, its answer and the user code that it calls.
import assert from "node:assert/strict"
import { test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { planDocument } from "../../src/graphql/planning/plan.ts"
import { load } from "../../src/model/load.ts"
import { actorOf } from "../../src/plan/access/actor.ts"
import { type Statistics, tableKey } from "../../src/plan/cost/access-paths.ts"
import { costOf, createPrice } from "../../src/plan/cost/cost.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { guard } from "../../src/plan/guard/guard.ts"
import type { Plan } from "../../src/plan/plan.ts"

const whole = load(storefront)
const staff = actorOf(whole, { name: "s", roles: ["staff"], scopes: [] })
assert.ok(staff)
const context = { model: staff.model, cursors: createCursors("a secret of the tests") }
const plan = (fields: string): Plan =>
  guard(planDocument(context, { query: `mutation { ${fields} }` }), staff)
const sized = (rows: number): Statistics =>
  new Map([...whole.resources.values()].map(({ table }) => [tableKey(table), { rows, indexes: [] }]))
const points = (fields: string, rows = 10): number => costOf(plan(fields), sized(rows))

const createTag = (name: string): string => `createTag(input: {name: "${name}"}) { tag { name } }`
const updateTags = (most: number): string =>
  `updateTags(where: {featured: {eq: true}}, input: {featured: false}, maxAffected: ${most}) { affected }`

test("each record that is written and each that is answered is a point", () => {
  const one = points(createTag("a"))
  assert.equal(one, 2)
  assert.equal(points(`a: ${createTag("a")} b: ${createTag("b")}`), 2 * one)
})

test("a bulk write costs what it may write at most, and what has to be looked at to find it", () => {
  assert.equal(points(updateTags(60)) - points(updateTags(10)), 50)
  assert.equal(points(updateTags(10), 5_000) - points(updateTags(10), 10), 4_990)
  assert.equal(costOf(plan(updateTags(10)), new Map()), Number.POSITIVE_INFINITY)
})

test("a call of user code costs as much as a page, and its answer besides", () => {
  const call = (members: string): number =>
    points(
      `applyCouponOrder(id: "ord_01gnna73qgf1p9fbnv5kgc46y8", input: {code: "x"}) { order { ${members} } }`,
      1_000,
    )
  assert.ok(call("total") > 100, String(call("total")))
  assert.ok(
    call("lines(first: 50) { nodes { product { name } } }") >
      call("lines(first: 10) { nodes { product { name } } }"),
  )
})

test("plans of one shape are priced by their own bounds", () => {
  const price = createPrice(sized(10))
  const asked = plan(updateTags(10))
  const slot = asked.values.indexOf(10)
  const wider: Plan = { ...asked, values: asked.values.with(slot, 1_000) }
  const [few, many, again] = [price(asked), price(wider), price(asked)]
  assert.equal(many.rows - few.rows, 990)
  assert.equal(again.rows, few.rows)
})
