// Whether a condition says anything, against all ways in which its comparisons can turn out.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { constantTruth } from "../../src/plan/every-record.ts"
import { readWhere } from "../../src/plan/read/list.ts"
import type { Filter } from "../../src/plan/read-plan.ts"
import { mistakes, newDraft, shopResource } from "./shop.ts"

const { condition } = fc.letrec<{ condition: object }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom({}, { total: { gte: "1" } }, { note: { isNull: true } }, { total: {} }),
    fc.record({ not: tie("condition") }),
    fc.record({ and: fc.array(tie("condition"), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie("condition"), { maxLength: 3 }) }),
  ),
}))

/** With each comparison's outcome given, in the order in which they stand. */
function holds(filter: Filter, outcomes: Iterator<boolean>): boolean {
  switch (filter.kind) {
    case "and":
      return filter.of.map((part) => holds(part, outcomes)).every(Boolean)
    case "or":
      return filter.of.map((part) => holds(part, outcomes)).some(Boolean)
    case "not":
      return !holds(filter.of, outcomes)
    default:
      return outcomes.next().value === true
  }
}

const comparisonsIn = (filter: Filter): number =>
  filter.kind === "and" || filter.kind === "or"
    ? filter.of.reduce((sum, part) => sum + comparisonsIn(part), 0)
    : filter.kind === "not"
      ? comparisonsIn(filter.of)
      : 1

const truthOf = (input: unknown, resource = "order"): boolean | undefined => {
  const draft = newDraft()
  const filter = readWhere(draft, shopResource(resource), { input, encoding: "json", place: ["where"] })
  assert.deepEqual(mistakes(draft), [])
  return filter ? constantTruth(draft.model, shopResource(resource), filter) : true
}

test("a condition says nothing exactly where no outcome of its comparisons changes what it says", () => {
  let constant = 0
  fc.assert(
    fc.property(condition, (input) => {
      const draft = newDraft()
      const filter = readWhere(draft, shopResource("order"), { input, encoding: "json", place: [] })
      if (!filter || comparisonsIn(filter) > 10) return
      const several = 2 ** comparisonsIn(filter)
      const outcomes = Array.from({ length: several }, (_, one) =>
        holds(filter, Array.from({ length: 10 }, (_, bit) => ((one >> bit) & 1) === 1)[Symbol.iterator]()),
      )
      const expected = outcomes.every((one) => one === outcomes[0]) ? outcomes[0] : undefined
      if (expected !== undefined) constant += 1
      assert.equal(constantTruth(draft.model, shopResource("order"), filter), expected)
    }),
    { numRuns: 2000 },
  )
  assert.ok(constant > 100, `${constant} of them say nothing`)
})

test("relations say something by themselves only where they may lead nowhere", () => {
  assert.equal(truthOf({ customer: {} }), true)
  assert.equal(truthOf({ customer: { id: {} } }), true)
  assert.equal(truthOf({ not: { customer: {} } }), false)
  assert.equal(truthOf({ manager: {} }, "customer"), undefined)
  assert.equal(truthOf({ manager: { or: [] } }, "customer"), false)
  assert.equal(truthOf({ lines: { some: {} } }), undefined)
  assert.equal(truthOf({ lines: { none: {} } }), undefined)
  assert.equal(truthOf({ lines: { every: {} } }), true)
  assert.equal(truthOf({ lines: { none: { or: [] } } }), true)
  assert.equal(truthOf({ lines: { some: { or: [] } } }), false)
  assert.equal(truthOf({ id: { notIn: [] } }), undefined, "said in as many words")
})
