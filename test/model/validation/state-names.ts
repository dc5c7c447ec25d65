// Declarations that break the rule `stateNames`, and exactly what is reported for each.
import type { Case } from "./case.ts"
import { life, stateful } from "./machines.ts"

export const stateNames: readonly Case[] = [
  {
    it: "finds misspelt states",
    broken: stateful({
      states: {
        initial: "open",
        final: ["closd", "solved"],
        states: { opn: { description: "New." }, solved: {} },
        transitions: {
          close: { from: ["open", "opne"], to: "closed" },
          reopen: { from: "closde", to: "open" },
          again: { from: "solved", to: "open" },
        },
      },
    }),
    reported: [
      [
        "resources.item.states.final",
        '"closd" cannot be a final state of "state": no transition leads to it.',
        'Did you mean "closed"? If "closd" is right, correct "closed" in the "to" of "close", the only place that names it.',
      ],
      [
        "resources.item.states.states.opn",
        'No transition of "state" leads to "opn", or from it.',
        'Did you mean "open"?',
      ],
      [
        "resources.item.states.transitions.close.from.1",
        '"close" cannot start from "opne": no transition leads to that state.',
        'Did you mean "open"?',
      ],
      [
        "resources.item.states.transitions.reopen.from",
        '"reopen" cannot start from "closde": no transition leads to that state.',
        'Did you mean "closed"? If "closde" is right, correct "closed" in the "to" of "close", the only place that names it.',
      ],
    ],
  },
  {
    it: "finds a misspelt initial state, or one that a transition leads to, which nothing else names",
    broken: stateful({
      states: {
        initial: "opne",
        final: ["solved"],
        transitions: {
          close: { from: "open", to: "closde" },
          reopen: { from: ["closed"], to: "late" },
          hurry: { from: "late", to: "lost" },
          solve: { from: ["open", "closed"], to: "solved" },
        },
      },
    }),
    reported: [
      [
        "resources.item.states.initial",
        'Only this place in "state" names the state "opne", and no transition leads to "open".',
        'Did you mean "open"?',
      ],
      [
        "resources.item.states.transitions.close.to",
        'Only this place in "state" names the state "closde", and no transition leads to "closed".',
        'Did you mean "closed"?',
      ],
    ],
  },
  {
    it: "leaves open which of two spellings is wrong, where each stands once",
    broken: stateful({ states: { initial: "opne", transitions: { close: { from: "open", to: "closed" } } } }),
    reported: [
      [
        "resources.item.states.transitions.close.from",
        '"close" cannot start from "open": no transition leads to that state.',
        'Did you mean "opne"? If "open" is right, correct "opne" in "initial", the only place that names it.',
      ],
    ],
  },
  {
    it: "keeps the names of events and of every state",
    broken: stateful({
      states: {
        initial: "created",
        final: "any",
        states: { any: {} },
        transitions: {
          close: { from: ["created", "any", "created"], to: "deleted" },
          any: { from: "any", to: "any" },
        },
      },
    }),
    reported: [
      [
        "resources.item.states",
        'No state of "state" can be called "created": every resource already has an event of this name.',
        "Give it another name.",
      ],
      [
        "resources.item.states",
        'No state of "state" can be called "deleted": every resource already has an event of this name.',
        "Give it another name.",
      ],
      [
        "resources.item.states.final",
        'No state can be called "any": from: "any" is every state.',
        "Give it another name.",
      ],
      [
        "resources.item.states.states.any",
        'No state can be called "any": from: "any" is every state.',
        "Give it another name.",
      ],
      [
        "resources.item.states.transitions.any.to",
        'No state can be called "any": from: "any" is every state.',
        "Give it another name.",
      ],
      [
        "resources.item.states.transitions.close.from",
        '"close" starts from "any" among others.',
        'Write from: "any", or name the states.',
      ],
      ["resources.item.states.transitions.close.from.2", '"close" starts from "created" twice.'],
    ],
  },
  {
    it: "wants a name of its own for each state of a resource, and a place for one that has none",
    broken: stateful({
      states: {
        life,
        payment: {
          initial: "due",
          transitions: { pay: { from: "due", to: "closed" }, forget: { from: "due", to: "" } },
        },
      },
    }),
    reported: [
      [
        "resources.item.states.payment",
        '"closed" is a state of "life" and of "payment", so that an event "item.closed" could be of either.',
        "Give one of them another name.",
      ],
      ["resources.item.states.payment", '"item.payment" has an empty value.'],
    ],
  },
]
