// What a customer of the storefront is told about what they may not do: sentences that can be read, and no way that is closed.
import assert from "node:assert/strict"
import { test } from "node:test"
import { startService } from "bifold/testing"
import storefront from "../../examples/storefront/service.ts"

interface Told {
  readonly detail: string
  readonly errors: readonly { readonly hint?: string }[]
}

const person = (id: string) => ({ id, name: id, email: `${id}@example.org` })
const owner = { customerId: "cus_1" }
const home = { recipient: "One", street: "Lane 1", city: "Town", country: "DE" }
const order = { number: "A-1", status: "placed", total: "9.00", billingAddressId: "adr_1" }
const records = {
  customer: [person("cus_1")],
  address: [{ id: "adr_1", ...home, ...owner }],
  order: [{ id: "ord_1", ...order, ...owner }],
}

test("names of several words are no verbs, and names that begin with a vowel have their article", async () => {
  await using shop = await startService(storefront, { records })
  const customer = shop.as("customer:cus_1")
  const coupon = await customer.rest<Told>("POST", "/orders/ord_1/actions/apply-coupon", { code: "ten" })
  assert.deepEqual([coupon.status, coupon.body.detail], [403, "You may not do `applyCoupon` to this order."])
  const listed = await shop.as("role:staff").rest<Told>("PATCH", "/orders/ord_1", [1])
  assert.match(listed.body.detail, /^An order is written as an object/)
})

test("whoever may not create a record is not told to leave If-Match out to create it", async () => {
  await using shop = await startService(storefront, { records })
  const put = (who: string) =>
    shop
      .as(who)
      .rest<Told>("PUT", "/customers/email=nobody@example.org", { name: "Nobody" }, { "if-match": '"1"' })
  const refused = await put("customer:cus_1")
  assert.deepEqual([refused.status, refused.body.errors[0]?.hint], [404, undefined])
  const staff = await put("role:staff")
  assert.deepEqual([staff.status, staff.body.errors[0]?.hint], [412, "Leave If-Match out to create it."])
})
