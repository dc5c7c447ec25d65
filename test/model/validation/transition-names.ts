// Declarations that break the rule `transitionNames`, and exactly what is reported for each.
import type { Case } from "./case.ts"
import { life, stateful } from "./machines.ts"

export const transitionNames: readonly Case[] = [
  {
    it: "wants names of both faces, each once, and reasons that can be told",
    broken: stateful({
      states: {
        life: {
          ...life,
          transitions: {
            close: { from: "open", to: "closed", reason: "It is late." },
            "re-open": { from: "closed", to: "open" },
            _: { from: "closed", to: "open" },
            read: { from: "open", to: "closed" },
            closeNow: { from: "open", to: "closed" },
            close_now: { from: "open", to: "closed" },
          },
        },
        payment: { initial: "due", transitions: { close: { from: "due", to: "paid" } } },
      },
    }),
    reported: [
      [
        "resources.item.states.life.transitions.close.reason",
        '"close" has a `reason`, but no `when` that could fail.',
        "Leave out `reason`, or add `when`.",
      ],
      [
        "resources.item.states.life.transitions.re-open",
        '"re-open" cannot be the name of a transition.',
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      ],
      [
        "resources.item.states.life.transitions._",
        '"_" cannot be the name of a transition.',
        "Letters, digits and underscores, not beginning with a digit or with two underscores.",
      ],
      [
        "resources.item.states.life.transitions.read",
        'No transition can be called "read": rules use this name for reading a record.',
        "Give it another name.",
      ],
      [
        "resources.item.states.life.transitions.close_now",
        '"item" has two transitions that would be asked for as "close-now".',
        "Give one of them another name.",
      ],
      [
        "resources.item.states.payment.transitions.close",
        '"life" and "payment" both have a transition that is asked for as "close".',
        "Give one of them another name.",
      ],
    ],
  },
]
