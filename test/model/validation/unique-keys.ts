// Declarations that break the rule `uniqueKeys`, and exactly what is reported for each.
import { type Case, item, one, text } from "./case.ts"

export const uniqueKeys: readonly Case[] = [
  {
    it: "wants members that can be compared, and each set once",
    broken: item({
      fields: {
        name: { scalar: "text", unique: true },
        data: { scalar: "json", unique: true },
        tags: { ...text, list: true },
      },
      unique: [["name"], ["name", "tags"], ["tags", "name"]],
    }),
    reported: [
      ["resources.item.fields.data.unique", '"data" cannot be unique: json values are not compared.'],
      ["resources.item.unique.0", '"item" declares the unique key of "name" twice.'],
      ["resources.item.unique.1.1", '"tags" cannot be in a unique key: lists are not compared.'],
      ["resources.item.unique.2", '"item" declares the unique key of "tags", "name" twice.'],
      ["resources.item.unique.2.0", '"tags" cannot be in a unique key: lists are not compared.'],
    ],
  },
  {
    it: "wants relations in it to lead to the target's key",
    broken: item({
      fields: { name: { ...text, unique: true } },
      relations: { like: one("item", { columns: { like: "name" } }) },
      unique: [["like"]],
    }),
    reported: [
      [
        "resources.item.unique.0.0",
        '"like" cannot be in a unique key: it does not lead to the key of "item".',
      ],
    ],
  },
]
