import assert from "node:assert/strict"
import { test } from "node:test"
import { type GroupsInput, groupable, readGroups } from "../../src/plan/read/groups.ts"
import { mistakes, newDraft, shopResource } from "./shop.ts"

function read(input: GroupsInput) {
  const draft = newDraft()
  const groups = readGroups(draft, shopResource("order"), input, ["list"])
  return { groups, mistakes: mistakes(draft) }
}

test("groups are formed by fields that have an order, and by references", () => {
  assert.deepEqual(groupable(shopResource("order")), [
    "number",
    "total",
    "status",
    "note",
    "gift",
    "placedAt",
    "customerId",
  ])
  assert.deepEqual(read({ by: ["status", "customerId"], limit: 3 }), {
    groups: {
      by: [
        { kind: "field", field: "status" },
        { kind: "reference", relation: "customer" },
      ],
      limit: { slot: 0 },
    },
    mistakes: [],
  })
})

test("what groups cannot be formed by is refused, all at once", () => {
  assert.deepEqual(
    read({ by: ["id", "tags", "statos"], limit: 51, names: { by: "groupBy", limit: "groups" } }).mistakes,
    [
      "invalid_value at list.groupBy.0: `id` cannot be grouped by: groups are formed by fields that have an order, and by references. Known here: number, total, status, note, gift, placedAt, customerId.",
      "invalid_value at list.groupBy.1: `tags` cannot be grouped by: groups are formed by fields that have an order, and by references. Known here: number, total, status, note, gift, placedAt, customerId.",
      'unknown_field at list.groupBy.2: `order` has no member "statos". Did you mean "status"?',
      "invalid_value at list.groups: `groups` must be a whole number from 0 to 50, not 51.",
    ],
  )
  assert.deepEqual(read({ by: ["status", "status"] }).mistakes, [
    "invalid_value at list.by.1: `status` is already grouped by.",
  ])
  assert.deepEqual(read({ by: ["status", "lines"] }).mistakes.length, 1)
  for (const by of [[], ["status", "gift", "note", "total"]]) {
    assert.deepEqual(read({ by }).mistakes, [
      `invalid_value at list.by: \`by\` must name one to 3 members, not ${by.length}.`,
    ])
  }
})
