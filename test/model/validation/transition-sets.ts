// Declarations that break the rule `transitionSets`, and exactly what is reported for each.
import type { Case } from "./case.ts"
import { setting } from "./machines.ts"

export const transitionSets: readonly Case[] = [
  {
    it: "sets members that there are, and that may be set",
    broken: setting({
      titel: "x",
      reporter: { viewer: "id" },
      state: "closed",
      code: "x",
      sum: 1,
      reporterKey: "x",
    }),
    reported: [
      [
        "resources.ticket.states.transitions.close.set.titel",
        '"ticket" has no member "titel" to set.',
        'Did you mean "title"?',
      ],
      [
        "resources.ticket.states.transitions.close.set.reporter",
        '"ticket" has no member "reporter" to set.',
        'Did you mean "reporterId" or "reporterKey"?',
      ],
      [
        "resources.ticket.states.transitions.close.set.state",
        '"state" cannot be set: it holds a state, which the transition itself changes.',
      ],
      ["resources.ticket.states.transitions.close.set.code", '"code" cannot be set: it is immutable.'],
      [
        "resources.ticket.states.transitions.close.set.sum",
        '"sum" cannot be set: it is computed by the database.',
      ],
      [
        "resources.ticket.states.transitions.close.set.reporterKey",
        '"reporterKey" cannot be set: its column is a relation\'s, which is set by its reference.',
      ],
    ],
  },
  {
    it: "sets constants that fit",
    broken: setting({
      title: "longer than ten",
      effort: "now",
      cost: null,
      size: "l",
      closedAt: "yesterday",
      reporterId: "person_1",
      words: ["longer"],
      extra: { given: "x", other: 1 },
    }),
    reported: [
      [
        "resources.ticket.states.transitions.close.set.title",
        '"title" must be set to text of at most 10 characters, not "longer than ten".',
      ],
      [
        "resources.ticket.states.transitions.close.set.effort",
        '"effort" must be set to a whole number of 32 bits, not "now".',
      ],
      [
        "resources.ticket.states.transitions.close.set.cost",
        '"cost" cannot be set to null: it always has a value.',
        "Make it optional.",
      ],
      [
        "resources.ticket.states.transitions.close.set.size",
        '"size" must be set to one of "s", "m", not "l".',
      ],
      [
        "resources.ticket.states.transitions.close.set.closedAt",
        '"closedAt" must be set to a moment such as "2026-11-01T09:30:00Z", or "now", not "yesterday".',
      ],
      [
        "resources.ticket.states.transitions.close.set.reporterId",
        '"reporterId" leads to a record, which a declaration cannot name.',
        "Set it to viewer.id, to an input, or to null.",
      ],
      [
        "resources.ticket.states.transitions.close.set.words",
        '"words" must be set to a list of text of at most 5 characters, not ["longer"].',
      ],
    ],
  },
  {
    it: "sets who asks only where such a record is meant",
    broken: setting({ parentId: { viewer: "id" }, title: { viewer: "id" }, reporterId: { viewer: "id" } }),
    reported: [
      [
        "resources.ticket.states.transitions.close.set.parentId",
        '"parentId" cannot be the viewer: it does not refer to "person".',
        "viewer.id is for references to it.",
      ],
      [
        "resources.ticket.states.transitions.close.set.title",
        '"title" cannot be the viewer: it does not refer to "person".',
        "viewer.id is for references to it.",
      ],
    ],
  },
  {
    it: "sets who asks only where the service says who that is",
    broken: setting({ assigneeId: { viewer: "id" } }, {}, { viewer: undefined as never }),
    reported: [
      [
        "resources.ticket.states.transitions.close.set.assigneeId",
        '"assigneeId" cannot be the viewer: the service declares none.',
        "Give it a `viewer`.",
      ],
    ],
  },
  {
    it: "sets what is given only where it is a value of that kind",
    broken: setting(
      {
        title: { given: "link" },
        effort: { given: "ratio" },
        size: { given: "size" },
        words: { given: "link" },
        closedAt: { given: "day" },
        reporterId: { given: "ratio" },
        assigneeId: { given: "who" },
        parentId: { given: "parnt" },
      },
      {
        link: { scalar: "url" },
        ratio: { scalar: "float" },
        size: { scalar: "oneOf", of: ["s", "l"] },
        day: { scalar: "date" },
        who: { scalar: "text" },
        parent: { scalar: "text" },
      },
    ),
    reported: [
      [
        "resources.ticket.states.transitions.close.set.effort",
        'The input "ratio" does not fit "effort": it is float, not integer.',
      ],
      [
        "resources.ticket.states.transitions.close.set.size",
        'The input "size" does not fit "size": it may be "l".',
      ],
      [
        "resources.ticket.states.transitions.close.set.words",
        'The input "link" does not fit "words": it is url, not a list of text.',
      ],
      [
        "resources.ticket.states.transitions.close.set.closedAt",
        'The input "day" does not fit "closedAt": it is date, not timestamp.',
      ],
      [
        "resources.ticket.states.transitions.close.set.reporterId",
        'The input "ratio" does not fit "reporterId": it is no text, as the ids of records are.',
      ],
      [
        "resources.ticket.states.transitions.close.set.parentId",
        '"close" has no input "parnt".',
        'Did you mean "parent"?',
      ],
    ],
  },
]
