import assert from "node:assert/strict"
import { test } from "node:test"
import { cursorScope } from "../../src/plan/draft/cursor.ts"
import { pageKey } from "../../src/plan/draft/plan-cache.ts"
import { type ListInput, type RequestedTerm, readList } from "../../src/plan/read/list.ts"
import type { OrderTerm } from "../../src/plan/read-plan.ts"
import { cursors, mistakes, newDraft, shop, shopResource } from "./shop.ts"

function read(input: Partial<ListInput>, resource = "order") {
  const draft = newDraft()
  const list = readList(draft, shopResource(resource), { encoding: "json", ...input }, ["root"])
  const found = mistakes(draft)
  return { list, mistakes: found, values: found.length > 0 ? [] : draft.finish([]).values }
}

/** As people write it: `-customer.name nulls last`. */
function orderOf(resource: string, ...order: readonly RequestedTerm[]): readonly string[] {
  const { list, mistakes: found } = read({ order }, resource)
  assert.deepEqual(found, [])
  return list.order.map(written)
}

function written({ path, subject, descending, nulls }: OrderTerm): string {
  const name =
    subject.kind === "field"
      ? subject.field
      : subject.kind === "reference"
        ? `${subject.relation}Id`
        : subject.kind
  return `${descending ? "-" : ""}${[...path, name].join(".")}${nulls ? ` nulls ${nulls}` : ""}`
}

const term = (name: string, rest: Partial<RequestedTerm> = {}): RequestedTerm => ({ path: [], name, ...rest })

test("an order is made total by what tells rows apart", () => {
  assert.deepEqual(orderOf("order"), ["id"])
  assert.deepEqual(orderOf("order", term("total")), ["total", "id"])
  assert.deepEqual(orderOf("order", term("id", { descending: true })), ["-id"])
  assert.deepEqual(orderOf("line", term("quantity")), ["quantity", "id"])
  assert.deepEqual(orderOf("order", term("id", { path: ["customer"] })), ["customer.id nulls last", "id"])
  assert.deepEqual(orderOf("visit", term("seconds")), ["seconds nulls last", "row"])
  assert.deepEqual(orderOf("report", term("count", { descending: true, nulls: "first" })), [
    "-count nulls first",
    "day",
  ])
  assert.deepEqual(orderOf("report"), ["day", "count nulls last"])
})

test("terms after id are kept, though they change nothing", () => {
  assert.deepEqual(orderOf("order", term("id"), term("note", { descending: true })), [
    "id",
    "-note nulls last",
  ])
})

test("a rank of missing values is kept only where values can be missing", () => {
  assert.deepEqual(orderOf("order", term("total", { nulls: "first" })), ["total", "id"])
  assert.deepEqual(orderOf("order", term("note")), ["note nulls last", "id"])
  assert.deepEqual(orderOf("order", term("note", { nulls: "first" })), ["note nulls first", "id"])
  assert.deepEqual(orderOf("order", term("customerId")), ["customerId", "id"])
  assert.deepEqual(orderOf("line", term("replacesId")), ["replacesId nulls last", "id"])
  assert.deepEqual(orderOf("order", term("name", { path: ["customer"] })), ["customer.name nulls last", "id"])
})

test("what cannot be ordered by is refused, all at once and by place", () => {
  const order = [
    term("totl"),
    term("tags"),
    term("extra"),
    term("customer"),
    term("quantity", { path: ["lines"] }),
    term("x", { path: ["total"] }),
    term("name", { path: ["customr"] }),
    term("nam", { path: ["customer"] }),
  ]
  assert.deepEqual(read({ order, names: { order: "orderBy" } }).mistakes, [
    'unknown_field at root.orderBy.0: `order` has no member "totl". Did you mean "total"?',
    "invalid_value at root.orderBy.1: `tags` is a list, which has no order.",
    "invalid_value at root.orderBy.2: `extra` is json, which has no order.",
    "invalid_value at root.orderBy.3: `customer` is a relation: a list is ordered by a member of its target. Write `customer.` and a member of `customer`.",
    "invalid_value at root.orderBy.4: `lines` is a to-many relation: a list is ordered through to-one relations only.",
    "invalid_value at root.orderBy.5: `total` of `order` is not a relation: no order can lead through it.",
    'unknown_field at root.orderBy.6: `order` has no member "customr". Did you mean "customer" or "customerId"?',
    'unknown_field at root.orderBy.7: `customer` has no member "nam". Did you mean "name"?',
  ])
})

test("a repeated term, a ninth term and a path beyond the depth are refused", () => {
  assert.deepEqual(read({ order: [term("total"), term("total", { descending: true })] }).mistakes, [
    "invalid_value at root.order.1: `total` is already in the order. Name each member once.",
  ])
  const many = Array.from({ length: 9 }, (_, index) => term("name", { path: Array(index).fill("manager") }))
  assert.deepEqual(read({ order: many }, "customer").mistakes, [
    "too_large at root.order: The order has 9 terms; at most 8 are read (limit `sort`).",
  ])
  assert.deepEqual(read({ order: [term("name", { path: Array(5).fill("manager") })] }, "customer").mistakes, [
    "too_deep at root.order.0: An order may go through at most 4 relations (limit `depth`).",
  ])
  assert.deepEqual(
    read({ order: [term("name", { path: Array(4).fill("manager") })] }, "customer").mistakes,
    [],
  )
})

test("which rows a page has", () => {
  const cursor = cursorAt("order", [], [["7"]])
  const page = (input: Partial<ListInput>) => {
    const { list, values, mistakes: found } = read(input)
    assert.deepEqual(found, [])
    const { direction, limit, after, before } = list.page
    return `${direction} ${String(values[limit.slot])}${after ? " after" : ""}${before ? " before" : ""}`
  }
  assert.equal(page({}), "forward 10")
  assert.equal(page({ first: 0 }), "forward 0")
  assert.equal(page({ first: 50, after: cursor }), "forward 50 after")
  assert.equal(page({ last: 3 }), "backward 3")
  assert.equal(page({ last: 3, before: cursor, after: cursor }), "backward 3 after before")
  assert.equal(page({ before: cursor }), "backward 10 before")
  assert.equal(page({ first: 3, before: cursor }), "forward 3 before")
  assert.equal(page({ after: cursor, before: cursor }), "forward 10 after before")
  assert.equal(page({ fromEnd: true }), "backward 10")
  assert.equal(page({ fromEnd: true, first: 2 }), "backward 2")
})

test("what a plan's shape says of a page's size is a power of ten that is not below it", () => {
  const sizes = [0, 1, 10, 11, 50].map((first) => read({ first }).list.page)
  assert.deepEqual(
    sizes.map(({ atMost }) => atMost),
    [10, 10, 10, 100, 100],
  )
  const keys = new Set(sizes.map(pageKey))
  assert.equal(keys.size, 2)
})

test("a page that cannot be is refused in the face's own words", () => {
  assert.deepEqual(read({ first: 1, last: 1 }).mistakes, [
    "invalid_value at root.last: `first` and `last` cannot both be given. Ask for the first rows or for the last.",
  ])
  for (const limit of [-1, 51, 1.5, Number.NaN]) {
    assert.deepEqual(read({ first: limit, names: { first: "limit" } }).mistakes, [
      `invalid_value at root.limit: \`limit\` must be a whole number from 0 to 50, not ${limit}.`,
    ])
  }
})

function cursorAt(resource: string, order: readonly RequestedTerm[], values: readonly unknown[]): string {
  const scope = cursorScope(shop, shopResource(resource), read({ order }, resource).list.order)
  return cursors.seal(scope, JSON.stringify(values))
}

test("a cursor becomes a value per term, keys as their parts", () => {
  const keyset = (resource: string, order: readonly RequestedTerm[], values: readonly unknown[]) => {
    const after = cursorAt(resource, order, values)
    const { list, values: bound, mistakes: found } = read({ order, after }, resource)
    assert.deepEqual(found, [])
    return list.page.after?.map((slot) => slot && bound[slot.slot])
  }
  assert.deepEqual(keyset("order", [], [["9007199254740993"]]), [[9007199254740993n]])
  assert.deepEqual(keyset("order", [term("note"), term("total")], [null, "1.50", ["1"]]), [
    null,
    "1.50",
    [1n],
  ])
  assert.deepEqual(
    keyset(
      "line",
      [term("replacesId")],
      [
        ["1", "a~"],
        ["2", ""],
      ],
    ),
    [
      [1n, "a~"],
      [2n, ""],
    ],
  )
  assert.deepEqual(keyset("line", [term("replacesId")], [null, ["2", ""]]), [null, [2n, ""]])
  assert.deepEqual(keyset("order", [term("status")], ["gone", ["1"]]), ["gone", [1n]])
  assert.deepEqual(keyset("visit", [], ["12"]), ["12"])
  assert.deepEqual(
    keyset("order", [term("bornOn", { path: ["customer", "manager"] })], ["2026-01-01", ["1"]]),
    ["2026-01-01", [1n]],
  )
})

test("a cursor of another list, or none at all, is refused", () => {
  const refused = (after: string, order: readonly RequestedTerm[] = []) =>
    assert.deepEqual(read({ after, order }).mistakes, [
      "invalid_cursor at root.after: `after` is not a cursor of this list in this order. Take it, unchanged, from an answer to the same list in the same order.",
    ])
  refused("")
  refused("nonsense")
  refused(cursorAt("customer", [], [["a"]]))
  refused(cursorAt("order", [term("total")], ["1.00", ["1"]]))
  refused(cursorAt("order", [], [["1"]]), [term("total")])
})

test("what a sealed cursor holds is read as strictly as anything else", () => {
  for (const values of [[], [["1"], ["1"]], [["x"]], [[]], ["1"], [null], [[null]]]) {
    assert.match(read({ after: cursorAt("order", [], values) }).mistakes.join(), /^invalid_cursor/)
  }
})

test("an empty condition is none, and where comes with its place", () => {
  assert.equal("where" in read({ where: {} }).list, false)
  assert.equal(read({ where: { gift: { eq: true } } }).list.where?.kind, "compare")
  assert.deepEqual(read({ where: { x: {} }, names: { where: "filter" } }).mistakes.length, 1)
  assert.match(
    read({ where: null, names: { where: "filter" } }).mistakes.join(),
    /^invalid_value at root\.filter: /,
  )
})
