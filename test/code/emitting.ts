// A shop whose own actions tell of what happens to its orders.
import {
  action,
  f,
  handler,
  one,
  operation,
  problem,
  resource,
  role,
  service,
  signedIn,
  viewer,
  withCode,
} from "../../src/index.ts"

const staff = role("staff")
const mine = { customer: { id: { eq: viewer.id } } }

const declared = service({
  name: "emitting",
  roles: ["staff"],
  viewer: "customer",
  webhooks: { manage: staff },
  resources: {
    customer: resource({ id: "cus", fields: { name: f.text() }, allow: { read: signedIn } }),
    order: resource({
      id: "ord",
      fields: { number: f.text({ unique: true }), total: f.integer({ default: 0 }) },
      relations: { customer: one("customer") },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: staff } } },
      events: {
        couponApplied: {
          description: "A coupon was taken off the total.",
          payload: {
            code: f.text({ max: 5 }),
            worth: f.decimal({ precision: 9, scale: 2 }),
            kind: f.oneOf(["once", "forever"], { optional: true }),
            margin: f.integer({ optional: true, read: staff }),
            hint: f.text({ optional: true, read: { total: { gte: 50 } } }),
          },
        },
        looked: {},
      },
      allow: { read: [staff, mine], create: staff, update: staff, delete: staff },
    }),
    /** Logged for its handlers alone. */
    note: resource({ id: "not", fields: { text: f.text() }, allow: { read: staff, create: staff } }),
  },
})

export const emitting = withCode(declared, {
  actions: {
    order: {
      applyCoupon: action({
        input: {
          code: f.text(),
          total: f.integer({ optional: true }),
          careless: f.boolean({ optional: true }),
        },
        emits: ["order.couponApplied", "order.looked"],
        allow: signedIn,
        deadline: 60_000,
        async run({ input: { code, total, careless }, record, emit, actor, db }) {
          if (total !== null) await db.order.update(record.id, { total })
          await emit("order.couponApplied", { code, worth: "1.5", margin: 7, hint: "again" })
          if (careless) void emit("order.looked", {})
          if (code === "BACK") throw problem("conflict", `Not for ${actor.name}.`)
        },
      }),
      misfit: action({
        input: { payload: f.json(), type: f.text(), record: f.text({ optional: true }) },
        emits: "order.couponApplied",
        allow: signedIn,
        deadline: 60_000,
        async run({ input: { payload, type, record }, emit }) {
          await emit(type as "order.couponApplied", payload as never, record ?? undefined)
        },
      }),
      leave: action({
        emits: "order.looked",
        allow: staff,
        deadline: 60_000,
        async run({ record, emit, db }) {
          await db.order.delete(record.id)
          await emit("order.looked", {})
        },
      }),
    },
  },
  operations: {
    look: operation({
      input: { order: f.text() },
      emits: "order.looked",
      allow: signedIn,
      deadline: 60_000,
      async run({ input, emit }) {
        await emit("order.looked", {}, input.order)
      },
    }),
  },
  before: {
    order: {
      update({ new: { total } }) {
        if (total === 13) throw problem("conflict", "No order has a total of 13.")
      },
    },
  },
  on: {
    "order.couponApplied": handler({
      name: "coupons",
      as: { roles: ["staff"] },
      async run({ event, record, db }) {
        const { code, worth, kind, margin } = event.payload
        await db.note.create({
          text: [code, worth, kind, margin, event.type, record?.number].map(String).join(" "),
        })
      },
    }),
    "note.created": [],
  },
})
