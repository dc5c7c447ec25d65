// Declarations that break the rule `allowedWrites`, and exactly what is reported for each.

import { anyone, only, signedIn } from "../../../src/model/declaration/service.ts"
import { type Case, item, service, text } from "./case.ts"

export const allowedWrites: readonly Case[] = [
  {
    it: "refuses rules of writes where nothing is written",
    broken: service({
      log: {
        key: false,
        fields: { line: { ...text, write: signedIn } },
        allow: { read: anyone, create: anyone },
      },
      page: {
        readonly: true,
        fields: { name: text },
        allow: { read: anyone, update: anyone, delete: anyone },
      },
    }),
    reported: [
      [
        "resources.log.allow.create",
        '"log" has no key, so its records cannot be created.',
        "Leave out the rule.",
      ],
      [
        "resources.page.allow.update",
        '"page" is read-only, so its records cannot be updated.',
        "Leave out the rule.",
      ],
      [
        "resources.page.allow.delete",
        '"page" is read-only, so its records cannot be deleted.',
        "Leave out the rule.",
      ],
      ["resources.log.fields.line.write", '"log" has no key, so "line" cannot be set.'],
    ],
  },
  {
    it: "refuses rules of fields that nobody sets",
    broken: item({
      key: ["code"],
      fields: {
        code: { scalar: "slug" },
        name: { ...text, immutable: true },
        total: { scalar: "integer", generated: true, write: signedIn },
        since: { scalar: "timestamp", default: "now", readonly: true, write: signedIn },
      },
      allow: {
        read: anyone,
        create: [signedIn, only(["code", "name", "total"], anyone)],
        update: only(["name", "since", "code"], anyone),
        delete: [only(["name", "code"], signedIn)],
      },
    }),
    reported: [
      [
        "resources.item.allow.create.1.fields.2",
        '"total" is computed by the database, so it cannot be created.',
      ],
      ["resources.item.allow.update.fields.0", '"name" is immutable, so it cannot be updated.'],
      ["resources.item.allow.update.fields.1", '"since" is read-only, so it cannot be updated.'],
      ["resources.item.allow.update.fields.2", '"code" is in the key, so it cannot be updated.'],
      [
        "resources.item.allow.delete.0",
        "A record is deleted as a whole, not by its fields.",
        "Write the rule without only(…).",
      ],
      ["resources.item.fields.total.write", '"total" is computed by the database, so "total" cannot be set.'],
      ["resources.item.fields.since.write", '"since" is read-only, so "since" cannot be set.'],
    ],
  },
]
