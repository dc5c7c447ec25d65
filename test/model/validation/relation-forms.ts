// Declarations that break the rule `relationForms`, and exactly what is reported for each.
import { type Case, item, many, one, service } from "./case.ts"

export const relationForms: readonly Case[] = [
  {
    it: "wants one way to the target",
    broken: item({
      relations: {
        up: one("item", { column: "a", columns: { a: "id" } }),
        down: many("item"),
        side: many("item", { by: "up", through: { table: "t", near: { a: "id" }, far: { b: "id" } } }),
        far: many("item", { owned: true, through: { table: "t", near: { a: "id" }, far: { b: "id" } } }),
      },
    }),
    reported: [
      [
        "resources.item.relations.up",
        'The relation "up" has `column` and `columns`; it can have one of them.',
      ],
      [
        "resources.item.relations.down",
        'The relation "down" does not say how it finds its targets.',
        "Give `by`, a to-one relation of the target that leads here, or `through`, a join table.",
      ],
      [
        "resources.item.relations.side",
        'The relation "side" has `by` and `through`; it can have one of them.',
      ],
      [
        "resources.item.relations.far.owned",
        'The relation "far" goes through a join table, so its targets have no owner.',
      ],
    ],
  },
  {
    it: "knows that the far side of a one-to-one may be empty",
    broken: service({
      user: { fields: {}, relations: { profile: one("profile", { by: "user", optional: false }) } },
      profile: { fields: {}, relations: { user: one("user") }, unique: [["user"]] },
    }),
    reported: [
      [
        "resources.user.relations.profile.optional",
        'The relation "profile" is the far side of another, so it may always be without a target.',
      ],
    ],
  },
]
