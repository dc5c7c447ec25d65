import assert from "node:assert/strict"
import { test } from "node:test"
import type { Unique } from "../../src/model/model.ts"
import { readRecord, readUnique, type UniqueInput } from "../../src/plan/read/record.ts"
import { mistakes, newDraft, shopResource } from "./shop.ts"

test("a record is named by its key", () => {
  const draft = newDraft()
  assert.deepEqual(readRecord(draft, shopResource("line"), "lin_1~a"), [{ subject: { kind: "id" }, slot: 0 }])
  assert.equal(readRecord(draft, shopResource("order"), "abc"), "missing")
  assert.deepEqual(draft.finish([]).values, [[1n, "a"]])
})

const both: Unique = {
  name: "number_customerId",
  members: [
    { kind: "field", field: "number" },
    { kind: "reference", relation: "customer" },
  ],
}

function unique(resource: string, key: Unique, values: UniqueInput["values"]) {
  const draft = newDraft()
  const by = readUnique(draft, shopResource(resource), key, { values, encoding: "json", place: ["args"] })
  return { by, mistakes: mistakes(draft) }
}

test("a unique key is read member by member, references as ids", () => {
  assert.deepEqual(unique("order", both, { customerId: "cus_x", number: "A" }), {
    by: [
      { subject: { kind: "field", field: "number" }, slot: 0 },
      { subject: { kind: "reference", relation: "customer" }, slot: 1 },
    ],
    mistakes: [],
  })
})

test("a reference that no record can have means that there is no such record", () => {
  const byOrder: Unique = { name: "orderId", members: [{ kind: "reference", relation: "order" }] }
  assert.deepEqual(unique("line", byOrder, { orderId: "x" }), { by: "missing", mistakes: [] })
})

test("unknown, lacking and wrong values of a unique key are refused together", () => {
  const values = JSON.parse('{"number": 1, "customerId": null, "numbr": 2, "__proto__": 3}')
  assert.deepEqual(unique("order", both, values).mistakes, [
    "invalid_value at args.number: `number` must be text, not 1.",
    "invalid_value at args.customerId: `customerId` must be given, and not null.",
    'unknown_field at args.numbr: "numbr" is not part of the unique key of `number`, `customerId`. Did you mean "number"?',
    'unknown_field at args.__proto__: "__proto__" is not part of the unique key of `number`, `customerId`. Known here: number, customerId.',
  ])
})

test("a value that every object inherits is not a given one", () => {
  const inherited: Unique = { name: "constructor", members: [{ kind: "field", field: "constructor" }] }
  assert.deepEqual(unique("order", inherited, {}).mistakes, [
    "invalid_value at args.constructor: `constructor` must be given, and not null.",
  ])
})
