// One budget for the caches of a process: together they weigh no more, the heaviest make room, and those that nobody has any
// more do not count.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import v8 from "node:v8"
import vm from "node:vm"
import fc from "fast-check"
import { CacheBudget, createRecent } from "../../src/base/caches.ts"
import { createShapes } from "../../src/plan/draft/plan-cache.ts"
import { newDraft } from "../plan/shop.ts"

const wide = { count: 1_000_000, weight: 1_000_000_000 }

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
      const caches = Array.from({ length: 5 }, () => createRecent<number, number>(wide, budget))
      for (const { cache, key, weight } of all) {
        caches[cache]?.set(key, weight, weight)
        const sum = caches.reduce((total, one) => total + one.weight, 0)
        assert.ok(sum <= 1_000, `${sum}`)
        assert.equal(budget.weight, sum)
      }
    }),
  )
})

test("the heaviest cache makes room, and what was used lately stays", () => {
  const budget = new CacheBudget(1_000)
  const [light, heavy] = [
    createRecent<number, string>(wide, budget),
    createRecent<number, string>(wide, budget),
  ]
  light.set(0, "light", 100)
  for (let key = 0; key < 9; key++) heavy.set(key, "heavy", 90)
  heavy.get(0)
  heavy.set(9, "heavy", 90)
  heavy.set(10, "heavy", 90)
  assert.equal(light.get(0), "light")
  assert.equal(heavy.get(0), "heavy")
  assert.equal(heavy.get(1), undefined)
})

test("plans by their shape have their part of it", () => {
  const budget = new CacheBudget(1_000)
  const shapes = createShapes<number, string>({ ...wide, weigh: () => 400 }, budget)
  const recent = createRecent<number, string>(wide, budget)
  const plan = (request: number) =>
    shapes.plan(newDraft(), request, (ask) => {
      ask({ read: (_, asked) => asked, keyOf: String })
      return "planned"
    })
  plan(1)
  plan(2)
  assert.equal(budget.weight, 800)
  recent.set(1, "recent", 300)
  assert.deepEqual([shapes.count, recent.count], [0, 1])
})

test("caches that nobody has any more do not count", async () => {
  v8.setFlagsFromString("--expose-gc")
  const collect = vm.runInNewContext("gc") as () => void
  const budget = new CacheBudget(1_000)
  const left = createRecent<number, string>(wide, budget)
  left.set(1, "kept", 300)
  const forget = (): void => createRecent<number, string>(wide, budget).set(1, "gone", 600)
  forget()
  for (let tries = 0; tries < 50 && budget.weight > 300; tries++) {
    await sleep(10)
    collect()
  }
  assert.equal(budget.weight, 300)
  left.set(2, "kept", 600)
  assert.deepEqual([left.count, budget.weight], [2, 900])
})
