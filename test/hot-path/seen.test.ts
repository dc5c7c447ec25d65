// What was seen before is told apart from what was not, by what little is kept of it.
import assert from "node:assert/strict"
import { test } from "node:test"
import { createSeen } from "../../src/base/caches.ts"

test("a text is seen from the second time on", () => {
  const seen = createSeen()
  for (const text of ["", "a", "b", "ab", "ba", "é", "\ud83d\ude00"])
    assert.deepEqual([seen(text), seen(text), seen(text)], [false, true, true], text)
})

test("many that come once are hardly ever taken for others, and push others out in time", () => {
  const seen = createSeen()
  seen("first")
  let taken = 0
  for (let index = 0; index < 100_000; index += 1) if (seen(`/orders/${index}?fields=number`)) taken += 1
  assert.ok(taken < 10, `${taken}`)
  assert.equal(seen("first"), false)
})

test("of some thousands that take turns nearly all are seen, though several fall on one place", () => {
  const seen = createSeen()
  const texts = Array.from({ length: 4_000 }, (_, index) => `/orders/${index}?fields=number`)
  texts.forEach(seen)
  const forgotten = texts.filter((text) => !seen(text))
  assert.ok(forgotten.length < 40, `${forgotten.length}`)
})
