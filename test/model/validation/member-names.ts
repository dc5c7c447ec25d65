// Declarations that break the rule `memberNames`, and exactly what is reported for each.
import { type Case, item, one, type Reported, text } from "./case.ts"

export const memberNames: readonly Case[] = [
  {
    it: "refuses names that GraphQL or every record reserves",
    broken: item({
      fields: { id: text, __secret: text, "2nd": text, "no space": text },
      relations: { or: one("item") },
    }),
    reported: [
      [
        "resources.item.fields.id",
        '"id" is the public id of every record.',
        'Leave it out, or give it another name; a field of a table keeps its column by `column: "id"`.',
      ],
      ...["__secret", "2nd", "no space"].map(
        (name): Reported => [
          `resources.item.fields.${name}`,
          `"${name}" cannot be the name of a member.`,
          "Letters, digits and underscores, not beginning with a digit or with two underscores.",
        ],
      ),
      ["resources.item.relations.or", '"or" has a meaning of its own in conditions.'],
      [
        "resources.item.fields.id",
        'The field "id" would have the column "id", which belongs to the key.',
        "Give it another `column`, or make it `readonly`.",
      ],
    ],
  },
]
