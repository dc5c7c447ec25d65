import assert from "node:assert/strict"
import { test } from "node:test"
import { printPlan } from "../../src/plan/analysis/print.ts"
import { readGroups } from "../../src/plan/read/groups.ts"
import { readList } from "../../src/plan/read/list.ts"
import { readRecord } from "../../src/plan/read/record.ts"
import type { List, ListMember, Member, Root } from "../../src/plan/read-plan.ts"
import { newDraft, shopResource } from "./shop.ts"

const constant = { kind: "constant", key: "__typename", json: '"Order"' } as const
const id = { kind: "id", key: "id" } as const
const number = { kind: "field", field: "number", key: "number" } as const

test("a question is printed with its conditions, order, page, selections and aggregates", () => {
  const draft = newDraft()
  const lines = readList(
    draft,
    shopResource("line"),
    { encoding: "json", last: 2, where: { id: { in: ["1~a"] } } },
    [],
  )
  const list = readList(
    draft,
    shopResource("order"),
    {
      encoding: "json",
      where: {
        total: { gte: "10" },
        not: { note: { isNull: true } },
        or: [
          { customer: { email: { endsWith: "@x" } } },
          { lines: { none: { quantity: { gt: 2 }, comment: { isNull: false } } } },
        ],
      },
      order: [
        { path: [], name: "placedAt", descending: true },
        { path: ["customer"], name: "name", nulls: "first" },
      ],
      first: 5,
    },
    [],
  )
  const groups = readGroups(draft, shopResource("order"), { by: ["status", "customerId"], limit: 3 }, [])
  assert.ok(groups)
  const aggregates = [
    {
      kind: "object",
      key: "sum",
      members: [{ kind: "measure", measure: "sum", field: "total", key: "total" }],
    },
    { kind: "count", key: "count" },
    constant,
  ] as const
  const rows: ListMember = {
    kind: "rows",
    key: "edges",
    members: [
      { kind: "cursor", key: "cursor" },
      {
        kind: "object",
        key: "node",
        members: [
          {
            kind: "many",
            relation: "lines",
            key: "lines",
            list: { ...lines, members: [{ kind: "rows", key: "nodes", members: [id] }] },
          },
          {
            kind: "one",
            relation: "customer",
            key: "customer",
            members: [{ kind: "field", field: "email", key: "e" }],
          },
          { kind: "one", relation: "customer", key: "again", members: [id] },
          { kind: "reference", relation: "customer", key: "customerId" },
          number,
          id,
          constant,
        ],
      },
    ],
  }
  const members: readonly ListMember[] = [
    { kind: "total", key: "totalCount" },
    rows,
    { kind: "page", fact: "next", key: "next" },
    { kind: "aggregate", key: "aggregate", members: aggregates },
    {
      kind: "groups",
      key: "groups",
      groups: { ...groups, members: [...aggregates, { kind: "group", index: 0, key: "status" }] },
    },
  ]
  const plan = draft.finish([{ kind: "list", resource: "order", key: "orders", list: { ...list, members } }])
  assert.equal(
    printPlan(plan),
    `
list of order
  where (total gte "10.00") and ((customer (email endsWith "@x")) or (none lines ((quantity gt 2) and (comment is present)))) and (not (note is missing))
  order by -placedAt nulls last, customer.name nulls first, id
  first 5
  each
    id
    number
    customerId
    customer: customer
      id
      email
    lines: list of line
      where id in [[1, "a"]]
      order by id
      last 2
      each
        id
  total
  count
  sum of total
  groups by status, customerId first 3
    key status
    count
    sum of total`.slice(1),
  )
})

test("envelopes, output keys, constants, cursors, repetition and the order of members do not change the text", () => {
  const question = (
    members: readonly Member[],
    wrap: (members: readonly Member[]) => readonly ListMember[],
  ): string => {
    const draft = newDraft()
    const list: Omit<List, "members"> = readList(draft, shopResource("order"), { encoding: "json" }, [])
    return printPlan(
      draft.finish([
        { kind: "list", resource: "order", key: "x", list: { ...list, members: wrap(members) } },
      ]),
    )
  }
  const edges = question([id, number], (inner) => [
    {
      kind: "rows",
      key: "edges",
      members: [
        { kind: "object", key: "node", members: inner },
        { kind: "cursor", key: "c" },
      ],
    },
    { kind: "object", key: "pageInfo", members: [{ kind: "page", fact: "hasNext", key: "hasNextPage" }] },
  ])
  const data = question([number, constant, { ...id, key: "again" }, id], (inner) => [
    { kind: "rows", key: "data", members: inner },
    { kind: "object", key: "page", members: [{ kind: "page", fact: "next", key: "next" }] },
  ])
  assert.equal(edges, data)
  assert.notEqual(
    edges,
    question([id], (inner) => [{ kind: "rows", key: "data", members: inner }]),
  )
})

test("one record, several records and constants", () => {
  const draft = newDraft()
  const lookUp = (text: string) => {
    const by = readRecord(draft, shopResource("order"), text)
    assert.notEqual(by, "missing")
    return by === "missing" ? [] : by
  }
  const record = (text: string): Root & { kind: "record" } => ({
    kind: "record",
    resource: "order",
    key: "o",
    by: lookUp(text),
    members: [id],
  })
  const roots: Root[] = [
    { ...record("1"), bare: true },
    { kind: "records", key: "nodes", of: [record("2"), { kind: "constant", key: "", json: "null" }] },
    constant,
  ]
  assert.equal(
    printPlan(draft.finish(roots)),
    "order where id eq [1]\n  id\nrecords\n  order where id eq [2]\n    id\n  missing",
  )
})
