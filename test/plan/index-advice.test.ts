// Indexes that a request would be read by: its fixed columns first, then its order; none that is there, and none for little.
import assert from "node:assert/strict"
import { test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import type { Statistics, TableStatistics } from "../../src/plan/cost/access-paths.ts"
import { adviseIndexes } from "../../src/plan/cost/index-advice.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { loadOpen } from "../support/everybody.ts"

const context = { model: loadOpen(storefront), cursors: createCursors("a secret of the tests") }
const index = (unique: boolean, ...columns: readonly string[]) => ({ unique, columns })
const tables: Statistics = new Map<string, TableStatistics>([
  ["customer", { rows: 1_000, indexes: [index(true, "id")] }],
  [
    "order",
    {
      rows: 1_000_000,
      indexes: [
        index(true, "id"),
        index(false, "customer_id"),
        index(false, "status"),
        index(false, "placed_at"),
      ],
    },
  ],
])
const advised = (query: string): readonly string[] =>
  adviseIndexes(planQuery(context, { query }), tables).map(
    ({ resource, members, rows }) => `${resource}: ${members.join()} instead of ${rows}`,
  )

test("an index is advised where the database would look at many rows", () => {
  const wanted: Readonly<Record<string, readonly string[]>> = {
    "{ orders(orderBy: [{field: total}]) { nodes { id } } }": ["order: total instead of 1000000"],
    '{ orders(where: {number: {eq: "A"}, status: {eq: paid}}, orderBy: [{field: total}]) { nodes { id } } }':
      ["order: number,status,total instead of 100000"],
    '{ orders(where: {total: {gt: "5"}}) { totalCount } }': ["order: total instead of 1000000"],
    '{ orders(where: {total: {in: ["5", "6"]}}) { totalCount } }': ["order: total instead of 1000000"],
    "{ customers { nodes { orders(orderBy: [{field: total}]) { nodes { id } } } } }": [],
    "{ a: orders(orderBy: [{field: total}]) { nodes { id } } b: orders(orderBy: [{field: total}]) { totalCount } }":
      ["order: total instead of 1000000"],
  }
  for (const [query, expected] of Object.entries(wanted)) assert.deepEqual(advised(query), expected, query)
})

test("no index is advised that is there, that would not help, or for few rows", () => {
  for (const query of [
    "{ orders { nodes { id } } }",
    "{ orders(orderBy: [{field: placedAt, direction: DESC}]) { nodes { id } } }",
    // By the index on the status, many as they are.
    "{ orders(where: {status: {eq: paid}}) { totalCount } }",
    "{ orders { totalCount } }",
    '{ orders(where: {note: {contains: "x"}}) { totalCount } }',
    "{ orders(orderBy: [{customer: {field: name}}]) { nodes { id } } }",
    "{ customers(orderBy: [{field: name}]) { nodes { id } } }",
  ])
    assert.deepEqual(advised(query), [], query)
})
