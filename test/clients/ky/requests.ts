import { test } from "node:test"
import { failsWhenRefused, mergesConflict, readsPages, repeatsSafely } from "../../support/shop-requests.ts"
import { withShop } from "../../support/shop-server.ts"
import { openShop } from "./recipe.ts"

withShop("ky", (shop) => {
  test("pages by `Link`", () => readsPages(shop(), openShop))
  test("a conflict found by `ETag` and merged", () => mergesConflict(shop(), openShop))
  test("a lost answer got by the same `Idempotency-Key`", () => repeatsSafely(shop(), openShop, "H-1"))
  test("refusals are errors", () => failsWhenRefused(shop(), openShop))
})
