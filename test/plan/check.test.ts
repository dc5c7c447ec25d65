import assert from "node:assert/strict"
import { test } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { check } from "../../src/plan/check/check.ts"
import { readList } from "../../src/plan/read/list.ts"
import type { Filter, List, Member, ReadPlan, RecordRoot } from "../../src/plan/read-plan.ts"
import { newDraft, shop, shopResource } from "./shop.ts"

const record = (members: readonly Member[], rest: Partial<RecordRoot> = {}): ReadPlan => ({
  kind: "read",
  model: shop,
  roots: [
    {
      kind: "record",
      key: "o",
      resource: "order",
      by: [{ subject: { kind: "id" }, slot: 0 }],
      members,
      ...rest,
    },
  ],
  values: [[1n]],
})

const orders: Omit<List, "members"> = readList(newDraft(), shopResource("order"), { encoding: "json" }, [])

function listPlan(list: Partial<List>): ReadPlan {
  const whole: List = { ...orders, members: [], ...list }
  return {
    kind: "read",
    model: shop,
    roots: [{ kind: "list", key: "l", resource: "order", list: whole }],
    values: [1],
  }
}

test("a plan whose names, slots and orders are right passes", () => {
  check(
    record([
      { kind: "id", key: "id" },
      { kind: "reference", relation: "customer", key: "c" },
    ]),
  )
  check(listPlan({ members: [{ kind: "total", key: "t" }] }))
})

test("a plan that names what the model lacks is our bug", () => {
  const faulty: readonly ReadPlan[] = [
    record([{ kind: "field", field: "none", key: "x" }]),
    record([{ kind: "reference", relation: "lines", key: "x" }]),
    record([{ kind: "one", relation: "lines", members: [], key: "x" }]),
    record([{ kind: "many", relation: "customer", list: { ...orders, members: [] }, key: "x" }]),
    record([], { resource: "none" }),
    record([], { by: [] }),
    record([], { bare: true }),
    record([], { by: [{ subject: { kind: "id" }, slot: 1 }] }),
    record([], { resource: "visit" }),
    listPlan({ order: [] }),
    listPlan({ order: [{ path: ["lines"], subject: { kind: "id" }, descending: false }] }),
    listPlan({
      order: [{ path: [], subject: { kind: "field", field: "tags" }, descending: false }, ...orders.order],
    }),
    listPlan({ order: [{ path: [], subject: { kind: "row" }, descending: false }, ...orders.order] }),
    listPlan({ page: { ...orders.page, limit: { slot: 7 } } }),
    listPlan({ page: { ...orders.page, atMost: 0 } }),
    listPlan({ page: { ...orders.page, after: [] } }),
    listPlan({ page: { ...orders.page, before: [null] } }),
    listPlan({
      where: {
        kind: "compare",
        subject: { kind: "field", field: "x" },
        operator: "eq",
        operand: { slot: 0 },
      },
    }),
    listPlan({ where: { kind: "compare", subject: { kind: "id" }, operator: "eq", operand: { slot: 9 } } }),
    listPlan({ where: { kind: "related", relation: "lines", of: { kind: "and", of: [] } } }),
    listPlan({
      where: { kind: "quantified", relation: "customer", quantifier: "some", of: { kind: "and", of: [] } },
    }),
    listPlan({
      members: [{ kind: "aggregate", key: "a", members: [{ kind: "group", index: 0, key: "g" }] }],
    }),
    listPlan({
      members: [
        { kind: "aggregate", key: "a", members: [{ kind: "measure", measure: "sum", field: "x", key: "g" }] },
      ],
    }),
  ]
  for (const [index, plan] of faulty.entries()) {
    assert.throws(() => check(plan), /^Error: Bifold is at fault: /, `plan ${index}`)
  }
})

test("selections and conditions deeper than the service allows are refused, however deep", () => {
  const nested = (depth: number): readonly Member[] => {
    let members: readonly Member[] = [{ kind: "id", key: "id" }]
    for (let level = 1; level < depth; level++)
      members = [{ kind: "one", relation: "manager", key: "m", members }]
    return [{ kind: "one", relation: "customer", key: "c", members }]
  }
  const negated = (depth: number): Filter => {
    let filter: Filter = { kind: "and", of: [] }
    for (let level = 0; level < depth; level++) filter = { kind: "not", of: filter }
    return filter
  }
  check(record(nested(4)))
  check(listPlan({ where: negated(4) }))
  for (const plan of [record(nested(5)), record(nested(100_000)), listPlan({ where: negated(100_000) })]) {
    assert.throws(
      () => check(plan),
      (error) => error instanceof Refusal && error.problems[0].code === "too_deep",
    )
  }
})
