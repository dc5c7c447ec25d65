// Declarations that break the rule `memberLists`, and exactly what is reported for each.
import { type Case, item, many, one } from "./case.ts"

export const memberLists: readonly Case[] = [
  {
    it: "wants members of the resource itself, each once",
    broken: item({
      key: ["nam"],
      relations: { parent: one("item"), children: many("item", { by: "parent" }) },
      unique: [["name", "name"]],
      indexes: [["children"]],
    }),
    reported: [
      [
        "resources.item.key.0",
        '"item" has no field and no to-one relation of its own called "nam".',
        'Did you mean "name"?',
      ],
      ["resources.item.unique.0.1", '"name" is listed twice.'],
      [
        "resources.item.indexes.0.0",
        '"item" has no field and no to-one relation of its own called "children".',
        "Known here: name, parent.",
      ],
    ],
  },
]
