// Declarations that break the rule `serviceName`, and exactly what is reported for each.
import type { Case } from "./case.ts"

export const serviceName: readonly Case[] = [
  {
    it: "refuses a name with a space, and a service without resources",
    broken: { name: "my shop", resources: {} },
    reported: [
      [
        "name",
        '"my shop" cannot be the name of a service.',
        "A letter, then letters, digits, hyphens and underscores; the title is for readers.",
      ],
      ["resources", "The service has no resources."],
    ],
  },
]
