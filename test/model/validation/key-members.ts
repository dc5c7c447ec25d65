// Declarations that break the rule `keyMembers`, and exactly what is reported for each.
import { type Case, item, one, type Reported } from "./case.ts"

export const keyMembers: readonly Case[] = [
  {
    it: "wants values that are always there and can stand in an address",
    broken: item({
      key: ["price", "note", "tags", "parent"],
      fields: {
        price: { scalar: "decimal", precision: 9, scale: 2 },
        note: { scalar: "text", optional: true },
        tags: { scalar: "text", list: true },
      },
      relations: { parent: one("item") },
    }),
    reported: [
      ["price", "it is of the scalar decimal"],
      ["note", "it is optional"],
      ["tags", "it is a list"],
      ["parent", 'the key of "item" leads back to "item"'],
    ].map(
      ([member, why], index): Reported => [
        `resources.item.key.${index}`,
        `"${member}" cannot be part of a key: ${why}.`,
        "A key is made of text, email, url, slug, oneOf, integer, int64, uuid, date.",
      ],
    ),
  },
]
