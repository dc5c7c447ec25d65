// Prices of requests: from the model and the page sizes alone, and the refusal of what costs too much before it runs.
// test/cases.test.ts compares the prices of both faces for each of its questions.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { planDocument } from "../../src/graphql/planning/plan.ts"
import type { LimitsDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { explainCharge, prices } from "../../src/plan/cost/points.ts"
import { loadOpen } from "../support/everybody.ts"
import { dialects } from "../support/open-service.ts"
import { counted, openCounted } from "./open.ts"

const cursors = { seal: () => "", open: () => undefined }
const model = loadOpen(counted({}))
const chargeFor = (query: string) => explainCharge(planDocument({ model, cursors }, { query }))

describe("points of a request", () => {
  for (const [title, query, points, records] of [
    ["a record", '{ thing(id: "1") { name } }', 2, 1],
    ["several records", '{ nodes(ids: ["thing_1", "thing_2", "person_1"]) { id } }', 4, 3],
    ["a list", "{ things(first: 20) { nodes { name } } }", 21, 20],
    ["a list asked twice over", "{ things(first: 20) { nodes { name } edges { node { id } } } }", 21, 20],
    ["the ends of a list", "{ things(first: 20) { pageInfo { hasNextPage } } }", 21, 20],
    ["an empty page", "{ things(first: 0) { nodes { name } } }", 2, 1],
    ["a record of each", "{ things(first: 20) { nodes { owner { name } } } }", 41, 40],
    ["a list of each", "{ people(first: 20) { nodes { things(first: 5) { nodes { name } } } } }", 121, 120],
    ["a total", "{ things(first: 0) { totalCount } }", 1 + prices.figure, 0],
    ["a total of each", "{ people(first: 20) { nodes { things(first: 0) { totalCount } } } }", 221, 20],
    ["measures", "{ things { aggregate { count max { name } } } }", 1 + prices.figure + 2, 0],
    [
      "steps to related records",
      '{ things(first: 20, where: {owner: {things: {some: {name: {eq: "x"}}}}}) { nodes { name } } }',
      21 + 2 * prices.step,
      20,
    ],
    ["a write", 'mutation { createThing(input: {name: "x", ownerId: "1"}) { thing { id } } }', 12, 1],
    [
      "writes of a list",
      'mutation { createThings(input: [{name: "x", ownerId: "1"}, {name: "y", ownerId: "1"}]) { affected } }',
      21 + prices.figure,
      0,
    ],
    [
      "a write of what a condition finds, up to its bound",
      'mutation { updateThings(where: {name: {eq: "x"}}, maxAffected: 7, input: {name: "y"}) { affected } }',
      71 + prices.figure,
      0,
    ],
    ["no record at all", "{ __typename }", 1, 0],
  ] as const)
    it(`${title}: ${points}`, () => {
      const charge = chargeFor(query)
      assert.deepEqual([charge.points, charge.records], [points, records])
      assert.equal(
        charge.parts.reduce((sum, part) => sum + part.points, 0),
        charge.points,
      )
    })

  it("grow with the page and with the fields' bytes, and need no row", () => {
    const [small, large] = [10, 20].map((first) =>
      chargeFor(`{ things(first: ${first}) { nodes { name } } }`),
    )
    const wide = chargeFor("{ things(first: 10) { nodes { name other: name } } }")
    assert.ok(small && large && small.bytes < large.bytes && small.bytes < wide.bytes)
    assert.equal(wide.points, small.points)
  })
})

interface Dry {
  readonly data: unknown
  readonly errors?: unknown
  readonly extensions: {
    readonly cost: {
      readonly requested: number
      readonly parts: readonly { readonly part: string; readonly points: number }[]
    }
  }
}

const listed = (first: number) =>
  `{ people(first: ${first}) { nodes { things(first: 10) { nodes { name } } } } }`

for (const database of dialects)
  describe(`a request that costs too much, ${database}`, () => {
    for (const [limit, set, message] of [
      [
        "perRequest",
        100,
        /^The request costs 111 points; at most 100 are allowed \(limit `cost\.perRequest`\)\.$/,
      ],
      [
        "records",
        100,
        /^The answer may have 110 records; at most 100 are allowed \(limit `cost\.records`\)\.$/,
      ],
      [
        "bytes",
        1_000,
        /^The answer may have [0-9,]+ bytes; at most 1,000 are allowed \(limit `cost\.bytes`\)\.$/,
      ],
    ] as const)
      it(`is refused by \`cost.${limit}\`, and says what costs most`, async (test) => {
        const { ask, get } = await openCounted(test, { cost: { [limit]: set } }, { database })
        const refused = await ask(listed(10))
        const [error] = refused.body.errors
        assert.match(error.message, message)
        assert.equal(error.extensions.code, "too_expensive")
        assert.match(error.extensions.hint, /Ask for smaller pages: most of it is for people\.things\./)
        const rest = await get("/people?limit=10&include=things&include[things][limit]=10&fields=id")
        assert.deepEqual([rest.status, rest.body.code], [422, "too_expensive"])
        if (limit !== "bytes") assert.equal(rest.body.detail, error.message)
        assert.equal((await ask(listed(1))).body.errors, undefined)
      })

    it("has a default for every service", async (test) => {
      const { ask } = await openCounted(test, {}, { database })
      const inner = "things(first: 100) { nodes { owner { name } } }"
      const query = `{ people(first: 100) { nodes { ${inner} } } }`
      assert.equal((await ask(query)).body.errors, undefined)
      const deeper = `{ people(first: 100) { nodes { things(first: 100) { nodes { owner { ${inner} } } } } } }`
      assert.equal((await ask(deeper)).body.errors?.[0].extensions.code, "too_expensive")
    })

    it("can be tried without running anything", async (test) => {
      const { ask, get, send, url } = await openCounted(test, { cost: { perRequest: 20 } }, { database })
      const headers = { "content-type": "application/json", authorization: "ada" }
      const dryRun = async (query: string) => {
        const body = JSON.stringify({ query, extensions: { dryRun: true } })
        return (await fetch(`${url}/graphql`, { method: "POST", headers, body })).json() as Promise<Dry>
      }
      const { data, extensions, errors } = await dryRun(listed(10))
      assert.deepEqual([data, errors], [null, undefined])
      assert.deepEqual(
        extensions.cost.parts.map(({ part, points }) => [part, points]),
        [
          ["", 1],
          ["people", 10],
          ["people.things", 100],
        ],
      )
      const rest = await get("/people?limit=10&include=things&include[things][limit]=10", undefined, {
        prefer: "dry-run",
      })
      assert.deepEqual(
        [
          rest.status,
          rest.headers.get("preference-applied"),
          rest.body.cost.requested,
          rest.body.cost.records,
        ],
        [200, "dry-run", 111, 110],
      )
      assert.equal(extensions.cost.requested, 111)
      const mutation = 'mutation { createThing(input: {name: "x", ownerId: "1"}) { thing { id } } }'
      assert.equal((await dryRun(mutation)).extensions.cost.requested, 12)
      const written = await fetch(`${url}/things`, {
        method: "POST",
        headers: { ...headers, prefer: "dry-run" },
        body: '{"name":"x","ownerId":"1"}',
      })
      assert.deepEqual(
        [written.status, ((await written.json()) as Dry["extensions"]).cost.requested],
        [200, 12],
      )
      const { body } = await ask("{ things(first: 0) { totalCount } }")
      assert.equal(body.data.things.totalCount, 3, "nothing was written")
      assert.equal((await send("POST", "/things", { name: "x", ownerId: "1" }, "ada")).status, 201)
      const wrong = await fetch(`${url}/graphql`, {
        method: "POST",
        headers,
        body: JSON.stringify({ query: mutation, extensions: { dryRun: "yes" } }),
      })
      assert.equal(wrong.status, 400)
    })
  })

const mistakesIn = (limits: LimitsDeclaration): readonly (readonly [place: string, message: string])[] => {
  try {
    load(counted(limits))
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems.map(({ place = [], message }) => [place.join("."), message] as const)
  }
}

describe("limits of cost that no service can have", () => {
  for (const [limits, place, message] of [
    [
      { cost: { perMinute: -1 } },
      "limits.cost.perMinute",
      /must be a whole number from 1 to 100000000, not -1/,
    ],
    [{ cost: { perRequest: 0.5 } }, "limits.cost.perRequest", /whole number/],
    [{ tiers: { pro: { concurrent: 0 } } }, "limits.tiers.pro.concurrent", /whole number/],
    [{ cost: { perRequest: 11, perMinute: 10 } }, "limits.cost.perRequest", /could never be sent/],
    [{ cost: { perRequest: 11 }, tiers: { pro: { perMinute: 10 } } }, "limits.tiers.pro.perMinute", /never/],
    [{ tiers: { "Pro Plus": {} } }, "limits.tiers.Pro Plus", /not a name of a tier/],
    [{ cost: { perHour: 1 } as object }, "limits.cost.perHour", /perHour/],
  ] as const)
    it(JSON.stringify(limits), () => {
      const [mistake, ...others] = mistakesIn(limits)
      assert.deepEqual(others, [])
      assert.equal(mistake?.[0], place)
      assert.match(mistake?.[1] ?? "", message)
    })
})
