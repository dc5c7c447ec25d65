// Rules as they are read: every mistake with its place and a hint, and equal rules as equal data.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import type { FieldDeclaration, ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import {
  anyone,
  f,
  many,
  one,
  only,
  resource,
  role,
  scope,
  signedIn,
  viewer,
} from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import type { AllowDeclaration, RuleDeclaration } from "../../src/model/policy-declaration.ts"
import { loadService, rulesOf } from "../../src/plan/access/policies.ts"

interface Parts {
  readonly allow?: AllowDeclaration
  readonly fields?: Readonly<Record<string, FieldDeclaration>>
}

/** A desk with tickets, of which each case says what is special. */
const desk = ({ allow = { read: anyone }, fields = {} }: Parts): ServiceDeclaration => ({
  name: "desk",
  roles: ["staff", "boss"],
  scopes: ["write"],
  viewer: "person",
  resources: {
    person: resource({ fields: { name: f.text() }, allow: { read: anyone } }),
    ticket: resource({
      fields: {
        title: f.text(),
        state: f.oneOf(["open", "shut"], { default: "open" }),
        urgent: f.boolean({ default: false }),
        points: f.integer({ optional: true }),
        price: f.decimal({ precision: 9, scale: 2, optional: true }),
        dueAt: f.timestamp({ optional: true }),
        words: f.list(f.text(), { optional: true }),
        ...fields,
      },
      relations: {
        owner: one("person"),
        helper: one("person", { optional: true }),
        parent: one("ticket", { optional: true }),
        parts: many("ticket", { by: "parent" }),
      },
      allow,
    }),
  },
})

const told = (declaration: ServiceDeclaration): readonly (readonly string[])[] => {
  try {
    loadService(declaration)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.problems.map(({ place, message, hint }) => [
      (place ?? []).join("."),
      message,
      ...(hint === undefined ? [] : [hint]),
    ])
  }
  return []
}

const reads = (read: RuleDeclaration): readonly (readonly string[])[] => told(desk({ allow: { read } }))

const never = (why: string): RegExp => new RegExp(`^This rule can never hold: ${RegExp.escape(why)}\\.$`)

describe("a rule that can never hold is a mistake", () => {
  const state = "no `state` meets all that it asks"
  const points = "no `points` meets all that it asks"
  const impossible: Readonly<Record<string, readonly [RuleDeclaration, string]>> = {
    "two values of one field": [{ and: [{ state: { eq: "open" } }, { state: { eq: "shut" } }] }, state],
    "no value of a choice": [{ state: { notIn: ["open", "shut"] } }, state],
    "an empty list": [{ state: { in: [] } }, state],
    "a value and its opposite": [
      { title: { eq: "a" }, not: { title: { eq: "a" } } },
      "no `title` meets all that it asks",
    ],
    "neither true nor false": [
      { urgent: { ne: true }, not: { urgent: { eq: false } } },
      "no `urgent` meets all that it asks",
    ],
    "ranges beside each other": [{ points: { lt: 3, gte: 3 } }, points],
    "a range without a whole number": [{ points: { gt: 3, lt: 4 } }, points],
    "a value outside a range": [{ points: { in: [1, 2], gt: 2 } }, points],
    "a decimal below and above": [{ price: { lt: "9.5", gt: "10" } }, "no `price` meets all that it asks"],
    "a moment before and after": [
      { dueAt: { lt: "2026-01-01T00:00:00Z", gt: "2026-01-01T00:00:00.5Z" } },
      "no `dueAt` meets all that it asks",
    ],
    "a missing value that is compared": [{ points: { isNull: true, lt: 3 } }, points],
    "a value that is missing and there": [
      { points: { isNull: true }, not: { points: { isNull: true } } },
      points,
    ],
    "a text that begins otherwise": [
      { title: { eq: "abc", startsWith: "b" } },
      "no `title` meets all that it asks",
    ],
    "a text that contains what it does not": [
      { title: { contains: "a" }, not: { title: { contains: "a" } } },
      "no `title` meets all that it asks",
    ],
    "any of no words": [{ words: { hasAny: [] } }, "no `words` meets all that it asks"],
    "no id": [{ id: { in: [] } }, "no `id` meets all that it asks"],
    "two owners": [
      { owner: { name: { eq: "a" } }, and: [{ owner: { name: { eq: "b" } } }] },
      "no `owner.name` meets all that it asks",
    ],
    "the viewer and not": [
      { ownerId: { eq: viewer.id, ne: viewer.id } },
      "no `ownerId` meets all that it asks",
    ],
    "a role under not": [
      { and: [role("staff"), { not: role("staff") }] },
      'it asks for the role "staff" and for the opposite',
    ],
    "a scope of nobody": [
      { scope: "write", not: signedIn },
      "it asks for signed-in actors and for the opposite",
    ],
    "not anyone": [{ not: anyone }, "it negates a condition that always holds"],
    "some and none": [
      { parts: { some: { urgent: { eq: true } }, none: { urgent: { eq: true } } } },
      "it asks for `parts` and for the opposite",
    ],
    "every and a counterexample": [
      { parts: { every: { urgent: { eq: true } }, some: { not: { urgent: { eq: true } } } } },
      "it asks for `parts` and for the opposite",
    ],
  }
  for (const [what, [rule, why]] of Object.entries(impossible))
    it(what, () => {
      const [first, ...others] = reads(rule)
      assert.equal(others.length, 0)
      assert.equal(first?.[0], "resources.ticket.allow.read")
      assert.match(first?.[1] ?? "", never(why))
      assert.equal(first?.[2], "Leave it out: access is denied by default.")
    })

  it("some that can never be there", () => {
    assert.equal(reads({ parts: { some: { state: { in: [] } } } }).length, 1)
  })

  it("as one of several, and within another: where it stands", () => {
    assert.deepEqual(
      reads([role("staff"), { or: [{ state: { eq: "open" } }, { not: anyone }] }]).map(([place]) => place),
      ["resources.ticket.allow.read.1.or.1"],
    )
    assert.deepEqual(
      told(
        desk({ fields: { secret: f.text({ optional: true, read: { not: signedIn, role: "boss" } }) } }),
      ).map(([place]) => place),
      ["resources.ticket.fields.secret.read"],
    )
    assert.deepEqual(
      reads(only(["title"], [signedIn, { state: { in: [] } }])).map(([place]) => place),
      ["resources.ticket.allow.read.when.1"],
    )
  })

  const possible: Readonly<Record<string, RuleDeclaration>> = {
    "a missing value that is neither": { points: { ne: 1 }, not: { points: { eq: 2 } } },
    "a missing value outside every range": { not: { or: [{ points: { lt: 3 } }, { points: { gte: 3 } }] } },
    "two roles at once": { and: [role("staff"), role("boss")] },
    "one role without another": { and: [role("staff"), { not: role("boss") }] },
    "a stranger": { not: signedIn },
    "two of the records behind a relation": {
      parts: { some: { state: { eq: "open" } } },
      and: [{ parts: { some: { state: { eq: "shut" } } } }],
    },
    "every of none": { parts: { every: { urgent: { eq: true } }, none: {} } },
    "a touching range": { points: { lte: 3, gte: 3 } },
    "a narrow range of decimals": { price: { gt: "3", lt: "4" } },
    "a value within what it may be": { state: { in: ["open", "shut"], ne: "open" } },
    "another person's name than the helper's": {
      owner: { name: { eq: "a" } },
      helper: { name: { eq: "b" } },
    },
    "no helper of that name": { not: { helper: { name: { eq: "b" } } } },
    "the viewer or another": [{ ownerId: { eq: viewer.id } }, { ownerId: { ne: viewer.id } }],
    "more ways than are looked through": {
      and: Array.from({ length: 12 }, (_, index) => ({
        or: [{ points: { eq: index } }, { title: { eq: `${index}` } }],
      })),
    },
  }
  for (const [what, rule] of Object.entries(possible))
    it(`but not ${what}`, () => assert.deepEqual(reads(rule), []))
})

describe("a rule that nobody could use is a mistake", () => {
  it("of records that nobody sees", () => {
    assert.deepEqual(told(desk({ allow: { update: role("staff") } })), [
      [
        "resources.ticket.allow.update",
        "No rule allows reading a ticket, and only a visible record can be updated.",
        "Give a rule for `read` that allows the same callers and records.",
      ],
    ])
  })

  it("of records that others see", () => {
    const allow = {
      read: { state: { eq: "open" } },
      update: role("staff"),
      delete: [role("boss"), { role: "staff", state: { eq: "shut" } }],
    }
    assert.deepEqual(told(desk({ allow })), [
      [
        "resources.ticket.allow.delete.1",
        "Only a visible record can be deleted, and no caller that this allows sees one: no `state` meets all that it asks.",
        "Give a rule for `read` that allows the same callers and records.",
      ],
    ])
  })

  it("of creation, where a value is needed that no actor may set", () => {
    const fields = { number: f.text({ readonly: true }) }
    assert.deepEqual(told(desk({ fields, allow: { read: anyone, create: only(["state"], signedIn) } })), [
      [
        "resources.ticket.allow.create",
        "No caller could create a ticket: it needs a value for `title`, which no rule lets a caller set.",
        "Give `title` a default, make it optional, or name it in only([…]).",
      ],
      [
        "resources.ticket.allow.create",
        "No caller could create a ticket: it needs a value for `number`, which is read-only.",
        "Give `number` a default, make it optional, or let it be set.",
      ],
    ])
    assert.deepEqual(told(desk({ allow: { read: anyone, create: only(["title", "state"], signedIn) } })), [])
  })

  it("of creation, where the key cannot be made", () => {
    const declaration: ServiceDeclaration = {
      name: "desk",
      resources: {
        seat: {
          key: {
            parts: [
              { column: "row", type: "integer" },
              { column: "place", type: "integer" },
            ],
          },
          fields: { name: f.text() },
          allow: { read: anyone, create: anyone },
        },
      },
    }
    assert.deepEqual(
      told(declaration).map(([, message]) => message),
      ["No caller could create a seat: its key, or a relation that it needs, cannot be given."],
    )
  })
})

it("a relation that clients cannot give is named, where records need it", () => {
  const allow = { read: anyone, create: anyone }
  const declaration = {
    name: "shop",
    resources: {
      tenant: { fields: {}, allow },
      order: {
        fields: { number: f.text() },
        relations: { tenant: one("tenant") },
        unique: [["tenant", "number"]] as const,
        allow,
      },
      line: {
        fields: {},
        relations: { order: one("order", { columns: { tenant_id: "tenant_id", number: "number" } }) },
        allow,
      },
    },
  }
  assert.deepEqual(told(declaration), [
    [
      "resources.line.allow.create",
      "No caller could create a line: `order` leads to a unique key of order, which has no scalar that clients give.",
      "Name the columns of the key of order, make the relation optional, or leave out the rule.",
    ],
  ])
})

it("names that there are not, and rules that say nothing", () => {
  const allow = {
    read: [{}, role("stuff"), { titel: { eq: "a" } }, only(["titel", "owner"], scope("write"))],
  }
  assert.deepEqual(told(desk({ allow })), [
    [
      "resources.ticket.allow.read.0",
      "An empty rule would hold for every actor.",
      "If that is meant, say so: anyone.",
    ],
    ["resources.ticket.allow.read.1.role", 'There is no role "stuff".', 'Did you mean "staff"?'],
    ["resources.ticket.allow.read.2.titel", '`ticket` has no member "titel".', 'Did you mean "title"?'],
    ["resources.ticket.allow.read.3.fields.0", 'ticket has no field "titel".', 'Did you mean "title"?'],
    [
      "resources.ticket.allow.read.3.fields.1",
      'ticket has no field "owner".',
      "Known here: title, state, urgent, points, price, dueAt, words.",
    ],
  ])
})

it("the mistakes of values and of rules are told at once", () => {
  const declaration = desk({
    fields: { rank: f.integer({ min: 3, max: 1 }) },
    allow: { read: { not: anyone } },
  })
  assert.deepEqual(
    told({ ...declaration, scopes: ["write", "write"] }).map(([place]) => place),
    ["resources.ticket.fields.rank", "scopes.1", "resources.ticket.allow.read"],
  )
})

it("rules wait where names are wrong, on which they build", () => {
  const broken = desk({ allow: { read: { not: anyone } } })
  const { person } = broken.resources
  assert.ok(person)
  const resources = { ...broken.resources, person: { ...person, id: "a_b" } }
  assert.deepEqual(
    told({ ...broken, resources }).map(([place]) => place),
    ["resources.person.id"],
  )
})

it("equal rules are equal data", () => {
  const own = { owner: { name: { in: ["a", "b"] } }, points: { gt: 1 } }
  const { resources, seats } = rulesOf(
    load(desk({ allow: { read: own, update: own, delete: { not: own } } })),
  )
  const actions = resources.get("ticket")?.actions
  const [read, update] = [actions?.read, actions?.update].map((grants) => grants?.map(({ rule }) => rule))
  assert.deepStrictEqual(read, update)
  assert.deepEqual(seats, [null, 1, ["a", "b"]])
})

it("values that only look equal have slots of their own", () => {
  const fields = { big: f.int64({ optional: true }) }
  const read = { points: { eq: 5 }, title: { eq: "5" }, big: { eq: "5" }, words: { hasAny: ["5"] } }
  const { seats } = rulesOf(load(desk({ fields, allow: { read } })))
  assert.deepEqual(new Set(seats.slice(1)), new Set([5, "5", 5n, ["5"]]))
})
