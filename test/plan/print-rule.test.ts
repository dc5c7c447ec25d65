// Rules and conditions in the words of a declaration.
import assert from "node:assert/strict"
import { test } from "node:test"
import {
  anyone,
  f,
  many,
  one,
  only,
  resource,
  role,
  scope,
  service,
  signedIn,
  viewer,
} from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { RuleDeclaration } from "../../src/model/policy-declaration.ts"
import { rulesOf } from "../../src/plan/access/policies.ts"
import { printGrant } from "../../src/plan/analysis/print-policy.ts"

const declare = (read: RuleDeclaration) =>
  service({
    name: "desk",
    roles: ["staff", "guest"],
    scopes: ["all_tickets"],
    viewer: "person",
    resources: {
      person: resource({
        id: "per",
        fields: { name: f.text(), team: f.text({ optional: true }) },
        relations: { tickets: many("ticket", { by: "owner" }), chief: one("person", { optional: true }) },
      }),
      ticket: resource({
        id: "tic",
        fields: {
          state: f.oneOf(["open", "in_work", "done"]),
          title: f.text(),
          team: f.text({ optional: true }),
          weight: f.integer(),
          size: f.int64(),
          open: f.boolean(),
          words: f.list(f.text()),
        },
        relations: { owner: one("person", { optional: true }), notes: many("note", { by: "ticket" }) },
        allow: { read },
      }),
      note: resource({
        key: ["ticket", "number"],
        fields: { number: f.integer() },
        relations: { ticket: one("ticket") },
      }),
    },
  })

function printed(read: RuleDeclaration): readonly string[] {
  const model = load(declare(read))
  const { seats, resources } = rulesOf(model)
  const ticket = model.resources.get("ticket")
  assert.ok(ticket)
  return (resources.get("ticket")?.actions.read ?? []).map((grant) =>
    printGrant({ model, seats }, ticket, grant),
  )
}

const cases: readonly (readonly [RuleDeclaration, string])[] = [
  [anyone, "anyone"],
  [signedIn, "signed in"],
  [role("staff"), "role:staff"],
  [scope("all_tickets"), "scope:all_tickets"],
  [{ and: [role("staff"), scope("all_tickets")] }, "role:staff and scope:all_tickets"],
  [{ not: role("guest") }, "not role:guest"],
  [
    { and: [{ not: { or: [role("guest"), role("staff")] } }, signedIn] },
    "not (role:guest or role:staff) and signed in",
  ],
  [only(["title", "state"], role("guest")), "only title, state: role:guest"],
  [only(["title"], [role("guest"), role("staff")]), "only title: role:guest or role:staff"],
  [{ owner: { id: { eq: viewer["id"] } } }, "owner.id = viewer.id"],
  [{ ownerId: { eq: viewer["id"] } }, "owner.id = viewer.id"],
  [{ owner: { chief: { id: { eq: viewer["id"] } } } }, "owner.chief.id = viewer.id"],
  [{ team: { eq: viewer["team"] } }, "team = viewer.team"],
  [{ owner: { id: { in: ["per_1", "per_2"] } } }, "owner.id in per_1, per_2"],
  [{ id: { eq: "tic_1" } }, "id = tic_1"],
  [{ state: { in: ["open", "in_work"] } }, "state in open, in_work"],
  [{ state: { notIn: [] } }, "state not in nothing"],
  [{ title: { eq: "two words" } }, 'title = "two words"'],
  [{ title: { ne: "true" } }, 'title != "true"'],
  [{ title: { startsWith: "12" } }, 'title starts with "12"'],
  [{ title: { contains: "a-b" } }, "title contains a-b"],
  [{ title: { search: "x" } }, "title has the words x"],
  [{ weight: { gt: 1, lte: 5 } }, "weight <= 5 and weight > 1"],
  [{ size: { gte: "9007199254740993" } }, "size >= 9007199254740993"],
  [{ open: { eq: true } }, "open = true"],
  [{ words: { has: "a" } }, "words has a"],
  [{ words: { hasAny: ["a", "b c"] } }, 'words has any of a, "b c"'],
  [{ team: { isNull: true } }, "team is missing"],
  [{ team: { isNull: false } }, "team is present"],
  [{ owner: {} }, "owner is present"],
  [{ owner: { team: { isNull: true } } }, "owner (team is missing)"],
  [{ owner: { not: { name: { eq: "x" } } } }, "owner (not name = x)"],
  [{ owner: { name: { eq: "x" }, team: { eq: "y" } } }, "owner.name = x and owner.team = y"],
  [{ owner: { or: [{ name: { eq: "x" } }, { team: { eq: "y" } }] } }, "owner.name = x or owner.team = y"],
  [{ notes: { some: { number: { gt: 2 } } } }, "some notes (number > 2)"],
  [{ notes: { none: {} } }, "no notes"],
  [{ notes: { none: { number: { eq: 1 } } } }, "no notes (number = 1)"],
  [{ owner: { tickets: { every: { open: { eq: true } } } } }, "owner (every tickets (open = true))"],
  [
    { and: [{ or: [{ open: { eq: true } }, { state: { eq: "done" } }] }, { weight: { lt: 3 } }] },
    "(open = true or state = done) and weight < 3",
  ],
  [
    { or: [{ and: [role("staff"), { open: { eq: true } }] }, role("guest")] },
    "(role:staff and open = true) or role:guest",
  ],
]

for (const [rule, text] of cases) test(text, () => assert.deepEqual(printed(rule), [text]))

test("different rules have different words", () =>
  assert.equal(new Set(cases.map(([rule]) => JSON.stringify(rule))).size, cases.length))

test("several rules are printed one by one", () =>
  assert.deepEqual(printed([role("staff"), { open: { eq: true } }]), ["role:staff", "open = true"]))
