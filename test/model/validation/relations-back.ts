// Declarations that break the rule `relationsBack`, and exactly what is reported for each.
import { type Case, many, one, service, text } from "./case.ts"

export const relationsBack: readonly Case[] = [
  {
    it: "wants a to-one relation of the target that leads here",
    broken: service({
      customer: { fields: { order: text }, relations: { orders: many("order", { by: "custmer" }) } },
      order: { fields: {}, relations: { customer: one("customer"), lines: many("line", { by: "order" }) } },
      line: { fields: {} },
    }),
    reported: [
      [
        "resources.customer.relations.orders.by",
        '"custmer" is no to-one relation of "order" that leads to "customer".',
        'Did you mean "customer"?',
      ],
      [
        "resources.order.relations.lines.by",
        '"order" is no to-one relation of "line" that leads to "order".',
        'Give "line" one, such as `order: one("order")`.',
      ],
    ],
  },
  {
    it: "wants the far side of a one-to-one to be unique",
    broken: service({
      user: { fields: {}, relations: { profile: one("profile", { by: "user" }) } },
      profile: { fields: {}, relations: { user: one("user") } },
    }),
    reported: [
      [
        "resources.user.relations.profile.by",
        'Several records of "profile" can have the same "user", so "profile" is no to-one relation.',
        'Add `unique: [["user"]]` to "profile", or use `many`.',
      ],
    ],
  },
]
