// Declarations that break the rule `relationTargets`, and exactly what is reported for each.
import { type Case, many, one, service } from "./case.ts"

export const relationTargets: readonly Case[] = [
  {
    it: "names what is near to an unknown target",
    broken: service({
      customer: { fields: {} },
      order: {
        fields: {},
        relations: { customer: one("custmer"), tags: many("constructor", { through: "x" }) },
      },
    }),
    reported: [
      [
        "resources.order.relations.customer.target",
        'No resource is called "custmer".',
        'Did you mean "customer"?',
      ],
      [
        "resources.order.relations.tags.target",
        'No resource is called "constructor".',
        "Known here: customer, order.",
      ],
    ],
  },
]
