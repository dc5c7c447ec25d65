// Declarations that break the rule `stateMachines`, and exactly what is reported for each.
import { type Case, text } from "./case.ts"
import { held, stateful } from "./machines.ts"

export const stateMachines: readonly Case[] = [
  {
    it: "wants records that can be changed",
    broken: stateful({ readonly: true, history: true }),
    reported: [
      ["resources.item.states", '"item" is read-only, so no transition can move its records.'],
      ["resources.item.history", '"item" is read-only, so there are no changes of its records to be kept.'],
    ],
  },
  {
    it: "wants records with ids",
    broken: stateful({ key: false }),
    reported: [["resources.item.states", '"item" has no key, so no transition can move its records.']],
  },
  {
    it: "wants a machine",
    broken: stateful({ states: {} }),
    reported: [
      ["resources.item.states", '"item" has no state machine.', "Name one in `states`, or leave it out."],
    ],
  },
  {
    it: "wants a field that is text or oneOf",
    broken: held({ scalar: "integer" }),
    reported: [
      [
        "resources.item.fields.state",
        '"state" cannot hold a state: it is integer, neither text nor one of some values.',
      ],
    ],
  },
  {
    it: "wants a field of one value",
    broken: held({ scalar: "text", list: true }),
    reported: [["resources.item.fields.state", '"state" cannot hold a state: it is a list.']],
  },
  {
    it: "wants a field that is written",
    broken: held({ scalar: "text", generated: true }),
    reported: [
      ["resources.item.fields.state", '"state" cannot hold a state: it is computed by the database.'],
    ],
  },
  {
    it: "wants a field that several records may share",
    broken: held({ ...text, unique: true }),
    reported: [
      [
        "resources.item.fields.state",
        '"state" cannot hold a state: it is unique, and several records may be in one state.',
      ],
    ],
  },
  {
    it: "wants a field that is no unique key",
    broken: stateful({ fields: { state: text }, unique: [["state"]] }),
    reported: [
      [
        "resources.item.fields.state",
        '"state" cannot hold a state: it is unique, and several records may be in one state.',
      ],
    ],
  },
  {
    it: "wants a field that is not in the key",
    broken: stateful({ fields: { state: text }, key: ["state"] }),
    reported: [
      ["resources.item.fields.state", '"state" cannot hold a state: it is in the key, which never changes.'],
    ],
  },
  {
    it: "wants a field that is always there",
    broken: held({ ...text, optional: true }),
    reported: [
      [
        "resources.item.fields.state",
        '"state" cannot hold a state: it is optional, and a record is always in some state.',
      ],
    ],
  },
  {
    it: "wants no other default than the initial state",
    broken: held({ ...text, default: "closed" }),
    reported: [
      [
        "resources.item.fields.state.default",
        '"state" of a new record is "open", its initial state, not "closed".',
        "Leave out the default.",
      ],
    ],
  },
  {
    it: "wants values for all states",
    broken: held({ scalar: "oneOf", of: ["open", "close"] }),
    reported: [
      [
        "resources.item.states",
        '"state" cannot be "closed": its field has no such value.',
        'Did you mean "close"?',
      ],
    ],
  },
  {
    it: "wants a shared enumeration to have all states",
    broken: stateful(
      { fields: { state: { scalar: "oneOf", of: "life" } } },
      { enums: { life: { values: ["opened", "closed"] } } },
    ),
    reported: [
      [
        "resources.item.states",
        '"state" cannot be "open": its field has no such value.',
        'Did you mean "opened"?',
      ],
    ],
  },
]
