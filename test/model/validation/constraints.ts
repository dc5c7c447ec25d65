// Declarations that break the rule `constraints`, and exactly what is reported for each.
import { type Case, item } from "./case.ts"

export const constraints: readonly Case[] = [
  {
    it: "wants ranges that hold something",
    broken: item({
      fields: {
        count: { scalar: "integer", min: 2, max: 1 },
        name: { scalar: "text", min: -1, max: 1.5 },
        tags: { scalar: "text", list: true, items: { min: 9, max: 8 } },
      },
    }),
    reported: [
      ["resources.item.fields.count", 'The min of "count", 2, is greater than its max, 1.'],
      ["resources.item.fields.name.min", 'The min of "name" must be a whole number of at least 0, not -1.'],
      ["resources.item.fields.name.max", 'The max of "name" must be a whole number of at least 0, not 1.5.'],
      ["resources.item.fields.tags.items", 'The min of "tags", 9, is greater than its max, 8.'],
    ],
  },
  {
    it: "wants decimals that SQLite can keep exactly",
    broken: item({
      fields: {
        bare: { scalar: "decimal" },
        half: { scalar: "decimal", precision: 5 },
        wide: { scalar: "decimal", precision: 19, scale: 2 },
        deep: { scalar: "decimal", precision: 4, scale: 5 },
        rough: { scalar: "decimal", precision: 4, scale: -2 },
        fine: { scalar: "time", precision: 7 },
      },
    }),
    reported: [
      [
        "resources.item.fields.bare",
        '"bare" needs a precision and a scale.',
        "Such as `{ precision: 12, scale: 2 }`.",
      ],
      ["resources.item.fields.half", '"half" has a precision but no scale.'],
      [
        "resources.item.fields.wide.precision",
        'The precision of "wide" must be a whole number from 1 to 18, not 19.',
      ],
      ["resources.item.fields.deep.scale", 'The scale of "deep" must be a whole number from 0 to 4, not 5.'],
      [
        "resources.item.fields.rough.scale",
        'The scale of "rough" must be a whole number from 0 to 4, not -2.',
      ],
      ["resources.item.fields.fine.precision", 'The precision of "fine" must be a whole number from 0 to 6.'],
    ],
  },
]
