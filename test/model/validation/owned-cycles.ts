// Declarations that break the rule `ownedCycles`, and exactly what is reported for each.
import { type Case, many, one, service } from "./case.ts"

export const ownedCycles: readonly Case[] = [
  {
    it: "wants no record to own itself",
    broken: service({
      folder: {
        fields: {},
        relations: {
          parent: one("folder", { optional: true }),
          folders: many("folder", { by: "parent", owned: true }),
        },
      },
      a: { fields: {}, relations: { b: one("b"), bs: many("b", { by: "a", owned: true }) } },
      b: { fields: {}, relations: { a: one("a"), as: many("a", { by: "b", owned: true }) } },
    }),
    reported: [
      [
        "resources.folder.relations.folders.owned",
        'A "folder" would own itself by way of "folder".',
        "Leave `owned` out in one place of the circle.",
      ],
      [
        "resources.a.relations.bs.owned",
        'A "a" would own itself by way of "b".',
        "Leave `owned` out in one place of the circle.",
      ],
      [
        "resources.b.relations.as.owned",
        'A "b" would own itself by way of "a".',
        "Leave `owned` out in one place of the circle.",
      ],
    ],
  },
]
