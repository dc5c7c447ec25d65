// Declarations that break the rule `columnNames`, and exactly what is reported for each.
import { type Case, item, one, text } from "./case.ts"

export const columnNames: readonly Case[] = [
  {
    it: "gives a column to one field, and shares it only with one that is read-only",
    broken: item({
      fields: {
        name: text,
        title: { scalar: "text", column: "NAME" },
        keeper: { scalar: "text", column: "owner_id" },
        shown: { scalar: "text", column: "id", readonly: true },
        empty: { scalar: "text", column: "" },
      },
      relations: { owner: one("item") },
    }),
    reported: [
      ["resources.item.fields.title", 'The fields "title" and "name" would have the same column, "NAME".'],
      [
        "resources.item.fields.keeper",
        'The field "keeper" would have the column "owner_id", which belongs to the relation "owner".',
        "Give it another `column`, or make it `readonly`.",
      ],
      ["resources.item.fields.empty.column", 'The column of "empty" has no name.'],
    ],
  },
]
