// Every table that a statement names carries the rule of its resource: where statements are put together, and in what
// comes out of it for an actor with rules.
import assert from "node:assert/strict"
import { test } from "node:test"
import declaration from "../../examples/storefront/service.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { load } from "../../src/model/load.ts"
import { actorOf, everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { guard } from "../../src/plan/guard/guard.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { allOf, name, render, ruled, ruleOn, sql } from "../../src/sql/fragment.ts"
import { compile } from "../../src/sql/read/compile.ts"

const whole = load(declaration)
const cursors = { seal: () => "", open: () => undefined }
const customer = actorOf(whole, {
  name: "somebody",
  viewer: "cus_01hv0000000000000000000000",
  roles: [],
  scopes: [],
})
assert.ok(customer)

const placeholder = (): string => "?"

test("a statement that names a table without its rule is not made", () => {
  const alias = name("t1")
  const table = ruled(name("order"), alias)
  const rule = ruleOn(sql`t1.id = 1`, alias)
  assert.equal(render(sql`FROM ${table} WHERE ${rule}`, placeholder).text, 'FROM "order" WHERE t1.id = 1')
  assert.throws(() => render(sql`FROM ${table}`, placeholder), /the rule of each table/)
  // Another table's rule is none.
  const other = ruleOn(sql`TRUE`, name("t1"))
  assert.throws(
    () => render(sql`FROM ${table} WHERE ${allOf([other])}`, placeholder),
    /the rule of each table/,
  )
})

const everything = `{
  orders(first: 3, where: {lines: {some: {product: {name: {contains: "a"}}}}, customer: {email: {contains: "@"}}}, orderBy: [{customer: {field: name}}]) {
    totalCount
    aggregate { count sum { total } }
    groups(by: [status]) { key { status } count }
    edges { cursor node { number customer { name orders(first: 1) { nodes { number } } } lines { totalCount nodes { product { name } order { number } } } shipments { nodes { carrier } } } }
    pageInfo { hasNextPage endCursor }
  }
  node(id: "ord_01hv0000000000000000000000") { id ... on Order { payments { nodes { amount } } } }
  orderByNumber(number: "A-1") { addresses: billingAddress { city customer { name } } }
}`

/** Where each resource's rule can be seen, for a customer. */
const signs: Readonly<Record<string, (alias: string) => string>> = {
  order: (alias) => `"${alias}"."customer_id" = `,
  customer: (alias) => `"${alias}"."id" = `,
  address: (alias) => `"${alias}"."customer_id" = `,
  order_line: (alias) => `"${alias}"."order_id"`,
  payment: (alias) => `"${alias}"."order_id"`,
  shipment: (alias) => `"${alias}"."order_id"`,
  product: (alias) => `"${alias}"."active" = `,
}

for (const dialect of [sqlite, postgres])
  test(`every table has its rule in a statement for an actor, on ${dialect.name}`, () => {
    const plan = guard(
      planQuery({ model: customer.model, cursors }, { query: everything }),
      customer,
    ) as ReadPlan
    const { text } = compile(plan, dialect)
    // A part of the statement that has a name has had its rule.
    const named = [...text.matchAll(/(?:FROM|JOIN) "(?!t\d+")(\w+)" AS "(t\d+)"/g)]
    const counts = new Map<string, number>()
    // What a rule looks at itself has no further rules: the order behind a line, a payment or a shipment.
    const inRules = new Set(
      [...text.matchAll(/"order_id" (?:IN|=) \(SELECT "(t\d+)"\."id" FROM "order" AS "t\d+" WHERE/g)].map(
        ([, alias]) => alias,
      ),
    )
    for (const [, table = "", alias = ""] of named) {
      if (inRules.has(alias)) continue
      counts.set(table, (counts.get(table) ?? 0) + 1)
      const sign = signs[table]
      assert.ok(sign, `${table} has a rule`)
      assert.ok(text.includes(sign(alias)), `${table} as ${alias} has no rule in ${text}`)
    }
    for (const table of Object.keys(signs)) assert.ok((counts.get(table) ?? 0) > 0, `${table} was asked for`)
    assert.ok(named.length > 25, `${named.length} tables were looked at`)
  })

for (const dialect of [sqlite, postgres])
  test(`a record named by its key looks at what its rule names, a list at all that meet it, on ${dialect.name}`, () => {
    const textOf = (query: string): string => {
      const plan = guard(planQuery({ model: customer.model, cursors }, { query }), customer) as ReadPlan
      return compile(plan, dialect).text
    }
    const among = /"order_id" IN \(SELECT/
    const named = textOf('{ payment(id: "pay_01hv0000000000000000000000") { amount } }')
    assert.match(named, /EXISTS \(SELECT 1 FROM "order"/)
    assert.doesNotMatch(named, among)
    assert.match(textOf("{ payments(first: 3) { nodes { amount } } }"), among)
  })

test("a plan is answered for whom it was made, and with their own key", () => {
  const plan = planQuery({ model: customer.model, cursors }, { query: "{ orders { totalCount } }" })
  assert.equal(plan.values[0], null)
  assert.deepEqual(guard(plan, customer).values[0], customer.key)
  const forged: ReadPlan = { ...plan, values: plan.values.with(0, ["another"]) }
  assert.deepEqual(guard(forged, customer).values[0], customer.key)
  assert.throws(() => guard(plan, everybodyOf(openModel(whole))), /for whom it was made/)
  assert.throws(() => guard(plan, { ...customer, model: { ...customer.model } }), /for whom it was made/)
})

test("of a model in which nobody has said who may see what, no statement is made", () => {
  const plan = planQuery({ model: whole, cursors }, { query: "{ tags { totalCount } }" })
  assert.throws(() => compile(plan, sqlite), /somebody has said who may see tag/)
})
