// Declarations that break the rule `idPrefixes`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const idPrefixes: readonly Case[] = [
  {
    it: "wants prefixes of lower-case letters and digits, each for one resource",
    broken: service({
      item: { id: "it_m", fields: {} },
      order: { fields: {} },
      other: { id: "order", fields: {} },
    }),
    reported: [
      [
        "resources.item.id",
        '"it_m" cannot be the prefix of ids.',
        "Up to 63 lower-case letters and digits, beginning with a letter.",
      ],
      ["resources.other.id", 'Ids of "other" and "order" would both begin with "order_".'],
    ],
  },
]
