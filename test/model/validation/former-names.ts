// Declarations that break the rule `formerNames`, and exactly what is reported for each.
import { type Case, one, service, text } from "./case.ts"
import { life, stateful } from "./machines.ts"

export const formerNames: readonly Case[] = [
  {
    it: "wants former names of states that no state has any more, and that one state had",
    broken: stateful({
      states: { ...life, states: { open: { was: ["new", "closed"] }, closed: { was: "new" } } },
    }),
    reported: [
      [
        "resources.item.states.states.open.was",
        '"open" cannot have been "closed", which is a state now.',
        "Rename in two steps.",
      ],
      [
        "resources.item.states.states.closed.was",
        '"closed" and "open" cannot both have been "new".',
        "Leave out one of the two.",
      ],
    ],
  },
  {
    it: "refuses former names of states where the tables are somebody else's",
    broken: stateful({ states: { ...life, states: { open: { was: "new" } } } }, { managed: false }),
    reported: [
      [
        "resources.item.states.states.open.was",
        "Bifold does not manage these tables, so it renames nothing in them.",
        "Leave out `was`.",
      ],
    ],
  },
  {
    it: "wants a former name that nothing has any more, and that one thing had",
    broken: service({
      item: { was: "thing", fields: { name: text, title: { ...text, was: ["label", "name"] } } },
      part: {
        was: ["piece", "thing"],
        fields: { name: text },
        relations: { owner: one("item", { was: "name" }) },
      },
    }),
    reported: [
      ["resources.part.was", '"part" and "item" cannot both have been "thing".', "Leave out one of the two."],
      [
        "resources.item.fields.title.was",
        '"title" cannot have been "name", which is a member now.',
        "Rename in two steps.",
      ],
      [
        "resources.part.relations.owner.was",
        '"owner" cannot have been "name", which is a member now.',
        "Rename in two steps.",
      ],
    ],
  },
  {
    it: "refuses one where there is no column that follows the name",
    broken: service({
      item: {
        fields: { name: text },
        relations: {
          twin: one("item", { columns: { twin_key: "id" }, was: "double" }),
        },
      },
    }),
    reported: [
      [
        "resources.item.relations.twin.was",
        'The relation "twin" has no column that follows its name.',
        "Leave out `was`.",
      ],
    ],
  },
  {
    it: "refuses one where the tables are somebody else's",
    broken: service({ item: { was: "thing", fields: { name: text } } }, { managed: false }),
    reported: [
      [
        "resources.item.was",
        "Bifold does not manage these tables, so it renames nothing in them.",
        "Leave out `was`.",
      ],
    ],
  },
]
