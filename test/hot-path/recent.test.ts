// What was used lately: bounds in number and in weight.
import assert from "node:assert/strict"
import { test } from "node:test"
import { createRecent } from "../../src/base/caches.ts"

test("what was not used goes first, the oldest before others", () => {
  const recent = createRecent<string, number>({ count: 2, weight: 100 })
  recent.set("a", 1, 1)
  recent.set("b", 2, 1)
  assert.equal(recent.get("a"), 1)
  recent.set("c", 3, 1)
  assert.deepEqual([recent.get("a"), recent.get("b"), recent.get("c")], [1, undefined, 3])
  assert.deepEqual([recent.count, recent.weight], [2, 2])
})

test("when all were used the oldest goes, and not what is new", () => {
  const recent = createRecent<string, number>({ count: 3, weight: 100 })
  for (const [index, key] of ["a", "b", "c"].entries()) recent.set(key, index, 1)
  for (const key of ["c", "b", "a"]) recent.get(key)
  recent.set("d", 4, 1)
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => recent.get(key)),
    [undefined, 1, 2, 4],
  )
})

test("what is used again and again stays, however many others come", () => {
  const recent = createRecent<string, number>({ count: 10, weight: 100 })
  recent.set("asked", 1, 1)
  for (let index = 0; index < 1_000; index += 1) {
    assert.equal(recent.get("asked"), 1)
    recent.set(`once ${index}`, index, 1)
  }
})

test("what grows pushes others out, and its weight is counted once", () => {
  const recent = createRecent<string, number>({ count: 10, weight: 10 })
  recent.set("a", 1, 4)
  recent.set("b", 2, 4)
  recent.set("b", 2, 9)
  assert.deepEqual([recent.get("a"), recent.get("b"), recent.weight], [undefined, 2, 9])
})

test("what outweighs the room by itself is not kept, and pushes nobody out", () => {
  const recent = createRecent<string, number>({ count: 10, weight: 10 })
  recent.set("a", 1, 4)
  recent.set("b", 2, 11)
  assert.deepEqual([recent.get("a"), recent.get("b"), recent.count, recent.weight], [1, undefined, 1, 4])
})

test("it never holds more than its bounds, whatever happens", () => {
  const recent = createRecent<number, number>({ count: 7, weight: 50 })
  const kept = new Map<number, number>()
  for (let step = 0; step < 5_000; step += 1) {
    const key = (step * 7_919) % 31
    const weight = (step * 104_729) % 23
    if (step % 3 === 0) recent.get(key)
    else {
      recent.set(key, step, weight)
      kept.set(key, step)
    }
    assert.ok(recent.count <= 7 && recent.weight <= 50)
    const found = recent.get(key)
    assert.ok(found === undefined || found === kept.get(key))
  }
})
