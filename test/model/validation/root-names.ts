// Declarations that break the rule `rootNames`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const rootNames: readonly Case[] = [
  {
    it: "keeps mutations apart",
    broken: {
      name: "shop",
      resources: {
        order: {
          fields: {},
          states: {
            initial: "cart",
            transitions: { create: { from: "cart", to: "made" }, payBack: { from: "cart", to: "paid" } },
          },
        },
        backOrder: {
          fields: {},
          states: { initial: "cart", transitions: { pay: { from: "cart", to: "paid" } } },
        },
      },
    },
    reported: [
      [
        "resources.order.states.transitions.create",
        '"create" of "order" would be the mutation "createOrder", which already creates "order" records.',
        "Give it another name.",
      ],
      [
        "resources.backOrder.states.transitions.pay",
        '"pay" of "backOrder" would be the mutation "payBackOrder", which is the transition "payBack" of "order".',
        "Give it another name.",
      ],
    ],
  },
  {
    it: "keeps root fields and addresses apart",
    broken: service({
      item: { fields: { name: { scalar: "text", unique: true } } },
      thing: { fields: {}, plural: "itemByName" },
      viewer: { fields: {} },
      page: { fields: {}, plural: "graphql" },
    }),
    reported: [
      [
        "resources.thing",
        '"thing" would be asked for as "itemByName", which "item" has.',
        "Give it another `plural`.",
      ],
      [
        "resources.viewer",
        '"viewer" would be asked for as "viewer", which every service has.',
        "Give it another name.",
      ],
      [
        "resources.page",
        '"page" would have the address "/graphql", which every service has.',
        "Give it another `plural`.",
      ],
    ],
  },
  {
    it: "keeps two plurals apart that differ only in case",
    broken: service({ orderLine: { fields: {} }, line: { fields: {}, plural: "orderLines" } }),
    reported: [
      [
        "resources.line",
        '"line" would be asked for as "orderLines", which "orderLine" has.',
        "Give it another `plural`.",
      ],
      [
        "resources.line",
        '"line" would have the address "/order-lines", which "orderLine" has.',
        "Give it another `plural`.",
      ],
    ],
  },
]
