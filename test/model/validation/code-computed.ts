// Declarations that break the rule `codeComputed`, and exactly what is reported for each.
import { type Case, many, one, run, service, text } from "./case.ts"

export const codeComputed: readonly Case[] = [
  {
    it: "wants records that there are, new names, and what can be looked at",
    broken: {
      ...service({
        item: { fields: { name: text }, relations: { lines: many("line", { by: "item" }) } },
        line: { fields: { label: text }, relations: { item: one("item") } },
      }),
      code: {
        computed: {
          items: { a: { type: text, needs: [], run } },
          item: {
            name: { type: text, needs: [], run },
            lines: { type: text, needs: [], run },
            etag: { type: text, needs: [], run },
            a: {
              type: { ...text, unique: true, read: { anyone: true } },
              needs: ["id", "nam", "lines"],
              run,
            },
            b: { type: { scalar: "decimal" }, needs: [], deadline: 0, run },
          },
          line: { c: { type: text, needs: ["itemId", "item"], run } },
        },
      },
    },
    reported: [
      ["code.computed.items", 'There is no resource "items".', 'Did you mean "item"?'],
      ["code.computed.item.name", '"item" has a member "name" without user code.'],
      ["code.computed.item.lines", '"item" has a member "lines" without user code.'],
      ["code.computed.item.etag", '"item" has a member "etag" without user code.'],
      ["code.computed.item.a.needs.0", "The id is given anyway.", "Leave it out."],
      ["code.computed.item.a.needs.1", 'There is no field "nam" to be looked at.', 'Did you mean "name"?'],
      ["code.computed.item.a.needs.2", 'There is no field "lines" to be looked at.', "Known here: name."],
      ["code.computed.item.a.type.unique", '"a" is computed by user code, so it has no `unique`.'],
      [
        "code.computed.item.a.type.read",
        '"a" is visible where its `needs` are visible, so it has no rule of its own.',
        "Give the rule to a field that it needs.",
      ],
      [
        "code.computed.item.b.deadline",
        "A deadline is a whole number of milliseconds from 1 to 60000, not 0.",
      ],
      [
        "code.computed.item.b.type",
        '"b" needs a precision and a scale.',
        "Such as `{ precision: 12, scale: 2 }`.",
      ],
      ["code.computed.line.c.needs.1", 'There is no field "item" to be looked at.', 'Did you mean "itemId"?'],
    ],
  },
]
