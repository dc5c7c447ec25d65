// Keys of writes: equal for writes that differ in bound values only, and for no others.
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { writeKey } from "../../src/plan/draft/plan-cache.ts"
import type { Setting, Write } from "../../src/plan/write-plan.ts"

/** Few of each, so that many writes are the same. */
const slot = fc.record({ slot: fc.integer({ min: 0, max: 12 }) })
const name = fc.constantFrom("a", "ab", "b", "a1")
const step = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.constantFrom("a", "1", "12", "/1:a", "a/1:b", "1:a", "a.1", " ", "sets 1="),
)
const place = fc.array(step, { maxLength: 2 })
const subject = fc.oneof(
  fc.constant({ kind: "id" } as const),
  fc.record({ kind: fc.constant("field" as const), field: name }),
  fc.record({ kind: fc.constant("reference" as const), relation: name }),
)
const setting: fc.Arbitrary<Setting> = fc
  .tuple(subject, slot, fc.boolean())
  .map(([of, at, byDefault]) => ({ subject: of, ...at, ...(byDefault && { byDefault: true as const }) }))
const sets = fc.array(setting, { maxLength: 2 })
const flag = fc.option(fc.constant(true as const), { nil: undefined })

/** What is undefined is absent, as in what the planner makes. */
const present = <Of extends object>(of: Of): Of =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Of

const insert = fc
  .record({
    resource: name,
    place,
    sets,
    key: slot,
    keyFrom: fc.constantFrom("slot", "database", "sets"),
    cascade: flag,
  })
  .map((of) => ({ kind: "insert", ...present(of) }) as Write)
const update = fc
  .record({
    resource: name,
    place,
    target: fc
      .record({
        by: fc.array(
          fc.tuple(subject, slot).map(([of, at]) => ({ subject: of, ...at })),
          { minLength: 1, maxLength: 2 },
        ),
        several: flag,
      })
      .map(present),
    sets,
    match: fc.option(slot, { nil: undefined }),
    touch: flag,
    looks: flag,
  })
  .map((of) => ({ kind: "update", ...present(of) }) as Write)

/** Members in one order. */
const spelt = (value: unknown): string =>
  JSON.stringify(value, (_, of: unknown) =>
    typeof of === "object" && of !== null && !Array.isArray(of)
      ? Object.fromEntries(Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : of,
  )

test("two writes have one key when they are the same but for what is bound, and only then", () => {
  const keys = new Map<string, string>()
  const writes = fc.sample(fc.oneof(insert, update), { numRuns: 30_000, seed: 7 })
  const distinct = new Set<string>()
  for (const write of writes) {
    const text = spelt(write)
    const key = writeKey(write)
    assert.equal(keys.get(key) ?? text, text, key)
    keys.set(key, text)
    distinct.add(text)
  }
  assert.equal(keys.size, distinct.size)
  assert.ok(distinct.size < writes.length, "some are drawn twice")
})

test("what has more to it than a plain write is told apart", () => {
  const plain: Write = {
    kind: "insert",
    resource: "order",
    place: [],
    sets: [],
    key: { slot: 1 },
    keyFrom: "slot",
  }
  const logged: Write = { ...plain, log: { actor: { slot: 2 }, at: { slot: 3 }, trace: { slot: 4 } } }
  assert.notEqual(writeKey(plain), writeKey(logged))
  assert.notEqual(
    writeKey(logged),
    writeKey({ ...plain, log: { actor: { slot: 2 }, at: { slot: 4 }, trace: { slot: 5 } } }),
  )
})
