// Declarations that break the rule `typeNames`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"
import { life } from "./machines.ts"

export const typeNames: readonly Case[] = [
  {
    it: "keeps enumerations of inputs apart",
    broken: {
      name: "shop",
      resources: {
        item: {
          fields: {},
          states: {
            ...life,
            transitions: {
              close: { from: "open", to: "closed", input: { reason: { scalar: "oneOf", of: ["a"] } } },
            },
          },
        },
        itemCloseReason: { fields: {} },
        itemState: { fields: {} },
      },
    },
    reported: [
      [
        "resources.item.states",
        'The enumeration of "item.state" and the resource "itemState" would both have the type "ItemState".',
      ],
      [
        "resources.item.states.transitions.close.input.reason.of",
        'The enumeration of the input "reason" of "item.close" and the resource "itemCloseReason" would both have the type "ItemCloseReason".',
      ],
    ],
  },
  {
    it: "keeps resources, shared and inline enumerations apart",
    broken: service(
      {
        order: { fields: { status: { scalar: "oneOf", of: ["a"] } } },
        orderStatus: { fields: {} },
      },
      { enums: { orderStatus: { values: ["b"] } } },
    ),
    reported: [
      [
        "enums.orderStatus",
        'The enumeration "orderStatus" and the resource "orderStatus" would both have the type "OrderStatus".',
      ],
      [
        "resources.order.fields.status.of",
        'The enumeration of "order.status" and the resource "orderStatus" would both have the type "OrderStatus".',
      ],
    ],
  },
  {
    it: "refuses the types that every service has",
    broken: service({ pageInfo: { fields: {} }, email: { fields: {} } }),
    reported: [
      [
        "resources.pageInfo",
        'The resource "pageInfo" would have the type "PageInfo", which every service has.',
      ],
      ["resources.email", 'The resource "email" would have the type "Email", which every service has.'],
    ],
  },
  {
    it: "refuses a shared enumeration whose name makes no type",
    broken: service({ item: { fields: {} } }, { enums: { "1": { values: ["a"] } } }),
    reported: [["enums.1", 'The enumeration "1" would have the type "1", which is no GraphQL name.']],
  },
]
