// A shop whose API has changed in every way, over five versions.
import { action, anyone, f, many, one, resource, role, service, withCode } from "../../src/index.ts"

const staff = role("staff")

const plain = service({
  name: "shop",
  roles: ["staff"],
  webhooks: { manage: staff, networks: ["127.0.0.0/8"] },
  versions: {
    "2026-11-01": [
      { renamed: "customer.title", to: "salutation" },
      { renamed: "order.buyer", to: "customer" },
      { renamed: "order.payOrder", to: "pay" },
      { renamed: "order.applyCoupon", to: "discount" },
    ],
    "2026-09-01": [
      {
        changed: "order.total",
        was: f.integer(),
        reads: { multiply: ["total", 100] },
        writes: { multiply: ["total", 0.01] },
      },
      { added: "order.channel", writes: "web" },
      { renamed: "order.hidden", to: "secret" },
    ],
    "2026-06-01": [
      {
        changed: ["customer.firstName", "customer.lastName"],
        was: { fullName: f.text() },
        reads: { fullName: { concat: ["firstName", { value: " " }, "lastName"] } },
        writes: { firstName: { before: ["fullName", " "] }, lastName: { after: ["fullName", " "] } },
      },
    ],
    "2026-01-01": { changes: [], ends: "2027-01-01" },
  },
  resources: {
    customer: resource({
      id: "cus",
      fields: {
        salutation: f.text({ optional: true }),
        firstName: f.text(),
        lastName: f.text(),
      },
      relations: { orders: many("order", { by: "customer" }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
    order: resource({
      id: "ord",
      history: true,
      fields: {
        number: f.text({ unique: true }),
        total: f.decimal({ precision: 12, scale: 2 }),
        channel: f.text(),
        secret: f.text({ optional: true, read: staff, write: staff }),
      },
      relations: { customer: one("customer") },
      states: { initial: "placed", transitions: { pay: { from: "placed", to: "paid", allow: anyone } } },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})

export const shop = withCode(plain, {
  actions: {
    order: {
      discount: action({
        input: { amount: f.decimal({ precision: 12, scale: 2 }) },
        output: { was: f.text() },
        allow: anyone,
        async run({ input, record, db }) {
          await db.order.update(record.id, { total: input.amount })
          return { was: record.total }
        },
      }),
    },
  },
})
