// What own code reads it can write back safely: a record comes with its version, also where no change is taken without one.
import assert from "node:assert/strict"
import { test } from "node:test"
import { action, f, operation, resource, service, signedIn, withCode } from "../../src/index.ts"
import { dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const all = { read: signedIn, create: signedIn, update: signedIn, delete: signedIn }
const plain = service({
  name: "shop",
  resources: {
    order: resource({ id: "ord", fields: { used: f.integer({ default: 0 }) }, allow: all }),
    coupon: resource({
      id: "cou",
      fields: { code: f.text({ unique: true }), left: f.integer({ min: 0 }) },
      versioned: "required",
      allow: all,
    }),
  },
})
const shop = withCode(plain, {
  actions: {
    order: {
      use: action({
        allow: signedIn,
        async run({ record, db }) {
          const [coupon] = (await db.coupon.list({ where: { code: { eq: "TEN" } } })).data
          if (!coupon) throw new Error("There is a coupon.")
          // Whoever else reads it meanwhile reads the same.
          await new Promise((resolve) => setTimeout(resolve, 100))
          await db.coupon.update(coupon.id, { left: coupon.left - 1 }, { ifMatch: coupon.etag })
          await db.order.update(record.id, { used: record.used + 1 }, { ifMatch: record.etag })
        },
      }),
    },
  },
  operations: {
    renew: operation({
      input: { of: f.text() },
      output: { etags: f.list(f.text()) },
      allow: signedIn,
      async run({ db, input }) {
        const before = await db.coupon.get(input.of)
        const after = await db.coupon.update(input.of, { left: 9 }, { ifMatch: before?.etag ?? "" })
        const made = await db.coupon.create({ code: "NEW", left: 1 })
        await db.coupon.delete(made.id, { ifMatch: made.etag })
        return { etags: [before?.etag ?? "", after.etag, made.etag] }
      },
    }),
  },
})

for (const database of dialects) {
  test(`of those that read the same version one writes, ${database}`, async (context) => {
    const opened = await openCode(context, shop, database)
    const { order = [] } = await opened.add({ order: [{}, {}, {}], coupon: [{ code: "TEN", left: 3 }] })
    const anybody = opened.as("signedIn")
    const answers = await Promise.all(order.map((id) => anybody.rest("POST", `/orders/${id}/actions/use`)))
    const done = answers.filter(({ status }) => status === 204).length
    assert.ok(done >= 1)
    assert.ok(answers.every(({ status }) => status === 204 || status === 412))
    const { body } = await anybody.rest<{ data: readonly { left: number }[] }>("GET", "/coupons")
    assert.deepEqual(
      body.data.map(({ left }) => left),
      [3 - done],
    )
    assert.deepEqual(opened.faults, [])
  })

  test(`a version is that which the faces tell, ${database}`, async (context) => {
    const opened = await openCode(context, shop, database)
    const { coupon: [id = ""] = [] } = await opened.add({ coupon: [{ code: "TEN", left: 3 }] })
    const anybody = opened.as("signedIn")
    const etagOf = async () =>
      (await anybody.rest<{ etag: string }>("GET", `/coupons/${id}?fields=etag`)).body.etag
    const first = await etagOf()
    const renewed = await anybody.rest<{ etags: readonly string[] }>("POST", "/actions/renew", { of: id })
    assert.equal(renewed.status, 200, JSON.stringify(renewed.body))
    assert.deepEqual(renewed.body.etags.slice(0, 2), [first, await etagOf()])
    assert.notEqual(first, await etagOf())
  })
}
