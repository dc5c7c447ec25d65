// Declarations that break the rule `transitionInputs`, and exactly what is reported for each.
import { type Case, text } from "./case.ts"
import { moved } from "./machines.ts"

export const transitionInputs: readonly Case[] = [
  {
    it: "wants names, and nothing that is said of columns",
    broken: moved({
      input: {
        "a-b": text,
        when: { ...text, unique: true, column: "x", read: { anyone: true }, default: { database: true } },
        amount: { scalar: "integer", min: 3, max: 2, pattern: "x" },
        size: { scalar: "oneOf", of: ["s", "s"] },
        kind: { scalar: "oneOf", of: "kinds" },
        count: { scalar: "integer", default: "many" },
        tag: { scalar: "text", pattern: "(" },
      },
    }),
    reported: [
      [
        "resources.item.states.transitions.close.input.amount.pattern",
        '"amount" cannot have `pattern`: integer has none.',
      ],
      [
        "resources.item.states.transitions.close.input.amount",
        'The min of "amount", 3, is greater than its max, 2.',
      ],
      [
        "resources.item.states.transitions.close.input.tag.pattern",
        'The pattern of "tag" is no regular expression: /(/u: Unterminated group.',
      ],
      ["resources.item.states.transitions.close.input.size.of.1", '"item.size" has the value "s" twice.'],
      ["resources.item.states.transitions.close.input.kind.of", 'No enumeration is called "kinds".'],
      [
        "resources.item.states.transitions.close.input.count.default",
        'The default of "count" must be a whole number of 32 bits, not "many".',
      ],
      [
        "resources.item.states.transitions.close.input.a-b",
        '"a-b" cannot be the name of an input.',
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      ],
      [
        "resources.item.states.transitions.close.input.when.unique",
        '"when" is given with "close", and no column holds it: it cannot have `unique`.',
      ],
      [
        "resources.item.states.transitions.close.input.when.column",
        '"when" is given with "close", and no column holds it: it cannot have `column`.',
      ],
      [
        "resources.item.states.transitions.close.input.when.read",
        '"when" is given with "close", and no column holds it: it cannot have `read`.',
      ],
      [
        "resources.item.states.transitions.close.input.when.default",
        '"when" has no default in the database, where no column holds it.',
      ],
    ],
  },
]
