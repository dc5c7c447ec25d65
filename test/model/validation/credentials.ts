// Declarations that break the rule `credentials`, and exactly what is reported for each.
import { type Case, item } from "./case.ts"

export const credentials: readonly Case[] = [
  {
    it: "wants roles and scopes that are names, each once",
    broken: {
      ...item({}),
      roles: ["staff", "Night shift", "staff"],
      scopes: ["orders:write", "", "orders:write"],
    },
    reported: [
      [
        "roles.1",
        '"Night shift" is no name for a role.',
        "A name begins with a lower-case letter; letters, digits, and the signs _ . : - may follow.",
      ],
      ["roles.2", '"staff" is declared twice.'],
      [
        "scopes.1",
        '"" is no name for a scope.',
        "A name begins with a lower-case letter; letters, digits, and the signs _ . : - may follow.",
      ],
      ["scopes.2", '"orders:write" is declared twice.'],
    ],
  },
]
