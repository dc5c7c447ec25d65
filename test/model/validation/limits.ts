// Declarations that break the rule `limits`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const limits: readonly Case[] = [
  {
    it: "wants limits that a service can be used under",
    broken: service({ item: { fields: {} } }, { limits: { page: { default: 50, max: 10 }, depth: 0 } }),
    reported: [
      ["limits.depth", '"depth" must be a whole number from 1 to 50, not 0.'],
      ["limits.page.default", '"page.default", 50, is greater than "page.max", 10.'],
    ],
  },
]
