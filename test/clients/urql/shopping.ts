import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { type AnyVariables, type Client, gql, type TypedDocumentNode } from "@urql/core"
import type { CacheExchangeOpts } from "@urql/exchange-graphcache"
import { getIntrospectionQuery } from "graphql"
import * as documents from "../../support/graphql-shop.ts"
import { slugs } from "../../support/graphql-shop.ts"
import { followsNotes, renameByOthers } from "../../support/shop-requests.ts"
import { authorization, buyer, productId, type ShopServer, withShop } from "../../support/shop-server.ts"
import { openClient } from "./recipe.ts"

const productPage = gql<documents.ProductPage, { after?: string | null }>(documents.productPage)
const oneProduct = gql<{ product: documents.Product | null }, { id: string }>(documents.oneProduct)
const renameProduct = gql<documents.RenamedProduct, { id: string; input: object; ifMatch?: string }>(
  documents.renameProduct,
)
const createOrder = gql<documents.CreatedOrder, { input: object }>(documents.createOrder)
const followOrders = gql<documents.FollowedOrder>(documents.followOrders)

async function open({ url }: ShopServer, at = url): Promise<Client> {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  })
  const { data } = (await answer.json()) as { readonly data: NonNullable<CacheExchangeOpts["schema"]> }
  return openClient(at, authorization, {
    schema: data,
    optimistic: {
      updateProduct({ id, input }, cache) {
        const before = cache.readFragment(gql`fragment Before on Product { id slug name price etag }`, { id })
        return before && { __typename: "ProductPayload", product: { ...before, ...(input as object) } }
      },
    },
  })
}

/** Graphcache warns of what it cannot keep, such as objects without a key. */
function warningsOf(t: TestContext): readonly string[] {
  const warnings: string[] = []
  const warn = t.mock.method(console, "warn", (text: unknown) => void warnings.push(String(text)))
  t.after(() => warn.mock.restore())
  return warnings
}

const codesOf = (error: { readonly graphQLErrors: readonly { readonly extensions: object }[] } | undefined) =>
  error?.graphQLErrors.map(({ extensions }) => (extensions as { readonly code?: string }).code)

async function ask<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  requestPolicy: "cache-first" | "network-only" = "cache-first",
): Promise<Data> {
  const { data, error } = await client.query(document, variables, { requestPolicy })
  assert.equal(error, undefined)
  assert.ok(data)
  return data
}

withShop("urql", (shop) => {
  test("pages joined by `relayPagination`", async (t) => {
    const warnings = warningsOf(t)
    const client = await open(shop())
    let after: string | null = null
    for (const last of [10, 20, 25]) {
      const { edges, pageInfo }: documents.ProductPage["products"] = (
        await ask(client, productPage, { after })
      ).products
      assert.deepEqual(
        edges.map(({ node }) => node.slug),
        slugs(1, last),
      )
      after = pageInfo.endCursor
    }
    assert.deepEqual(warnings, [])
  })

  test("records shared by lists and single reads in Graphcache", async (t) => {
    const warnings = warningsOf(t)
    const client = await open(shop())
    const id = productId(3)
    await ask(client, productPage, {})
    await renameByOthers(shop(), id, "Theirs")
    await ask(client, oneProduct, { id })
    const { products } = await ask(client, productPage, {})
    assert.equal(products.edges[2]?.node.name, "Theirs", "the list shows what the single read has brought")
    assert.deepEqual(warnings, [])
  })

  test("an optimistic write rolled back when it is refused", async (t) => {
    const warnings = warningsOf(t)
    const client = await open(shop())
    const id = productId(1)
    const names: (string | undefined)[] = []
    await ask(client, oneProduct, { id })
    const watching = client
      .query(oneProduct, { id })
      .subscribe(({ data }) => void names.push(data?.product?.name))
    t.after(() => watching.unsubscribe())
    const input = { name: "Tentative", price: "1.005" }
    const { error } = await client.mutation(renameProduct, { id, input })
    assert.deepEqual(codesOf(error), ["invalid_value"])
    await client.mutation(renameProduct, { id, input: { name: "Final" } })
    assert.deepEqual(
      names.filter((name, index) => name !== names[index - 1]),
      ["Product 1", "Tentative", "Product 1", "Final"],
    )
    assert.deepEqual(warnings, [])
  })

  test("a conflict found by `ifMatch` and solved", async () => {
    const client = await open(shop())
    const id = productId(2)
    const read = async () => {
      const { product } = await ask(client, oneProduct, { id }, "network-only")
      assert.ok(product)
      return product
    }
    const rename = ({ etag }: documents.Product) =>
      client.mutation(renameProduct, { id, input: { price: "3.00" }, ifMatch: etag })
    const first = await read()
    await renameByOthers(shop(), id, "Theirs")
    assert.deepEqual(codesOf((await rename(first)).error), ["stale_version"])
    const { product } = (await rename(await read())).data?.updateProduct ?? {}
    assert.deepEqual([product?.name, product?.price], ["Theirs", "3.00"])
  })

  test("lost answers got by the same `Idempotency-Key`", async () => {
    const { url, lost } = await shop().proxied(2)
    const client = await open(shop(), url)
    const input = { ...buyer, number: "G-1", total: "12.50" }
    const { data, error } = await client.mutation(createOrder, { input })
    assert.equal(error, undefined)
    assert.equal(data?.createOrder.order.number, "G-1")
    assert.equal(lost(), 2)
  })

  test("automatic persisted queries", async () => {
    const { url, bodies } = await shop().proxied()
    for (const _ of [1, 2]) {
      const { products } = await ask(await open(shop(), url), productPage, {})
      assert.equal(products.edges.length, 10)
    }
    const sent = bodies.map((body) => JSON.parse(body) as { query?: string; extensions: object })
    assert.ok(sent.every(({ extensions }) => "persistedQuery" in extensions))
    assert.equal(sent.at(-1)?.query, undefined, "the digest alone")
  })

  test("a subscription over server-sent events", async (t) => {
    const client = await open(shop())
    const notes: unknown[] = []
    const following = client
      .subscription(followOrders, {})
      .subscribe(({ data }) => void notes.push(data?.orderChanges.order?.note))
    t.after(() => following.unsubscribe())
    await followsNotes(shop(), "S-2", notes)
  })
})
