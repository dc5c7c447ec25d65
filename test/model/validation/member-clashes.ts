// Declarations that break the rule `memberClashes`, and exactly what is reported for each.
import { type Case, item, one, text } from "./case.ts"
import { stateful } from "./machines.ts"

export const memberClashes: readonly Case[] = [
  {
    it: "keeps `transitions` and `history` for records that have them",
    broken: stateful({
      fields: { history: text },
      relations: { Transitions: { kind: "one", target: "item" } },
    }),
    reported: [
      [
        "resources.item.fields.history",
        'The field "history" and the history of a record have the same name.',
      ],
      [
        "resources.item.relations.Transitions",
        'The relation "Transitions" and the list of what can be done with a record have the same name.',
      ],
    ],
  },
  {
    it: "keeps `history` for resources whose changes are kept, and `transitions` for nobody else",
    broken: {
      name: "shop",
      resources: {
        plain: { fields: { history: text, transitions: text } },
        kept: { history: true, fields: { history: text, transitions: text } },
      },
    },
    reported: [
      [
        "resources.kept.fields.history",
        'The field "history" and the history of a record have the same name.',
      ],
    ],
  },
  {
    it: "tells of a state's field where the machine is written",
    broken: stateful({ relations: { state: { kind: "one", target: "item" } } }),
    reported: [
      ["resources.item.relations.state", 'The relation "state" and the field "state" have the same name.'],
    ],
  },
  {
    it: "compares members however they are cased, references included",
    broken: item({
      fields: { placedAt: text, placed_at: { scalar: "text", column: "other" }, ownerId: text },
      relations: { owner: one("item", { column: "owner" }), placedAt: one("item", { column: "third" }) },
    }),
    reported: [
      [
        "resources.item.fields.placed_at",
        'The field "placed_at" and the field "placedAt" have the same name.',
      ],
      [
        "resources.item.relations.placedAt",
        'The relation "placedAt" and the field "placedAt" have the same name.',
      ],
      [
        "resources.item.relations.owner",
        'The reference "ownerId" of the relation "owner" and the field "ownerId" have the same name.',
      ],
    ],
  },
]
