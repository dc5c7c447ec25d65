// Declarations that break the rule `fieldForms`, and exactly what is reported for each.
import { type Case, item } from "./case.ts"

export const fieldForms: readonly Case[] = [
  {
    it: "wants what the scalar can have",
    broken: item({
      fields: {
        active: { scalar: "boolean", min: 1, of: ["a"] },
        count: { scalar: "integer", pattern: "a", scale: 1, items: { max: 1 } },
        days: { scalar: "date", list: true, items: { max: 1 } },
        state: { scalar: "oneOf" },
        sum: { scalar: "integer", generated: true, default: 1, readonly: false },
        once: { scalar: "integer", readonly: true, immutable: true },
      },
    }),
    reported: [
      ["resources.item.fields.active.of", '"active" cannot have `of`: boolean has none.'],
      ["resources.item.fields.active.min", '"active" cannot have `min`: boolean has none.'],
      ["resources.item.fields.count.items", '"count" cannot have `items`: integer has none.'],
      ["resources.item.fields.count.pattern", '"count" cannot have `pattern`: integer has none.'],
      ["resources.item.fields.count.scale", '"count" cannot have `scale`: integer has none.'],
      ["resources.item.fields.days.items", '"days" cannot have `items`: a list of date has none.'],
      [
        "resources.item.fields.state",
        '"state" has no values to choose from.',
        'Give the values: `f.oneOf(["a", "b"])`.',
      ],
      ["resources.item.fields.sum.default", '"sum" is computed by the database, so it has no default.'],
      ["resources.item.fields.sum.readonly", '"sum" is computed by the database, so it is always read-only.'],
      ["resources.item.fields.once.immutable", '"once" is read-only, so it is never written, not even once.'],
    ],
  },
]
