// Two services behind a gateway of Apollo: Bifold's records, and what another service knows about them.
import assert from "node:assert/strict"
import { test } from "node:test"
import { composeServices } from "@apollo/composition"
import { LocalGraphQLDataSource } from "@apollo/gateway"
import { buildSubgraphSchema } from "@apollo/subgraph"
import { parse } from "graphql"
import { printSubgraph } from "../../../src/graphql/schema/schema.ts"
import { anyone, f, many, one, resource, role, service, viewer } from "../../../src/index.ts"
import { load } from "../../../src/model/load.ts"
import { withSystem } from "../../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../../feed/open.ts"
import { dialects, exampleRecords } from "../../support/open-service.ts"
import { AsCaller, openGateway } from "./recipe.ts"

const staff = role("staff")

const shop = service({
  name: "shop",
  roles: ["staff"],
  viewer: "customer",
  federation: true,
  resources: {
    customer: resource({
      id: "cus",
      fields: { email: f.email({ unique: true }), name: f.text() },
      relations: { orders: many("order", { by: "customer" }) },
      allow: { read: [staff, { id: { eq: viewer.id } }], create: staff },
    }),
    product: resource({
      id: "prd",
      fields: { sku: f.slug({ unique: true }), name: f.text(), price: f.decimal({ precision: 8, scale: 2 }) },
      allow: { read: anyone, create: staff },
    }),
    order: resource({
      id: "ord",
      fields: { number: f.text({ unique: true }) },
      relations: { customer: one("customer"), product: one("product") },
      allow: { read: [staff, { customer: { id: { eq: viewer.id } } }], create: staff },
    }),
  },
})

interface Reviewed {
  readonly sku?: string
  readonly id?: string
}

/** A service with graphql-js and @apollo/subgraph, whose records are its own. */
async function reviews(ids: Readonly<Record<string, string>>) {
  const sdl = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external"])
    type Query { reviews: [Review!]! }
    type Review { text: String! product: Product author: Customer }
    type Product @key(fields: "sku") { sku: Slug! reviews: [Review!]! }
    type Customer @key(fields: "id", resolvable: false) { id: ID! }
    scalar Slug
  `
  const all = [
    { text: "Good", sku: "tea", author: ids["ann"] },
    { text: "Bad", sku: "tea", author: ids["ben"] },
    { text: "Gone", sku: "gone", author: "cus_01h455vb4pex5vsknk084sn02q" },
  ]
  const resolvers = {
    Query: { reviews: () => all },
    Review: {
      product: ({ sku }: Reviewed) => ({ sku }),
      author: ({ author }: { readonly author: string }) => ({ id: author }),
    },
    Product: { reviews: ({ sku }: Reviewed) => all.filter((review) => review.sku === sku) },
  }
  return { sdl, schema: buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers }]) }
}

test("every document of the examples composes", async () => {
  for (const name of ["storefront", "gallery"] as const) {
    const sdl = printSubgraph({ ...exampleRecords(name).model, federation: true })
    const { errors, hints = [] } = composeServices([{ name, url: "http://a.example", typeDefs: parse(sdl) }])
    assert.deepEqual(errors?.map(String) ?? [], [], name)
    assert.deepEqual(hints.map(String), [], name)
  }
  // Two services of Bifold have types in common, and roots of their own.
  const { errors } = composeServices(
    [exampleRecords("storefront").model, load(withSystem(library))].map((model, at) => ({
      name: `s${at}`,
      url: `http://s${at}.example`,
      typeDefs: parse(printSubgraph({ ...model, federation: true })),
    })),
  )
  assert.deepEqual(errors?.map(String) ?? [], [])
})

const library = service({
  name: "library",
  resources: {
    book: resource({
      fields: { title: f.text(), copies: f.integer() },
      states: { initial: "in", transitions: { lend: { from: "in", to: "out" } } },
      allow: { read: anyone, create: anyone },
    }),
  },
})

for (const database of dialects)
  test(`a gateway joins two services under the rules of the caller, on ${database}`, async (t) => {
    const model = load(withSystem(shop))
    const server = await openServer(t, await openDatabase(t, database, model), model)
    const made = async (path: string, body: object) =>
      (await server.send("POST", path, "role:staff", body)).body.id
    const ann = await made("/customers", { email: "ann@example.org", name: "Ann" })
    const ben = await made("/customers", { email: "ben@example.org", name: "Ben" })
    const tea = await made("/products", { sku: "tea", name: "Tea", price: "3.50" })
    await made("/orders", { number: "A-1", customerId: ann, productId: tea })
    const other = await reviews({ ann, ben })
    const { body } = await server.send("POST", "/graphql", "role:staff", { query: "{ _service { sdl } }" })
    const { sdl } = (body as unknown as { readonly data: { readonly _service: { readonly sdl: string } } })
      .data._service
    const sent: string[] = []
    class Counted extends AsCaller {
      override willSendRequest(options: Parameters<AsCaller["willSendRequest"]>[0]): void {
        sent.push(options.request.query ?? "")
        super.willSendRequest(options)
      }
    }
    const url = `${server.url}/graphql`
    const gateway = openGateway([
      { name: "shop", url, sdl, source: new Counted({ url }) },
      {
        name: "reviews",
        url: "http://reviews.example",
        sdl: other.sdl,
        source: new LocalGraphQLDataSource(other.schema),
      },
    ])
    const { executor } = await gateway.load()
    t.after(() => gateway.stop())
    const ask = async (actor: string, query: string) => {
      sent.length = 0
      const answer = await executor({
        document: parse(query),
        request: { query, variables: {} },
        queryHash: query,
        context: { authorization: `Bearer ${actor}` },
        metrics: {},
        cache: { get: () => Promise.resolve(undefined), set: async () => {}, delete: async () => true },
      } as never)
      return JSON.parse(JSON.stringify(answer))
    }
    const reviewed = "{ reviews { text product { name price } author { name orders { nodes { number } } } } }"
    const staffSees = await ask("role:staff", reviewed)
    const good = { text: "Good", product: { name: "Tea", price: "3.50" } }
    const bad = { ...good, text: "Bad" }
    assert.deepEqual(
      staffSees.data?.reviews,
      [
        { ...good, author: { name: "Ann", orders: { nodes: [{ number: "A-1" }] } } },
        { ...bad, author: { name: "Ben", orders: { nodes: [] } } },
        { text: "Gone", product: null, author: null },
      ],
      JSON.stringify(staffSees.errors),
    )
    // One request to the service for all records of a type.
    assert.equal(sent.length, 2)
    for (const query of sent) assert.match(query, /_entities\(representations:/)
    const annSees = await ask(`customer:${ann}`, reviewed)
    const [hers, his] = annSees.data.reviews
    assert.deepEqual([hers.author.name, his.author], ["Ann", null])
    const orders = "{ orders { nodes { number product { name reviews { text } } } } }"
    assert.deepEqual((await ask(`customer:${ann}`, orders)).data, {
      orders: {
        nodes: [{ number: "A-1", product: { name: "Tea", reviews: [{ text: "Good" }, { text: "Bad" }] } }],
      },
    })
    assert.deepEqual((await ask(`customer:${ben}`, orders)).data, { orders: { nodes: [] } })
    assert.deepEqual(server.observed, [])
  })
