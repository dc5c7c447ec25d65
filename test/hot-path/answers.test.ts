// What is kept between requests never shows in an answer: faces that have answered before answer as new ones do.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import fc from "fast-check"
import type { FaceResponse } from "../../src/http/face.ts"
import { questions } from "../properties/generate.ts"
import type { OrderQuestion } from "../properties/question.ts"
import { spellGraphql } from "../properties/spell-graphql.ts"
import { spellRest } from "../properties/spell-rest.ts"
import { cleanUp } from "../support/database.ts"
import { connectFaces, exampleRecords, type OpenService, openService } from "../support/open-service.ts"
import { worldOf } from "../support/world.ts"

const { model, bare, stored } = exampleRecords("gallery")
const world = worldOf(model, bare)
const settings = { numRuns: 150, seed: 20_261_121, endOnFailure: true }

const keyed = [...model.resources.values()].filter(({ key }) => key)
const idsOf = (name: string): readonly string[] =>
  (world.rows.get(name) ?? []).map((row) => String(row["id"]))
const ids = [...keyed.flatMap(({ name }) => idsOf(name).slice(0, 5)), "nothing", "x_1", ""]

const hooks = cleanUp(after)
let warm: OpenService
before(async () => {
  warm = await openService(hooks, { model, records: stored, database: "sqlite" })
})

/** As a new process would answer. */
const cold = (): OpenService => connectFaces(model, warm.storage)

async function answersAlike(ask: (service: OpenService) => Promise<FaceResponse>): Promise<FaceResponse> {
  const expected = await ask(cold())
  assert.deepEqual(await ask(warm), expected)
  const { compiled } = warm.engine
  // What is asked a second time is kept, and found from the third time on.
  for (const _ of [2, 3]) assert.deepEqual(await ask(warm), expected)
  assert.equal(warm.engine.compiled, compiled, "what was asked a moment ago is known")
  return expected
}

describe("documents and addresses", () => {
  test("have the same answer the first time, again, and by faces that were asked much else", async () => {
    await fc.assert(
      fc.asyncProperty(questions(world), async ({ resource: name, list }) => {
        const resource = model.resources.get(name)
        assert.ok(resource)
        const request = spellGraphql(model, resource, list, {})
        await answersAlike((service) => service.graphql({ body: request }))
        const [path = "", query = ""] = spellRest(resource, list, {}).split("?")
        await answersAlike((service) => service.rest({ method: "GET", path, query }))
      }),
      settings,
    )
  })
})

/** Every argument and directive takes a variable, so that there is one document for each resource. */
const documents = new Map(
  keyed.map(({ name, type, collection }) => [
    name,
    `query ($where: ${type}Where, $orderBy: [${type}OrderBy!], $first: Int, $last: Int, $after: String,
      $more: Boolean! = false, $less: Boolean = true, $id: ID!, $node: ID!, $ids: [ID!] = ["x_1"]) {
      list: ${collection}(where: $where, orderBy: $orderBy, first: $first, last: $last, after: $after) {
        nodes { id @skip(if: $less) kind: __typename }
        pageInfo { endCursor hasNextPage startCursor }
        totalCount @include(if: $more)
      }
      some: ${collection}(first: 2) @include(if: $more) { edges { cursor } }
      one: ${name}(id: $id) { id }
      any: node(id: $node) { id __typename }
      several: nodes(ids: $ids) { id }
    }`,
  ]),
)

/** Few shapes with many values, so that most requests meet a plan that was made for another one. */
const aboutIds = fc.oneof(
  fc.record({ eq: fc.constantFrom(...ids) }),
  fc.record({ ne: fc.constantFrom(...ids) }),
  fc.record({ in: fc.array(fc.constantFrom(...ids), { maxLength: 20 }) }),
  fc.record({ notIn: fc.array(fc.constantFrom(...ids), { maxLength: 3 }) }),
)

/** Some absent, some null, some wrong; a question is a condition or an order of much variety. */
const givenVariables = fc.record(
  {
    where: fc.oneof(
      fc.constantFrom("question", null),
      aboutIds.map((id) => ({ id })),
      aboutIds.map((id) => ({ not: { id } })),
    ),
    orderBy: fc.constantFrom("question", null, [{ field: "id" }], [{ field: "id", direction: "DESC" }]),
    first: fc.constantFrom(1, 2, 50, null, null, null),
    last: fc.constantFrom(null, null, 1, 2, 3, 1_000),
    after: fc.constantFrom(null, "cursor", "cursor", "cursor", "not a cursor"),
    more: fc.constantFrom(true, false, true, false, true, false, null),
    less: fc.constantFrom(true, false, true, false, true, false, null),
    id: fc.constantFrom(...ids),
    node: fc.oneof(fc.constant(""), fc.constantFrom(...ids)),
    ids: fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...ids), { maxLength: 3 })),
  },
  { requiredKeys: ["id", "node"] },
)

describe("one document with ever other variables", () => {
  test("is answered by what these variables say", async () => {
    const cursors = new Map<string, string>()
    let refused = 0
    let answered = 0
    await fc.assert(
      fc.asyncProperty(questions(world), givenVariables, async ({ resource, list }, given) => {
        const order = JSON.stringify(given.orderBy === "question" ? list.order : (given.orderBy ?? null))
        const variables = {
          ...given,
          ...(given.where === "question" ? { where: list.where ?? {} } : {}),
          ...(given.orderBy === "question" ? { orderBy: list.order.map(orderJson) } : {}),
          ...(given.after === "cursor" ? { after: cursors.get(`${resource}${order}`) ?? null } : {}),
        }
        const body = { query: documents.get(resource), variables }
        const expected = await cold().graphql({ body })
        const { data, errors } = JSON.parse(expected.body)
        const found = await warm.graphql({ body })
        assert.ok(
          found.body === expected.body,
          `${JSON.stringify(variables)} gives ${found.body.slice(0, 500)}`,
        )
        assert.deepEqual(found, expected)
        if (errors) refused += 1
        else answered += 1
        if (data?.list.pageInfo.endCursor) cursors.set(`${resource}${order}`, data.list.pageInfo.endCursor)
      }),
      { ...settings, numRuns: 400 },
    )
    assert.ok(refused > 100 && answered > 100, `${refused} refused, ${answered} answered`)
  })
})

const orderJson = ({ path, descending, nulls }: OrderQuestion): unknown =>
  path.slice(0, -1).reduceRight<unknown>((inner, relation) => ({ [relation]: inner }), {
    field: path.at(-1),
    ...(descending ? { direction: "DESC" } : {}),
    ...(nulls ? { nulls: nulls.toUpperCase() } : {}),
  })

describe("one address with ever other values", () => {
  const target = fc.record({
    resource: fc.constantFrom(...keyed),
    id: fc.constantFrom(...ids.filter((id) => id !== "")),
    limit: fc.constantFrom("0", "1", "2", "50", "-1", "x", "1000"),
    total: fc.constantFrom("true", "false"),
    from: fc.constantFrom("start", "end"),
    several: fc.array(fc.constantFrom(...ids), { maxLength: 4 }),
    form: fc.constantFrom("list", "filtered", "json", "record", "node", "nodes", "counted"),
  })
  test("is answered by what these values say", async () => {
    await fc.assert(
      fc.asyncProperty(target, async ({ resource, id, limit, total, from, several, form }) => {
        const { path } = resource
        const key = encodeURIComponent(id)
        const [address, query] = {
          list: [`/${path}`, `limit=${limit}`],
          filtered: [`/${path}`, `filter[id][in]=${several.map(encodeURIComponent).join()}&limit=${limit}`],
          json: [
            `/${path}`,
            `filter=${encodeURIComponent(JSON.stringify({ id: { eq: id } }))}&total=${total}`,
          ],
          record: [`/${path}/${key}`, ""],
          node: [`/nodes/${key}`, ""],
          nodes: ["/nodes", `ids=${several.map(encodeURIComponent).join()}`],
          counted: [`/${path}`, `total=${total}&from=${from}&limit=${limit}`],
        }[form] as [string, string]
        const ask = (service: OpenService) => service.rest({ method: "GET", path: address, query })
        assert.deepEqual(await ask(warm), await ask(cold()), `${address}?${query}`)
      }),
      { ...settings, numRuns: 400 },
    )
  })
})
