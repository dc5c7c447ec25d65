// Declarations that break the rule `conversions`, and exactly what is reported for each.
import { type Case, item, many, service, text } from "./case.ts"

export const conversions: readonly Case[] = [
  {
    it: "wants an expression of the record's own columns, which comes to a value of the field",
    broken: service({
      item: {
        fields: {
          name: text,
          size: { scalar: "integer", from: "name" },
          lines: { scalar: "integer", from: { count: "rows" } },
          tags: { scalar: "text", list: true, from: "name" },
          odd: { scalar: "text", from: { cut: ["name", 3] } as never },
          gone: { scalar: "text", from: { before: ["former", " "] } },
          self: {
            scalar: "decimal",
            precision: 9,
            scale: 2,
            from: { multiply: ["self", { value: "0.01" }] },
          },
        },
        relations: { rows: many("row", { by: "item" }) },
      },
      row: { fields: { name: text }, relations: { item: { kind: "one", target: "item" } } },
    }),
    reported: [
      ["resources.item.fields.size.from", '"size" is integer, and "name" in its expression is text.'],
      [
        "resources.item.fields.lines.from",
        '`from` is about the record\'s own columns, and "rows" is a relation.',
      ],
      [
        "resources.item.fields.tags.from",
        'Values of "tags" cannot be made by an expression.',
        "Leave out `from`.",
      ],
      ["resources.item.fields.odd.from.cut", 'There is no "cut" in expressions.', 'Did you mean "count"?'],
    ],
  },
  {
    it: "makes nothing in tables of somebody else's",
    broken: {
      ...item({ key: { column: "id", type: "text" }, fields: { name: { ...text, from: "title" } } }),
      managed: false,
    },
    reported: [
      [
        "resources.item.fields.name.from",
        "Bifold does not manage these tables, so it makes no values in them.",
        "Leave out `from`.",
      ],
    ],
  },
]
