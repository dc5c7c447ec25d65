import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, type TestContext, test } from "node:test"
import { promisify } from "node:util"
import relay, { type GraphQLTaggedNode, type IEnvironment, type ReaderFragment } from "relay-runtime"
import { cleanUp } from "../../support/database.ts"
import { slugs } from "../../support/graphql-shop.ts"
import { followsNotes, renameByOthers } from "../../support/shop-requests.ts"
import { authorization, buyer, categoryId, productId, withShop } from "../../support/shop-server.ts"
import { type Artifacts, compile } from "./artifacts.ts"
import { openEnvironment } from "./recipe.ts"

interface Page {
  readonly products: {
    readonly edges: readonly { readonly node: { readonly slug: string } }[]
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean }
  }
}

interface Product {
  readonly name: string
  readonly price: string
  readonly etag: string
}

interface Mutation {
  readonly response: Record<string, unknown>
  readonly variables: Record<string, unknown>
  readonly rawResponse: Record<string, unknown>
}

const hooks = cleanUp(after)
let artifacts: Artifacts
before(async () => {
  artifacts = await compile(hooks)
})

/** The queries that were asked, by their names. */
const requests = new Map<string, GraphQLTaggedNode>()

function open(t: TestContext, url: string): IEnvironment {
  const { environment, close } = openEnvironment(url, authorization)
  t.after(() => close())
  return environment
}

/** The data of a component with this fragment, from the store. */
function lookUp(environment: IEnvironment, fragment: ReaderFragment, id: string, query: string) {
  const owner = relay.createOperationDescriptor(requests.get(query) as never, { id })
  return environment.lookup(
    relay.createReaderSelector(fragment, id, { count: 10, cursor: null }, owner.request),
  )
}

const readFragment = <Data>(...asked: Parameters<typeof lookUp>): Data => lookUp(...asked).data as Data

/** Asks the server, and keeps the answer in the store. */
async function ask(environment: IEnvironment, query: string, variables: Record<string, unknown>) {
  const request = await artifacts.request(query)
  requests.set(query, request)
  environment.retain(relay.createOperationDescriptor(request, variables))
  await relay.fetchQuery(environment, request, variables).toPromise()
}

/** Resolves with the answer to a mutation. */
async function commit<Data>(
  environment: IEnvironment,
  name: string,
  variables: Record<string, unknown>,
  optimisticResponse?: Record<string, unknown>,
): Promise<Data> {
  const mutation = await artifacts.request(name)
  return new Promise<Data>((resolve, reject) => {
    relay.commitMutation<Mutation>(environment, {
      mutation,
      variables,
      ...(optimisticResponse && { optimisticResponse }),
      onCompleted: (response, errors) => (errors?.length ? reject(errors) : resolve(response as Data)),
      onError: reject,
    })
  })
}

const refusedWith = (code: string) => (error: unknown) => {
  const { source } = error as {
    readonly source: { readonly errors: readonly { readonly extensions: { readonly code: string } }[] }
  }
  assert.deepEqual(
    source.errors.map(({ extensions }) => extensions.code),
    [code],
  )
  return true
}

test("documents compiled by relay-compiler without a warning, with types for tsc", async () => {
  assert.match(artifacts.said, /6 normalization/)
  assert.doesNotMatch(artifacts.said, /WARN|ERROR/)
  const { folder } = artifacts
  const options = { strict: true, module: "preserve", noEmit: true, skipLibCheck: true, types: [] }
  writeFileSync(
    join(folder, "use.ts"),
    `import type { shopProductsQuery$variables } from "./artifacts/shopProductsQuery.graphql"
     import type { shop_product$data } from "./artifacts/shop_product.graphql"
     export const variables: shopProductsQuery$variables = { id: "cat_1", count: 5 }
     export const price = (product: shop_product$data): string => product.price
     // @ts-expect-error the price is a string, so that no digit is lost
     export const sum = (product: shop_product$data): number => product.price`,
  )
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["use.ts"] }),
  )
  const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc")
  await promisify(execFile)(process.execPath, [tsc, "-p", folder])
})

withShop("Relay", (shop) => {
  test("pages of a connection joined, asked for by `node(id)`", async (t) => {
    const environment = open(t, shop().url)
    const fragment = await artifacts.fragment("shop_products")
    const page = () => readFragment<Page>(environment, fragment, categoryId, "shopCategoryQuery").products
    await ask(environment, "shopCategoryQuery", { id: categoryId })
    for (const last of [10, 20, 25]) {
      assert.deepEqual(
        page().edges.map(({ node }) => node.slug),
        slugs(1, last),
      )
      const cursor = page().pageInfo.endCursor
      await ask(environment, "shopProductsQuery", { id: categoryId, count: 10, cursor })
    }
    assert.equal(page().pageInfo.hasNextPage, false)
  })

  test("a fragment fetched again by `node(id)`", async (t) => {
    const environment = open(t, shop().url)
    const id = productId(3)
    await ask(environment, "shopCategoryQuery", { id: categoryId })
    await renameByOthers(shop(), id, "Theirs")
    const fragment = await artifacts.fragment("shop_product")
    const name = () => readFragment<Product>(environment, fragment, id, "shopCategoryQuery").name
    assert.equal(name(), "Product 3")
    await ask(environment, "shopProductQuery", { id })
    assert.equal(name(), "Theirs")
  })

  test("an optimistic write rolled back when it is refused", async (t) => {
    const environment = open(t, shop().url)
    const id = productId(1)
    await ask(environment, "shopProductQuery", { id })
    const fragment = await artifacts.fragment("shop_product")
    const read = () => readFragment<Product>(environment, fragment, id, "shopProductQuery")
    const before = read()
    const names: string[] = []
    const watching = environment.subscribe(
      lookUp(environment, fragment, id, "shopProductQuery"),
      ({ data }) => void names.push((data as unknown as Product).name),
    )
    t.after(() => watching.dispose())
    const input = { name: "Tentative", price: "1.005" }
    const product = { ...before, id, ...input }
    const refused = commit(environment, "shopRenameMutation", { id, input }, { updateProduct: { product } })
    await assert.rejects(refused, refusedWith("invalid_value"))
    await commit(environment, "shopRenameMutation", { id, input: { name: "Final" } })
    assert.deepEqual(names, ["Tentative", before.name, "Final"])
  })

  test("a conflict found by `ifMatch` and solved", async (t) => {
    const environment = open(t, shop().url)
    const id = productId(2)
    const fragment = await artifacts.fragment("shop_product")
    const read = async () => {
      await ask(environment, "shopProductQuery", { id })
      return readFragment<Product>(environment, fragment, id, "shopProductQuery")
    }
    const rename = ({ etag }: Product) =>
      commit<{ updateProduct: { product: Product } }>(environment, "shopRenameMutation", {
        id,
        input: { price: "3.00" },
        ifMatch: etag,
      })
    const first = await read()
    await renameByOthers(shop(), id, "Theirs")
    await assert.rejects(rename(first), refusedWith("stale_version"))
    const { name, price } = (await rename(await read())).updateProduct.product
    assert.deepEqual([name, price], ["Theirs", "3.00"])
  })

  test("lost answers got by the same `Idempotency-Key`", async (t) => {
    const { url, lost } = await shop().proxied(2)
    const environment = open(t, url)
    const input = { ...buyer, number: "G-1", total: "12.50" }
    const { createOrder } = await commit<{ createOrder: { order: { number: string } } }>(
      environment,
      "shopCreateMutation",
      { input },
    )
    assert.deepEqual([createOrder.order.number, lost()], ["G-1", 2])
  })

  test("a subscription over `graphql-ws`", async (t) => {
    const environment = open(t, shop().url)
    const notes: unknown[] = []
    const faults: unknown[] = []
    const following = relay.requestSubscription(environment, {
      subscription: await artifacts.request("shopOrdersSubscription"),
      variables: {},
      onNext: (data) =>
        void notes.push((data as { orderChanges: { order: { note: string } } }).orderChanges.order.note),
      onError: (error) => void faults.push(error),
    })
    t.after(() => following.dispose())
    await followsNotes(shop(), "S-2", notes)
    assert.deepEqual(faults, [])
  })
})
