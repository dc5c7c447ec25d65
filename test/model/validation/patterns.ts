// Declarations that break the rule `patterns`, and exactly what is reported for each.
import { type Case, field, item, unslow } from "./case.ts"

export const patterns: readonly Case[] = [
  {
    it: "wants patterns that compile",
    broken: field("code", { scalar: "text", pattern: "[A-Z" }),
    reported: [
      [
        "resources.item.fields.code.pattern",
        'The pattern of "code" is no regular expression: /[A-Z/u: Unterminated character class.',
      ],
    ],
  },
  {
    it: "wants patterns that no text makes slow",
    broken: item({
      fields: {
        code: { scalar: "text", pattern: "(?!a).*" },
        note: { scalar: "text", pattern: "(?:[a-z]{9}-?){90}", max: 2_000 },
        tags: { scalar: "text", list: true, pattern: "(.)\\1" },
      },
    }),
    reported: [
      [
        "resources.item.fields.code.pattern",
        'The pattern of "code" cannot be matched in a time that is known beforehand: it looks ahead or behind.',
        unslow,
      ],
      [
        "resources.item.fields.note.pattern",
        'The pattern of "note" is too long for texts of 2000 characters: with it they have at most 1009.',
        "Say a smaller `max`, or a pattern with fewer or smaller repetitions.",
      ],
      [
        "resources.item.fields.tags.pattern",
        'The pattern of "tags" cannot be matched in a time that is known beforehand: it refers back to a group by \\1.',
        unslow,
      ],
    ],
  },
]
