// The examples of docs/guide/code.md do what the page says.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { evaluate } from "../model/evaluate.ts"
import { blocksOf } from "../support/documents.ts"
import { dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const blocks = blocksOf(readFileSync(new URL("../../docs/guide/code.md", import.meta.url), "utf8"))
const textOf = (info: string, has: string): string =>
  blocks.find((block) => block.info === info && block.text.includes(has))?.text ?? assert.fail(has)

const shop = evaluate(textOf("ts", "applyCoupon"))
const hotel = evaluate(textOf("ts", "hotel"))
const bank =
  evaluate(`import { f, increment, many, one, operation, resource, service, signedIn, withCode } from "bifold"
const bank = service({
  name: "bank",
  resources: {
    order: resource({ fields: { number: f.text() }, allow: { read: signedIn } }),
    customer: resource({
      fields: { balance: f.decimal({ precision: 9, scale: 2, min: 0 }) },
      allow: { read: signedIn, update: signedIn },
    }),
    invoice: resource({ fields: {}, relations: { order: one("order") }, allow: { read: signedIn, create: signedIn } }),
  },
})
export default withCode(bank, {
  operations: {
    charge: operation({
      allow: signedIn,
      input: { order: f.text(), customer: f.text() },
      output: { charged: f.boolean() },
      async run({ db, input: { order, customer } }) {
        const record = { id: order }
        ${textOf("text", "db.attempt")}
        return { charged }
      },
    }),
  },
})`)

for (const database of dialects) {
  test(`a coupon is applied, or says why not (${database})`, async (context) => {
    const { add, as } = await openCode(context, shop, database)
    const { order: [id] = [] } = await add({ order: [{ number: "A-1", total: "12.00" }] })
    await add({
      coupon: [
        { code: "TEN", worth: 10, left: 1 },
        { code: "BIG", worth: 50, left: 1 },
      ],
    })
    const apply = async (code: string) => {
      const { status, body } = await as("signedIn").rest<{ detail: string }>(
        "POST",
        `/orders/${id}/actions/apply-coupon`,
        { code },
      )
      return status === 200 ? body : [status, body.detail]
    }
    assert.deepEqual(await apply("BIG"), [409, "It is worth more than the order."])
    assert.deepEqual(await apply("NONE"), [400, "There is no such coupon."])
    assert.deepEqual(await apply("TEN"), { worth: 10 })
    assert.deepEqual(await apply("TEN"), [409, "The coupon is used up."])
  })

  test(`a charge that is too much is undone by itself (${database})`, async (context) => {
    const { add, as } = await openCode(context, bank, database)
    const { order: [order] = [], customer: [customer] = [] } = await add({
      order: [{ number: "A-1" }],
      customer: [{ balance: "20.00" }],
    })
    const asked = as("signedIn")
    const charge = async () => (await asked.rest("POST", "/actions/charge", { order, customer })).body
    assert.deepEqual(await charge(), { charged: true })
    assert.deepEqual(await charge(), { charged: false })
    const count = (await asked.rest<{ data: readonly object[] }>("GET", "/invoices")).body.data.length
    assert.equal(count, 1)
  })
}

for (const database of dialects)
  test(`a hook with roles of its own finds what its caller does not see (${database})`, async (context) => {
    const { add, as, faults } = await openCode(context, hotel, database)
    const { person: people = [] } = await add({ person: [{ name: "One" }, { name: "Other" }] })
    const [one, other] = people.map((id) => ({ id, client: as(`person:${id}`) }))
    assert.ok(one && other)
    const book = async ({ id, client }: typeof one, from: string, until: string) =>
      (await client.rest("POST", "/bookings", { room: 1, from, until, personId: id })).status
    assert.equal(await book(one, "2026-05-01", "2026-05-04"), 201)
    assert.equal(await book(other, "2026-05-03", "2026-05-05"), 409)
    const { errors } = await other.client.graphql(
      `mutation ($input: BookingCreateInput!) { createBooking(input: $input) { booking { id } } }`,
      { input: { room: 1, from: "2026-04-30", until: "2026-05-02", personId: other.id } },
    )
    assert.deepEqual(
      errors.map(({ message }) => message),
      ["The room is taken."],
    )
    assert.equal(await book(other, "2026-05-04", "2026-05-05"), 201)
    // The roles are those of the hook's `db` only.
    const seen = await other.client.rest<{ data: readonly unknown[] }>("GET", "/bookings")
    assert.equal(seen.body.data.length, 1)
    const both = await Promise.all(
      Array.from({ length: 8 }, (_, at) => book(at % 2 === 0 ? one : other, "2026-06-01", "2026-06-02")),
    )
    assert.deepEqual(both.toSorted(), [201, ...Array<number>(7).fill(409)])
    assert.deepEqual(faults, [])
  })
