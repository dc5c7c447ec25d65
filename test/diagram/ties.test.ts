// Which relations are two ends of one line, and how many records each end is.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { type Tie, tiesOf } from "../../src/tools/diagram/entities.ts"

const fields = { name: f.text() }

const model = load(
  service({
    name: "people",
    resources: {
      person: resource({
        fields,
        relations: {
          profile: one("profile", { by: "person" }),
          locker: one("locker", { optional: true }),
          mother: one("person", { optional: true }),
          children: many("person", { by: "mother" }),
          groups: many("group", { through: "membership" }),
          written: many("letter", { by: "from" }),
        },
        unique: [["locker"]],
      }),
      profile: resource({ fields, relations: { person: one("person") }, unique: [["person"]] }),
      locker: resource({ fields }),
      group: resource({ fields, relations: { people: many("person", { through: "membership" }) } }),
      letter: resource({ fields, relations: { from: one("person"), to: one("person") } }),
    },
  }),
)

const text = ([a, b]: Tie): string =>
  [a, b].map(({ resource: name, relation, count }) => `${name}.${relation ?? ""} ${count}`).join(" – ")

test("both relations of a foreign key or a join table are one tie; its second end has the key", () => {
  assert.deepEqual(tiesOf(model).map(text), [
    "person.profile one – profile.person optional",
    "locker. optional – person.locker optional",
    "person.children optional – person.mother many",
    "person.groups many – group.people many",
    "person.written one – letter.from many",
    "person. one – letter.to many",
  ])
})
