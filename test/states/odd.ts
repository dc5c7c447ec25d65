// Transitions that the desk lacks: names of two words, input that need not be given, versions that must be, keys that
// people choose.
import { f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"

export const odd = load(
  service({
    name: "odd",
    roles: ["clerk", "guest"],
    enums: { payment: { values: ["cash", "card"] } },
    resources: {
      billTransition: resource({ fields: { text: f.text() }, allow: { read: role("clerk") } }),
      bill: resource({
        fields: {
          number: f.text({ unique: true }),
          paidBy: f.oneOf("payment", { optional: true, readonly: true }),
        },
        states: {
          initial: "open",
          final: "paid",
          transitions: {
            markPaid: {
              from: "open",
              to: "paid",
              description: "The money is there.",
              input: {
                reference: f.text({ optional: true, description: "Of the bank." }),
                by: f.oneOf("payment", { default: "card" }),
                via: f.oneOf(["web", "desk"], { optional: true }),
              },
              set: { paidBy: { given: "by" } },
            },
          },
        },
        allow: { read: [role("clerk"), role("guest")], update: role("clerk") },
      }),
      deed: resource({
        key: ["name"],
        versioned: "required",
        fields: { name: f.text() },
        states: { initial: "draft", final: "signed", transitions: { sign: { from: "draft", to: "signed" } } },
        allow: { read: role("clerk"), update: role("clerk") },
      }),
      parcel: resource({
        key: ["label"],
        fields: { label: f.text() },
        states: { initial: "here", final: "gone", transitions: { send: { from: "here", to: "gone" } } },
        allow: { read: role("clerk"), update: role("clerk") },
      }),
    },
  }),
)
