// Declarations that break the rule `relationKeys`, and exactly what is reported for each.
import { type Case, many, one, service, text } from "./case.ts"

export const relationKeys: readonly Case[] = [
  {
    it: "wants a target with a key, of as many columns",
    broken: service({
      log: { key: false, fields: { line: text }, relations: { tags: many("item", { through: "t" }) } },
      line: {
        key: {
          parts: [
            { column: "order", type: "integer" },
            { column: "number", type: "integer" },
          ],
        },
        fields: {},
      },
      item: {
        fields: { name: text },
        relations: {
          log: one("log"),
          line: one("line"),
          parent: one("item", { columns: { parent: "name" } }),
        },
      },
    }),
    reported: [
      ["resources.log.relations.tags", '"log" has no key, so "tags" cannot lead from it.'],
      ["resources.item.relations.log.target", '"log" has no key, so no relation can lead to it.'],
      [
        "resources.item.relations.line",
        'The key of "line" has 2 columns, so "line" needs as many.',
        'Give `columns: { …: "order", …: "number" }`.',
      ],
      [
        "resources.item.relations.parent.columns",
        'The columns of "parent" lead to no key of "item".',
        'Its keys are "id".',
      ],
    ],
  },
]
