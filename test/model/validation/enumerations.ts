// Declarations that break the rule `enumerations`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const enumerations: readonly Case[] = [
  {
    it: "wants each value once, and enumerations that exist",
    broken: service(
      {
        item: {
          fields: {
            size: { scalar: "oneOf", of: "sizes" },
            state: { scalar: "oneOf", of: ["a", "", "a"] },
          },
        },
      },
      { enums: { size: { values: ["s", "\ud800"] } } },
    ),
    reported: [
      ["enums.size.values.1", 'The enumeration "size" has a value with U+0000 or a lone surrogate.'],
      ["resources.item.fields.size.of", 'No enumeration is called "sizes".', 'Did you mean "size"?'],
      ["resources.item.fields.state.of.1", '"item.state" has an empty value.'],
      ["resources.item.fields.state.of.2", '"item.state" has the value "a" twice.'],
    ],
  },
  {
    it: "wants former values that are none of today's, each of one value",
    broken: service(
      {
        item: {
          fields: {
            state: { scalar: "oneOf", of: ["a", "b"], formerly: { a: ["b", "x"], b: "x", c: "y" } },
            size: { scalar: "oneOf", of: "size", formerly: { s: "small" } },
            sizes: { scalar: "oneOf", list: true, of: "size" },
          },
        },
      },
      { enums: { size: { values: ["s", "l"], formerly: { m: "middle" } } } },
    ),
    reported: [
      ["enums.size.formerly.m", 'There is no value "m".', 'Did you mean "s" or "l"?'],
      [
        "resources.item.fields.state.formerly.a",
        '"a" cannot have been "b", which is a value now.',
        "Rename in two steps.",
      ],
      [
        "resources.item.fields.state.formerly.b",
        '"b" and "a" cannot both have been "x".',
        "Leave out one of the two.",
      ],
      ["resources.item.fields.state.formerly.c", 'There is no value "c".', 'Did you mean "a" or "b"?'],
      [
        "resources.item.fields.size.formerly",
        "The values are not the field's own.",
        "Put `formerly` beside the `values` in `enums`.",
      ],
      [
        "resources.item.fields.sizes.of",
        '"item.sizes" is a list, whose values are not renamed in records.',
        "Keep the old values, or have a field of one value.",
      ],
    ],
  },
]
