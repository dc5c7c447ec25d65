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
]
