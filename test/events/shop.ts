// A small shop whose orders are handled, and what its tests make it do.
import { anyone, f, many, one, resource, role, service, signedIn } from "../../src/index.ts"

const staff = role("staff")

export const shop = service({
  name: "shop",
  roles: ["staff", "clerk"],
  viewer: "customer",
  resources: {
    customer: resource({
      id: "cus",
      fields: { name: f.text() },
      relations: { orders: many("order", { by: "customer" }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
    order: resource({
      id: "ord",
      fields: {
        number: f.text({ unique: true }),
        count: f.integer({ default: 0 }),
        note: f.text({ optional: true, read: staff, write: staff }),
        reference: f.text({ optional: true, read: staff }),
      },
      relations: { customer: one("customer", { optional: true }) },
      states: {
        initial: "open",
        final: "done",
        transitions: {
          pay: {
            from: "open",
            to: "paid",
            input: { reference: f.text(), memo: f.text({ optional: true }) },
            set: { reference: { given: "reference" } },
            allow: signedIn,
          },
          finish: { from: "paid", to: "done", allow: signedIn },
        },
      },
      allow: {
        read: signedIn,
        create: signedIn,
        update: signedIn,
        delete: signedIn,
      },
    }),
    letter: resource({
      id: "let",
      fields: { about: f.text(), to: f.text({ optional: true }) },
      allow: { read: staff, create: staff, update: staff, delete: staff },
    }),
  },
})
