// Declarations that break the rule `indexMembers`, and exactly what is reported for each.
import { type Case, item, text } from "./case.ts"

export const indexMembers: readonly Case[] = [
  {
    it: "wants members that can be ordered by, and each list once",
    broken: item({
      fields: { name: text, data: { scalar: "bytes" } },
      indexes: [["name"], ["name"], ["data"]],
    }),
    reported: [
      ["resources.item.indexes.1", '"item" declares the index of "name" twice.'],
      ["resources.item.indexes.2.0", '"data" cannot be in an index: it cannot be ordered by.'],
    ],
  },
]
