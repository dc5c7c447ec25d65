// Which plans compare nothing but what is usual, as a database's statistics tell it.
import assert from "node:assert/strict"
import { test } from "node:test"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { anyone, f, many, one, resource, type ServiceDeclaration, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { actorOf } from "../../src/plan/access/actor.ts"
import type { Frequencies, Statistics } from "../../src/plan/cost/access-paths.ts"
import { createPrice } from "../../src/plan/cost/cost.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { guard } from "../../src/plan/guard/guard.ts"

const key = { column: "id", type: "integer" } as const
const ofTeam = { allow: { read: { team: { id: { eq: viewer["id"] } } } } }
const declaration: ServiceDeclaration = {
  name: "desk",
  viewer: "team",
  resources: {
    team: {
      key,
      fields: { name: f.text({ max: 20 }), colour: f.text({ max: 20 }) },
      relations: { tickets: many("ticket", { by: "team" }), desks: many("desk", { by: "team" }) },
      allow: { read: anyone },
    },
    ticket: resource({
      key,
      fields: {
        colour: f.text({ max: 20 }),
        urgent: f.boolean(),
        rank: f.integer({ min: 0 }),
        note: f.text({ max: 20, read: { urgent: { eq: true } } }),
      },
      relations: { team: one("team") },
      indexes: [["colour", "rank"], ["rank"]],
      ...ofTeam,
    }),
    desk: resource({
      key,
      fields: { colour: f.text({ max: 20 }), rank: f.integer({ min: 0 }) },
      relations: { team: one("team") },
      allow: { read: { colour: { eq: viewer["colour"] } } },
    }),
  },
}

const whole = load(declaration)
const team = actorOf(whole, { name: "team 7", viewer: "7", roles: [], scopes: [] })

const named = (...values: readonly string[]): Frequencies => ({ usual: "named", named: new Set(values) })
const allBut = (...values: readonly string[]): Frequencies => ({ usual: "others", named: new Set(values) })
const colours = named("red", "green")
const frequencies = {
  colour: colours,
  urgent: named("false"),
  team_id: allBut("1"),
  note: allBut(),
  id: allBut(),
}

const statisticsOf = (ofTicket: Readonly<Record<string, Frequencies>>): Statistics =>
  new Map(
    Object.entries({ ticket: ofTicket, desk: { colour: colours, team_id: allBut() }, team: frequencies }).map(
      ([name, of]) => [name, { rows: 100, indexes: [], frequencies: new Map(Object.entries(of)) }],
    ),
  )
const statistics = statisticsOf(frequencies)

const cursors = createCursors("a secret of the tests")
function planOf(query: string, variables: Readonly<Record<string, unknown>> = {}, actor = team) {
  assert.ok(actor)
  const plan = guard(planQuery({ model: actor.model, cursors }, { query, variables }), actor)
  assert.ok(plan.kind === "read")
  return plan
}
const isUsual = (query: string, known = statistics): boolean => createPrice(known)(planOf(query)).usual
const tickets = (where: string, rest = ""): string =>
  `{ tickets(first: 5, where: {${where}}${rest}) { nodes { id } } }`

test("what is compared is usual where each value is named so, or is not named otherwise", () => {
  for (const [where, expected] of [
    ['colour: {eq: "red"}', true],
    ['colour: {eq: "violet"}', false],
    ['colour: {eq: "red"}, urgent: {eq: false}', true],
    ['colour: {eq: "red"}, urgent: {eq: true}', false],
    ['colour: {eq: "red"}, teamId: {eq: "team_8"}', true],
    ['colour: {eq: "red"}, teamId: {eq: "team_1"}', false],
  ] as const)
    assert.equal(isUsual(tickets(where)), expected, where)
})

test("the values of plans of one shape are told apart, and so are those who ask", () => {
  const query =
    "query ($colour: String!) { tickets(first: 5, where: {colour: {eq: $colour}}) { nodes { id } } }"
  const plan = planOf(query, { colour: "red" })
  const withValues = (...values: readonly unknown[]) => ({
    ...plan,
    values: plan.values.map(
      (value) => (value === "red" ? values[0] : Array.isArray(value) ? values[1] : value) as never,
    ),
  })
  const outlookOf = createPrice(statistics)
  assert.deepEqual(
    [
      withValues("red", [7]),
      withValues("violet", [7]),
      withValues("green", [7]),
      withValues("red", [1]),
      withValues("red", null),
    ].map((asked) => outlookOf(asked).usual),
    [true, false, true, false, false],
  )
})

test("nothing is usual of which nothing is known", () => {
  const asked = tickets('colour: {eq: "red"}')
  const plan = planOf(asked)
  const { colour: _, ...others } = frequencies
  const all = [statistics, new Map(), statisticsOf(others), statisticsOf({ ...frequencies, colour: named() })]
  assert.deepEqual(
    all.map((known) => createPrice(known)(plan).usual),
    [true, false, false, false],
  )
})

test("only equalities are: of what is seen, with values of the request or whose it is", () => {
  for (const where of [
    'colour: {in: ["red"]}',
    'colour: {ne: "red"}',
    'not: {colour: {eq: "red"}}',
    'or: [{colour: {eq: "red"}}, {colour: {eq: "green"}}]',
    'colour: {eq: "red"}, rank: {gt: 3}',
    'team: {name: {eq: "a"}}',
    // The note is seen of urgent tickets only, which is a condition more.
    'note: {eq: "a"}',
  ])
    assert.equal(isUsual(tickets(where, ", orderBy: [{field: rank}]")), false, where)
  // A desk's rule compares with what the viewer's record has, which no plan says.
  assert.equal(isUsual("{ desks(first: 5, orderBy: [{field: rank}]) { nodes { id } } }"), false)
})

test("each list of a plan has to be, unless the way to its rows is the same for all values", () => {
  const nested = (where: string): string =>
    `{ teams(first: 5, where: {colour: {eq: "red"}}, orderBy: [{field: name}]) { nodes { tickets(first: 3, where: {${where}}) { nodes { id } } } } }`
  assert.equal(isUsual(nested('colour: {eq: "green"}')), true)
  assert.equal(isUsual(nested('colour: {eq: "violet"}')), false)
  // In the order of the key, which is the way to them whoever asks.
  assert.equal(isUsual("{ teams(first: 5) { nodes { id } } }"), false)
  assert.equal(isUsual('{ team(id: "team_1") { name } }'), false)
})

test("what may be slow is planned with its values all the same", () => {
  const many = new Map([...statistics].map(([name, table]) => [name, { ...table, rows: 1_000_000 }]))
  const { pace, usual } = createPrice(many)(
    planOf(tickets('colour: {eq: "red"}', ", orderBy: [{field: note}]")),
  )
  assert.deepEqual({ pace, usual }, { pace: "slow", usual: false })
})
