// Declarations that break the rule `resourceNames`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const resourceNames: readonly Case[] = [
  {
    it: "wants camelCase names and plurals",
    broken: service({ order_line: { fields: {} }, item: { plural: "Items", fields: {} } }),
    reported: [
      [
        "resources.order_line",
        '"order_line" cannot be the name of a resource.',
        'Write it in camelCase: "orderLine".',
      ],
      ["resources.item.plural", '"Items" cannot be a plural.', 'Write it in camelCase: "items".'],
    ],
  },
  {
    it: "wants a plural that differs from the name",
    broken: service({ news: { plural: "news", fields: {}, id: "news" } }),
    reported: [
      ["resources.news.plural", 'The plural of "news" must differ from "news".', 'Such as "newsList".'],
      [
        "resources.news",
        '"news" would be asked for as "news", which "news" has.',
        "Give it another `plural`.",
      ],
    ],
  },
]
