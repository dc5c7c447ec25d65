// Plans by shape: what is planned anew, what is not, and that a plan never carries another request's values.
import assert from "node:assert/strict"
import { test } from "node:test"
import { CacheBudget, RequestCache } from "../../src/base/caches.ts"
import { refusal } from "../../src/base/problem.ts"
import { type Ask, createShapes, type Shapes } from "../../src/plan/draft/plan-cache.ts"
import { newDraft } from "../plan/shop.ts"

interface Order {
  readonly dish: string
  readonly pieces: number
  readonly sauce?: string
}

/** A plan of the meal: the dish decides what is asked next. */
function planMeal(ask: Ask<Order>): readonly string[] {
  ask({ read: (draft) => draft.bind("the house's salt"), keyOf: () => "", constant: true })
  const dish = ask({ read: (_, order) => order.dish, keyOf: String })
  const sauce =
    dish === "noodles"
      ? ask({
          read: (draft, order) => order.sauce !== undefined && draft.bind(order.sauce),
          keyOf: (slot) => (slot ? "+" : "-"),
        })
      : false
  ask({ read: (draft, order) => draft.bind(order.pieces), keyOf: ({ slot }) => String(slot) })
  return [dish, ...(sauce ? ["sauce"] : [])]
}

function serve(shapes: Shapes<Order, readonly string[]>, order: Order) {
  const draft = newDraft()
  const known = shapes.find(draft, order)
  if (known) return { planned: known, values: draft.values, isNew: false }
  const fresh = newDraft()
  const planned = shapes.plan(fresh, order, planMeal)
  return { planned, values: fresh.values, isNew: true }
}

const roomy = () => new RequestCache(new CacheBudget(100))
const meals = (cache = roomy()) => createShapes<Order, readonly string[]>(cache, () => 1)

test("equal answers lead to the same plan, with this request's values", () => {
  const shapes = meals()
  const first = serve(shapes, { dish: "noodles", pieces: 1, sauce: "red" })
  const second = serve(shapes, { dish: "noodles", pieces: 2, sauce: "green" })
  assert.deepEqual([first.isNew, second.isNew], [true, false])
  assert.equal(second.planned, first.planned)
  assert.deepEqual(first.values, ["the house's salt", "red", 1])
  assert.deepEqual(second.values, ["the house's salt", "green", 2])
})

test("other answers lead to another plan, whatever was planned before", () => {
  const cache = roomy()
  const shapes = meals(cache)
  const orders: readonly Order[] = [
    { dish: "noodles", pieces: 1, sauce: "red" },
    { dish: "noodles", pieces: 1 },
    { dish: "rice", pieces: 1, sauce: "red" },
  ]
  const planned = orders.map((order) => serve(shapes, order))
  assert.deepEqual(
    planned.map(({ planned }) => planned),
    [["noodles", "sauce"], ["noodles"], ["rice"]],
  )
  assert.equal(cache.count, 3)
  for (const [index, order] of orders.entries()) {
    const again = serve(shapes, order)
    assert.equal(again.planned, planned[index]?.planned)
    assert.deepEqual(again.values, planned[index]?.values)
  }
})

test("what cannot be planned is not kept", () => {
  const cache = roomy()
  const shapes = meals(cache)
  const draft = newDraft()
  const plan = () =>
    shapes.plan(draft, { dish: "stones", pieces: 1 }, (ask) => {
      planMeal(ask)
      throw refusal("invalid_value", "Nobody eats stones.")
    })
  assert.throws(plan, /stones/)
  assert.equal(cache.count, 0)
  assert.equal(shapes.find(newDraft(), { dish: "stones", pieces: 1 }), undefined)
})

test("a mistake in a request of a known shape is not overlooked", () => {
  const shapes = createShapes<string, string>(roomy(), () => 1)
  const plan = (ask: Ask<string>) => {
    ask({
      read(draft, text) {
        if (text === "wrong") draft.problems.add("invalid_value", [], "That is wrong.")
      },
      keyOf: () => "",
    })
    return "planned"
  }
  shapes.plan(newDraft(), "right", plan)
  assert.equal(shapes.find(newDraft(), "right"), "planned")
  assert.equal(shapes.find(newDraft(), "wrong"), undefined)
})

test("of too many shapes only those that are still asked stay, and one that is too heavy takes no place", () => {
  const cache = new RequestCache(new CacheBudget(40))
  const shapes = createShapes<Order, readonly string[]>(cache, ([dish = ""]) => dish.length)
  const isNew = (dish: string): boolean => serve(shapes, { dish, pieces: 1 }).isNew
  assert.ok(isNew("rice"))
  for (let index = 0; index < 1_000; index += 1) {
    assert.ok(isNew(`dish ${index}`))
    assert.ok(!isNew("rice"))
    assert.ok(cache.weight <= 40, `${cache.weight}`)
  }
  assert.ok(isNew("dish 0"))
  const before = cache.count
  assert.ok(isNew("x".repeat(41)))
  assert.ok(isNew("x".repeat(41)))
  assert.equal(cache.count, before)
})

test("a shape that is forgotten is planned anew, beside those that share its first answers", () => {
  const cache = new RequestCache(new CacheBudget(2))
  const shapes = meals(cache)
  const plain: Order = { dish: "noodles", pieces: 1 }
  const saucy: Order = { ...plain, sauce: "red" }
  assert.ok(serve(shapes, saucy).isNew)
  assert.ok(serve(shapes, plain).isNew)
  assert.ok(!serve(shapes, plain).isNew)
  assert.ok(serve(shapes, { dish: "rice", pieces: 1 }).isNew)
  assert.ok(!serve(shapes, plain).isNew)
  assert.ok(serve(shapes, saucy).isNew)
  assert.ok(!serve(shapes, saucy).isNew)
})

test("a plan that is finished asks nothing, so that no request can be asked through another one", () => {
  const shapes = createShapes<Order, Ask<Order>>(roomy(), () => 1)
  const ask = shapes.plan(newDraft(), { dish: "rice", pieces: 1 }, (ask) => ask)
  assert.throws(() => ask({ read: (_, { dish }) => dish, keyOf: String }), /asks nothing/)
})
