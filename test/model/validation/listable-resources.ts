// Declarations that break the rule `listableResources`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const listableResources: readonly Case[] = [
  {
    it: "wants something to show, and `rows` only without a key",
    broken: service({ item: { key: false, fields: {} }, other: { rows: false, fields: {} } }),
    reported: [
      ["resources.item.fields", '"item" has neither a key nor fields, so there is nothing to show of it.'],
      [
        "resources.other.rows",
        '"other" has a key, which tells its records apart; `rows` is for a resource without one.',
      ],
    ],
  },
]
