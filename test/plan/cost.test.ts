// Costs: the rows that a plan looks at, from its shape, its pages and what is known of the tables.
import assert from "node:assert/strict"
import { test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import type { Statistics, TableStatistics } from "../../src/plan/cost/access-paths.ts"
import { costOf, createPrice, printCost } from "../../src/plan/cost/cost.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { loadOpen } from "../support/everybody.ts"

const model = loadOpen(storefront)
const context = { model, cursors: createCursors("a secret of the tests") }
const plan = (query: string): ReadPlan => planQuery(context, { query })

const index = (unique: boolean, ...columns: readonly string[]) => ({ unique, columns })
const counted = (orders: number): Statistics =>
  new Map<string, TableStatistics>([
    ["customer", { rows: 1_000, indexes: [index(true, "id"), index(true, "email")] }],
    [
      "order",
      {
        rows: orders,
        indexes: [
          index(true, "id"),
          index(true, "number"),
          index(false, "customer_id"),
          index(false, "placed_at"),
          index(false, "status", "placed_at"),
        ],
      },
    ],
    ["order_line", { rows: orders * 3, indexes: [index(true, "order_id", "position")] }],
    ["product", { rows: 500, indexes: [index(true, "id")] }],
  ])
const cost = (query: string, statistics = counted(100_000)): number => costOf(plan(query), statistics)

test("what ends early costs its page, whatever the size of the table", () => {
  for (const query of [
    "{ orders(first: 20) { nodes { number } } }",
    "{ orders(first: 20, orderBy: [{field: id, direction: DESC}]) { nodes { number } } }",
    "{ orders(first: 20, orderBy: [{field: placedAt, direction: DESC}]) { nodes { number } } }",
    "{ orders(first: 20, where: {status: {eq: paid}}, orderBy: [{field: placedAt}]) { nodes { number } } }",
    '{ orders(first: 20, where: {placedAt: {gte: "2026-01-01T00:00:00Z"}}, orderBy: [{field: placedAt}]) { nodes { number } } }',
  ])
    assert.equal(cost(query), 21, query)
  assert.equal(cost('{ order(id: "ord_01gnna73qgf1p9fbnv5kgc46y8") { number customer { name } } }'), 2)
  assert.equal(cost('{ orderByNumber(number: "A-1") { id } }'), 1)
  assert.equal(cost('{ orders(where: {number: {in: ["A-1", "A-2"]}}) { nodes { id } } }'), 2)
})

test("what cannot end early costs the table", () => {
  for (const query of [
    "{ orders(first: 1, orderBy: [{field: total}]) { nodes { number } } }",
    "{ orders(first: 1, orderBy: [{field: status, direction: DESC}, {field: placedAt}]) { nodes { number } } }",
    '{ orders(first: 1, where: {note: {contains: "x"}}) { nodes { number } } }',
    '{ orders(first: 1, where: {or: [{number: {eq: "A-1"}}, {note: {eq: "x"}}]}) { nodes { number } } }',
    "{ orders(first: 0) { totalCount } }",
    "{ orders(first: 0) { aggregate { sum { total } } } }",
    "{ orders(first: 0) { groups(by: [status]) { key { status } } } }",
  ])
    assert.equal(cost(query), 100_000, query)
  // Each order is joined to its customer before the order is known.
  assert.equal(
    cost("{ orders(first: 1, orderBy: [{customer: {field: name}}]) { nodes { number } } }"),
    200_000,
  )
})

test("a reference narrows to some times what the record it names has on average", () => {
  const query = '{ orders(where: {customerId: {eq: "cus_01gnna73qgf1p9fbnv5kgc46y8"}}) { nodes { id } } }'
  assert.equal(cost(query), 400)
})

test("lists in lists multiply", () => {
  assert.equal(cost("{ orders(first: 20) { nodes { customer { name } } } }"), 21 + 20)
  assert.equal(
    cost("{ orders(first: 20) { nodes { lines(first: 5) { nodes { product { name } } } } } }"),
    21 + 20 * (6 + 5),
  )
  assert.equal(cost("{ orders(first: 20) { nodes { lines(first: 5) { totalCount } } } }"), 21 + 20 * 12)
})

test("a condition through relations costs what it looks at for each row", () => {
  assert.equal(
    cost("{ orders(first: 0, where: {lines: {some: {quantity: {gt: 2}}}}) { totalCount } }"),
    100_000 * 13,
  )
  // Nothing begins with the product, so all lines are looked at for each one.
  assert.equal(cost("{ products(first: 0, where: {lines: {none: {}}}) { totalCount } }"), 500 * 300_001)
})

test("a condition that names a related record costs what it finds, once", () => {
  const customer = '{customer: {email: {eq: "a@example.net"}}}'
  // The customer, and four times the orders that one has on average.
  assert.equal(cost(`{ orders(where: ${customer}) { nodes { id } } }`), 1 + 400)
  assert.equal(cost(`{ orders(first: 0, where: ${customer}) { totalCount } }`), 1 + 400)
  assert.equal(cost('{ customers(where: {orders: {some: {number: {eq: "A-1"}}}}) { nodes { id } } }'), 1 + 1)
  // Nothing of it is an index's business when it is negated, but it is found once all the same.
  assert.equal(cost(`{ orders(first: 0, where: {not: ${customer}}) { totalCount } }`), 1 + 100_000)
  // No index begins with the product: the lines are gone through, once, not for each order.
  assert.equal(
    cost(
      `{ orders(first: 5, where: {lines: {some: {productId: {eq: "prd_01gnna73qgf1p9fbnv5kgc46y8"}}}}) { nodes { id } } }`,
    ),
    300_000 + 100_000,
  )
})

test("without a word of the database tables have no bound, and related records are taken for a hundred", () => {
  const unknown: Statistics = new Map()
  assert.equal(cost("{ orders(first: 20) { nodes { number } } }", unknown), 21)
  assert.equal(cost("{ orders { totalCount } }", unknown), Number.POSITIVE_INFINITY)
  assert.equal(
    cost(
      "{ orders(first: 10) { nodes { lines(first: 200) { totalCount } } } }".replace("200", "100"),
      unknown,
    ),
    11 + 1_000,
  )
  assert.match(printCost(plan("{ orders { totalCount } }"), unknown), /^an unknown number of rows: slow/)
  assert.equal(
    printCost(plan("{ orders(first: 1) { nodes { id } } }"), unknown),
    "about 2 rows: prompt, answered at once",
  )
})

test("larger pages, larger tables and more that is asked never cost less", () => {
  const parts = ["number", "customer { name }", "lines(first: 7) { totalCount nodes { product { name } } }"]
  let before = 0
  for (const size of [0, 1, 2, 50, 100])
    for (let members = 1; members <= parts.length; members++) {
      const now = cost(`{ orders(first: ${size}) { nodes { ${parts.slice(0, members).join(" ")} } } }`)
      if (members > 1) assert.ok(now >= before, `${size} ${members}`)
      before = now
    }
  const query = '{ orders(where: {note: {contains: "x"}}) { totalCount nodes { lines { totalCount } } } }'
  let smaller = 0
  for (const orders of [0, 1, 1_000, 1_000_000]) {
    const now = cost(query, counted(orders))
    assert.ok(now >= smaller, `${orders}`)
    smaller = now
  }
})

test("five thousand rows are prompt, more are not", () => {
  const all = plan('{ orders(first: 1, where: {note: {contains: "x"}}) { nodes { id } } }')
  assert.deepEqual(
    [5_000, 5_001].map((rows) => createPrice(counted(rows))(all).pace),
    ["prompt", "slow"],
  )
})

test("plans of one shape are told apart by the sizes of their pages and lists of values", () => {
  const outlookOf = createPrice(counted(100_000))
  const pages = plan("{ orders(first: 7) { nodes { customer { orders(first: 9) { nodes { id } } } } } }")
  const sized = (size: number): ReadPlan => ({
    ...pages,
    values: pages.values.map((value) => (value === 7 ? size : value)),
  })
  assert.deepEqual(
    [2, 100, 2].map((size) => outlookOf(sized(size)).pace),
    ["prompt", "slow", "prompt"],
  )
  const listed = plan('{ orders(first: 1, where: {status: {in: [paid]}, note: {eq: "x"}}) { nodes { id } } }')
  const slot = listed.values.findLastIndex(Array.isArray)
  const withValues = (count: number): ReadPlan => ({
    ...listed,
    values: listed.values.map((value, index) =>
      index === slot ? Array.from({ length: count }, () => "paid") : value,
    ),
  })
  const outlookOfFew = createPrice(counted(30_000))
  assert.deepEqual(
    [1, 2, 1].map((count) => outlookOfFew(withValues(count)).pace),
    ["prompt", "slow", "prompt"],
  )
})
