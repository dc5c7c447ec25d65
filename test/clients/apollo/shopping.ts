import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { CombinedGraphQLErrors, gql, type TypedDocumentNode } from "@apollo/client"
import * as documents from "../../support/graphql-shop.ts"
import { slugs } from "../../support/graphql-shop.ts"
import { followsNotes, renameByOthers } from "../../support/shop-requests.ts"
import { authorization, buyer, productId, withShop } from "../../support/shop-server.ts"
import { openClient } from "./recipe.ts"

interface Renaming {
  readonly id: string
  readonly input: object
  readonly ifMatch?: string
}

const productPage: TypedDocumentNode<documents.ProductPage, { after?: string | null }> = gql(
  documents.productPage,
)
const oneProduct: TypedDocumentNode<{ product: documents.Product | null }, { id: string }> = gql(
  documents.oneProduct,
)
const renameProduct: TypedDocumentNode<documents.RenamedProduct, Renaming> = gql(documents.renameProduct)
const createOrder: TypedDocumentNode<documents.CreatedOrder, { input: object }> = gql(documents.createOrder)
const followOrders: TypedDocumentNode<documents.FollowedOrder, Record<string, never>> = gql(
  documents.followOrders,
)

function open(t: TestContext, url: string) {
  const { client, close } = openClient(url, authorization)
  t.after(async () => {
    client.stop()
    await close()
  })
  return client
}

const codesOf = (error: unknown): readonly unknown[] =>
  CombinedGraphQLErrors.is(error) ? error.errors.map(({ extensions }) => extensions?.["code"]) : [error]

withShop("Apollo Client", (shop) => {
  test("pages joined by `relayStylePagination`", async (t) => {
    const client = open(t, shop().url)
    await client.query({ query: productPage, variables: {} })
    const query = client.watchQuery({ query: productPage, variables: {} })
    const watching = query.subscribe(() => {})
    t.after(() => watching.unsubscribe())
    const shown = () => client.readQuery({ query: productPage, variables: {} })?.products
    assert.deepEqual(
      shown()?.edges.map(({ node }) => node.slug),
      slugs(1, 10),
    )
    for (const last of [20, 25]) {
      await query.fetchMore({ variables: { after: shown()?.pageInfo.endCursor ?? null } })
      assert.deepEqual(
        shown()?.edges.map(({ node }) => node.slug),
        slugs(1, last),
      )
    }
    assert.equal(shown()?.pageInfo.hasNextPage, false)
  })

  test("records found in the cache by their id", async (t) => {
    const { url, bodies } = await shop().proxied()
    const client = open(t, url)
    await client.query({ query: productPage, variables: {} })
    const asked = bodies.length
    const { data } = await client.query({ query: oneProduct, variables: { id: productId(3) } })
    assert.equal(data?.product?.slug, "product-03")
    assert.equal(bodies.length, asked, "the list holds the record already")
  })

  test("an optimistic write rolled back when it is refused", async (t) => {
    const client = open(t, shop().url)
    const id = productId(1)
    const before = (await client.query({ query: oneProduct, variables: { id } })).data?.product
    assert.ok(before)
    const names: (string | undefined)[] = []
    const watching = client
      .watchQuery({ query: oneProduct, variables: { id } })
      .subscribe(({ data }) => void names.push((data as { product?: documents.Product })?.product?.name))
    t.after(() => watching.unsubscribe())
    const product = { ...before, __typename: "Product" as const, name: "Tentative" }
    const refused = client.mutate({
      mutation: renameProduct,
      variables: { id, input: { name: "Tentative", price: "1.005" } },
      optimisticResponse: { updateProduct: { product } },
    })
    await assert.rejects(refused, (error) => {
      assert.deepEqual(codesOf(error), ["invalid_value"])
      return true
    })
    await client.mutate({ mutation: renameProduct, variables: { id, input: { name: "Final" } } })
    assert.deepEqual(
      names.filter((name, index) => name !== names[index - 1]),
      ["Product 1", "Tentative", "Product 1", "Final"],
    )
  })

  test("a conflict found by `ifMatch` and solved", async (t) => {
    const client = open(t, shop().url)
    const id = productId(2)
    const read = async () => {
      const options = { query: oneProduct, variables: { id }, fetchPolicy: "network-only" } as const
      const product = (await client.query(options)).data?.product
      assert.ok(product)
      return product
    }
    const rename = ({ etag }: documents.Product) =>
      client.mutate({
        mutation: renameProduct,
        variables: { id, input: { price: "3.00" }, ifMatch: etag },
      })
    const first = await read()
    await renameByOthers(shop(), id, "Theirs")
    await assert.rejects(rename(first), (error) => {
      assert.deepEqual(codesOf(error), ["stale_version"])
      return true
    })
    const { data } = await rename(await read())
    const { name, price } = data?.updateProduct.product ?? {}
    assert.deepEqual([name, price], ["Theirs", "3.00"])
  })

  test("lost answers got by the same `Idempotency-Key`", async (t) => {
    const { url, lost, bodies } = await shop().proxied(2)
    const client = open(t, url)
    const input = { ...buyer, number: "G-1", total: "12.50" }
    const { data } = await client.mutate({ mutation: createOrder, variables: { input } })
    assert.equal(data?.createOrder.order.number, "G-1")
    assert.deepEqual([lost(), bodies.length >= 3], [2, true])
  })

  test("automatic persisted queries", async (t) => {
    const { url, bodies } = await shop().proxied()
    for (const asked of [1, 2]) {
      const client = open(t, url)
      const { data } = await client.query({ query: productPage, variables: {} })
      assert.equal(data?.products.edges.length, 10, `time ${asked}`)
    }
    const withText = bodies.map((body) => "query" in JSON.parse(body))
    assert.ok(bodies.every((body) => "persistedQuery" in JSON.parse(body).extensions))
    // The same document may have been sent by a test before.
    assert.equal(withText.at(-1), false, "the digest alone")
    assert.ok(withText.filter(Boolean).length <= 1)
  })

  test("a subscription over `graphql-ws`", async (t) => {
    const client = open(t, shop().url)
    const notes: unknown[] = []
    const following = client
      .subscribe({ query: followOrders })
      .subscribe(({ data }) => void notes.push(data?.orderChanges.order?.note))
    t.after(() => following.unsubscribe())
    await followsNotes(shop(), "S-2", notes)
  })
})
