// Declarations that break the rule `allowedActions`, and exactly what is reported for each.

import { anyone } from "../../../src/model/declaration/service.ts"
import { type Case, item } from "./case.ts"

export const allowedActions: readonly Case[] = [
  {
    it: "knows what can be allowed",
    broken: item({ allow: { read: anyone, reed: anyone, remove: anyone } as object }),
    reported: [
      ["resources.item.allow.reed", 'There is no member "reed" here.', 'Did you mean "read"?'],
      [
        "resources.item.allow.remove",
        'There is no member "remove" here.',
        "Known here: read, create, update, delete.",
      ],
    ],
  },
]
