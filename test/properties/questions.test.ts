// Random questions, asked by both faces on both databases, and of the naive evaluator: all answers are equal.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import fc from "fast-check"
import { present } from "../../src/base/invariant.ts"
import type { Resource } from "../../src/model/model.ts"
import type { Records, Row } from "../../src/sql/write/insert.ts"
import { cleanUp } from "../support/database.ts"
import {
  connectFaces,
  dialects,
  exampleRecords,
  type OpenService,
  openService,
} from "../support/open-service.ts"
import { unlimited } from "../support/unlimited.ts"
import { worldOf } from "../support/world.ts"
import { evaluateList, type World } from "./evaluate.ts"
import { questions } from "./generate.ts"
import type { ListAnswer, OrderQuestion, Question } from "./question.ts"
import { type Bounds, readGraphql, spellGraphql } from "./spell-graphql.ts"
import { readRest, spellRest } from "./spell-rest.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
/** Questions per service: each is asked five times. */
const runs = full ? 10_000 : 60

/** PostgreSQL finds the rows of what may be slow in another way. */
const asIfSlow = "postgres, as if slow"

const services = { storefront: smallStorefront, gallery: () => exampleRecords("gallery") }

for (const [name, records] of Object.entries(services)) {
  describe(`random questions to the ${name}`, () => {
    const hooks = cleanUp(after)
    const { model: limited, bare, stored } = records()
    const model = unlimited(limited)
    const world = worldOf(model, bare)
    const open = new Map<string, OpenService>()
    before(async () => {
      for (const database of dialects)
        open.set(database, await openService(hooks, { model, records: stored, database }))
      const { storage } = present(open.get("postgres"), "PostgreSQL is open")
      const { slow } = storage.dialects
      // What it counts is still asked of the storage itself.
      const slowly = { value: { ...storage.dialects, prompt: slow, usual: slow } }
      open.set(asIfSlow, connectFaces(model, Object.create(storage, { dialects: slowly })))
    })

    test("have the answer that the documentation says, by both faces on both databases", async () => {
      let asked = 0
      let rows = 0
      await fc.assert(
        fc.asyncProperty(questions(world), async (question) => {
          const resource = resourceOf(world, question.resource)
          const expected = evaluateList(world, resource, world.rows.get(resource.name) ?? [], question.list)
          for (const [database, service] of open) {
            const bounds = await boundsOf(service, resource, question)
            const asks = database === asIfSlow ? [askRest] : [askGraphql, askRest]
            for (const ask of asks)
              assert.deepEqual(
                await ask(service, resource, { question, bounds }),
                expected,
                `${ask.name}, ${database}`,
              )
            asked += asks.length
          }
          rows += expected.rows.length
        }),
        {
          numRuns: runs,
          endOnFailure: true,
          ...(full ? {} : { seed: 20_261_121 }),
        },
      )
      assert.ok(asked >= runs * 5 && rows > runs, `${asked} questions with ${rows} rows`)
    })

    test("find an evaluator that is wrong about missing values", async () => {
      const service = open.get("sqlite")
      assert.ok(service)
      const wrong = await fc.check(
        fc.asyncProperty(questions(world), async (question) => {
          const resource = resourceOf(world, question.resource)
          const forgetful = { ...question.list, order: question.list.order.map(nullsElsewhere) }
          const expected = evaluateList(world, resource, world.rows.get(resource.name) ?? [], forgetful)
          const bounds = await boundsOf(service, resource, question)
          assert.deepEqual(await askRest(service, resource, { question, bounds }), expected)
        }),
        { numRuns: 200, endOnFailure: true },
      )
      assert.ok(wrong.failed)
    })
  })
}

const nullsElsewhere = (term: OrderQuestion): OrderQuestion => ({
  ...term,
  nulls: term.nulls === "first" ? "last" : "first",
})

interface Asked {
  readonly question: Question
  readonly bounds: Bounds
}

function resourceOf(world: World, name: string): Resource {
  const resource = world.model.resources.get(name)
  assert.ok(resource)
  return resource
}

async function askGraphql(
  service: OpenService,
  resource: Resource,
  { question, bounds }: Asked,
): Promise<ListAnswer> {
  const { query, variables } = spellGraphql(service.model, resource, question.list, bounds)
  const sent = service.storage.sent
  const response = await service.graphql({ body: { query, variables } })
  const { data, errors } = JSON.parse(response.body)
  assert.equal(errors, undefined, `${query}\n${JSON.stringify(variables)}\n${response.body}`)
  assert.equal(service.storage.sent - sent, 1)
  return readGraphql(question.list, data.list)
}

async function askRest(
  service: OpenService,
  resource: Resource,
  { question, bounds }: Asked,
): Promise<ListAnswer> {
  const address = spellRest(resource, question.list, bounds)
  const [path = "", query = ""] = address.split("?")
  const sent = service.storage.sent
  const response = await service.rest({ method: "GET", path, query })
  assert.equal(response.status, 200, `${decodeURIComponent(address)}\n${response.body}`)
  assert.equal(service.storage.sent - sent, 1)
  return readRest(question.list, JSON.parse(response.body))
}

/** The cursors at the question's positions, from one row of the list in the same order without its condition. */
async function boundsOf(service: OpenService, resource: Resource, { list }: Question): Promise<Bounds> {
  const cursorAt = async (position: number): Promise<string> => {
    const { where: _, ...rest } = list
    const upTo = {
      ...rest,
      page: { size: 100, backward: false },
      total: false,
      select: { scalars: [], ones: [], manys: [] },
    }
    let cursor: string | undefined
    for (let left = position + 1; left > 0; left -= 100) {
      const page = { ...upTo, page: { ...upTo.page, size: Math.min(left, 100) } }
      const { query, variables } = spellGraphql(
        service.model,
        resource,
        page,
        cursor === undefined ? {} : { after: cursor },
      )
      const response = await service.graphql({ body: { query, variables } })
      cursor = JSON.parse(response.body).data.list.pageInfo.endCursor
    }
    assert.ok(cursor)
    return cursor
  }
  return {
    ...(list.page.after === undefined ? {} : { after: await cursorAt(list.page.after) }),
    ...(list.page.before === undefined ? {} : { before: await cursorAt(list.page.before) }),
  }
}

/** What the service computes: no order of the example has a discount. */
function withDue(order: Row): Row {
  return { ...order, due: order["total"] ?? null }
}

/** Some sixty orders of the storefront with everything that belongs to them: small enough for the naive evaluator. */
function smallStorefront(): ReturnType<typeof exampleRecords> {
  const { model, stored } = exampleRecords("storefront")
  const all = (name: string): readonly Row[] => stored.records.get(name) ?? []
  const orders = all("order").filter((_, index) => index % 160 === 0)
  const of = (name: string, member: string, owners: readonly Row[], key: string): readonly Row[] => {
    const wanted = new Set(owners.map((row) => row[key]))
    return all(name).filter((row) => wanted.has(row[member] ?? null))
  }
  const lines = of("orderLine", "orderId", orders, "id")
  const products = of("product", "id", lines, "productId").slice(0, 80)
  const known = new Set(products.map((row) => row["id"]))
  const customers = [...of("customer", "id", orders, "customerId"), ...all("customer").slice(-3)]
  const records: Records = {
    records: new Map([
      ["customer", customers],
      ["address", of("address", "customerId", customers, "id")],
      ["category", all("category")],
      ["product", products],
      ["tag", all("tag")],
      ["coupon", all("coupon")],
      ["order", orders],
      ["orderLine", lines.filter((row) => known.has(row["productId"] ?? null))],
      ["payment", of("payment", "orderId", orders, "id")],
      ["shipment", of("shipment", "orderId", orders, "id")],
    ]),
    links: stored.links.map((link) => ({ ...link, pairs: link.pairs.filter(([from]) => known.has(from)) })),
  }
  const computed = { ...records, records: new Map([...records.records, ["order", orders.map(withDue)]]) }
  return { model, stored: records, bare: computed as ReturnType<typeof exampleRecords>["bare"] }
}
