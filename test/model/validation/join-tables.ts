// Declarations that break the rule `joinTables`, and exactly what is reported for each.
import { type Case, many, service, text } from "./case.ts"

export const joinTables: readonly Case[] = [
  {
    it: "wants sides that differ, lead to keys, and agree",
    broken: service({
      item: {
        fields: {},
        relations: {
          similar: many("item", { through: "similarity" }),
          tags: many("tag", { through: "item_tag" }),
          labels: many("tag", { through: { table: "label", near: { item: "nr" }, far: { tag: "id" } } }),
        },
      },
      tag: {
        fields: {},
        relations: {
          items: many("item", { through: { table: "item_tag", near: { tag: "id" }, far: { item: "id" } } }),
        },
      },
    }),
    reported: [
      [
        "resources.item.relations.similar.through",
        'Both sides of "similar" would use the join table\'s column "item_id".',
        "Give `through: { table, near: { … }, far: { … } }`.",
      ],
      ["resources.item.relations.labels.through.near", '"near" must lead to the key of "item": "id".'],
      [
        "resources.tag.relations.items.through",
        '"tag.items" and "item.tags" disagree on the columns of "item_tag".',
      ],
    ],
  },
  {
    it: "wants columns for keys of several columns",
    broken: service({
      item: {
        key: ["a", "b"],
        fields: { a: text, b: text },
        relations: { tags: many("tag", { through: "t" }) },
      },
      tag: { fields: {} },
    }),
    reported: [
      [
        "resources.item.relations.tags.through",
        'A key of several columns is joined by "tags", so its columns must be given.',
        "Give `through: { table, near: { … }, far: { … } }`.",
      ],
    ],
  },
]
