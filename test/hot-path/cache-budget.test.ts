// One budget for the caches of a process: together they weigh no more, the heaviest make room, and those that nobody has any
// more do not count.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import v8 from "node:v8"
import vm from "node:vm"
import fc from "fast-check"
import { CacheBudget, RequestCache } from "../../src/base/caches.ts"
import { createShapes } from "../../src/plan/draft/plan-cache.ts"
import { newDraft } from "../plan/shop.ts"

function openCache(budget: CacheBudget) {
  const cache = new RequestCache(budget)
  return { cache, known: cache.open<number, string>() }
}

test("whatever is set in whichever cache, all together stay within the budget", () => {
  const sets = fc.array(
    fc.record({ cache: fc.nat(4), key: fc.nat(30), weight: fc.integer({ min: 1, max: 300 }) }),
    {
      maxLength: 200,
    },
  )
  fc.assert(
    fc.property(sets, (all) => {
      const budget = new CacheBudget(1_000)
      const caches = Array.from({ length: 5 }, () => openCache(budget))
      for (const { cache, key, weight } of all) {
        caches[cache]?.known.set(key, "kept", weight)
        const sum = caches.reduce((total, one) => total + one.cache.weight, 0)
        assert.ok(sum <= 1_000, `${sum}`)
        assert.equal(budget.weight, sum)
      }
    }),
  )
})

test("the heaviest cache makes room, and what was used lately stays", () => {
  const budget = new CacheBudget(1_000)
  const { known: light } = openCache(budget)
  const { known: heavy } = openCache(budget)
  light.set(0, "light", 100)
  for (let key = 0; key < 9; key++) heavy.set(key, "heavy", 90)
  heavy.get(0)
  heavy.set(9, "heavy", 90)
  heavy.set(10, "heavy", 90)
  assert.equal(light.get(0), "light")
  assert.equal(heavy.get(0), "heavy")
  assert.equal(heavy.get(1), undefined)
})

test("entries of all kinds make room for each other, in the order of their use", () => {
  const { cache, known: texts } = openCache(new CacheBudget(1_000))
  const shapes = createShapes<number, string>(cache, () => 400)
  const find = (request: number) => shapes.find(newDraft(), request)
  const plan = (request: number) =>
    shapes.plan(newDraft(), request, (ask) => {
      ask({ read: (_, asked) => asked, keyOf: String })
      return "planned"
    })
  plan(1)
  plan(2)
  texts.set(1, "text", 200)
  assert.equal(cache.weight, 1_000)
  assert.ok(find(1))
  texts.set(2, "text", 300)
  assert.deepEqual([find(1), find(2)], ["planned", undefined])
  assert.deepEqual([texts.get(1), texts.get(2)], ["text", "text"])
  plan(3)
  assert.deepEqual([find(1), find(3)], [undefined, "planned"])
})

test("caches that nobody has any more do not count", async () => {
  v8.setFlagsFromString("--expose-gc")
  const collect = vm.runInNewContext("gc") as () => void
  const budget = new CacheBudget(1_000)
  const { cache, known: left } = openCache(budget)
  left.set(1, "kept", 300)
  const forget = (): void => openCache(budget).known.set(1, "gone", 600)
  forget()
  for (let tries = 0; tries < 50 && budget.weight > 300; tries++) {
    await sleep(10)
    collect()
  }
  assert.equal(budget.weight, 300)
  left.set(2, "kept", 600)
  assert.deepEqual([cache.count, budget.weight], [2, 900])
})
