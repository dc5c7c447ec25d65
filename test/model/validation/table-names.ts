// Declarations that break the rule `tableNames`, and exactly what is reported for each.
import { type Case, many, service, text } from "./case.ts"

export const tableNames: readonly Case[] = [
  {
    it: "keeps Bifold's own names for Bifold",
    broken: service({ item: { table: "bifold_items", fields: { name: text } } }),
    reported: [
      [
        "resources.item.table",
        'The table "bifold_items" would look like one of Bifold\'s own.',
        "Give it another name.",
      ],
    ],
  },
  {
    it: "keeps the tables of resources and of joins apart",
    broken: service({
      item: { fields: {}, relations: { tags: many("tag", { through: "TAG" }) } },
      tag: { fields: {} },
      label: { fields: {}, table: "Tag" },
      blank: { fields: {}, table: { schema: "s", name: "" } },
    }),
    reported: [
      ["resources.label.table", '"label" and "tag" would have the same table, "Tag".'],
      ["resources.blank.table", 'The table of "blank" has no name.'],
      [
        "resources.item.relations.tags.through",
        '"TAG" is the table of the resource "tag", not a pure join table.',
        'Relate to "tag" instead, and from it to the target.',
      ],
    ],
  },
]
