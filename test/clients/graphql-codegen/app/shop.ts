// A program as its author writes it; the tests generate gql/, compile it strictly, and run it.
import { graphql } from "./gql/gql.js"
import type { TypedDocumentString } from "./gql/graphql.js"

export interface Server {
  readonly url: string
  readonly authorization: string
}

/** An error that the server answered, with the codes. */
export class Refused extends Error {
  codes: readonly string[]
  constructor(codes: readonly string[]) {
    super(codes.join())
    this.codes = codes
  }
}

interface Answer<Data> {
  readonly data: Data | null
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
}

async function ask<Data, Variables>(
  { url, authorization }: Server,
  query: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors = [] } = (await answer.json()) as Answer<Data>
  if (data === null) throw new Refused(errors.map(({ extensions }) => extensions.code))
  return data
}

const Page = graphql(`
  query Page($after: String, $where: ProductWhere) {
    products(first: 10, after: $after, where: $where, orderBy: [{ field: slug }]) {
      nodes { id slug price stock attributes category { name } }
      pageInfo { endCursor hasNextPage }
    }
  }
`)

export async function slugsOfAll(
  server: Server,
  least: string,
  after: string | null = null,
): Promise<readonly string[]> {
  const { products } = await ask(server, Page, { after, where: { price: { gte: least } } })
  const { endCursor, hasNextPage } = products.pageInfo
  const found = products.nodes.map(({ slug, category }) => `${category?.name}: ${slug}`)
  return hasNextPage ? [...found, ...(await slugsOfAll(server, least, endCursor ?? null))] : found
}

const Product = graphql(`query Product($id: ID!) { product(id: $id) { etag name price } }`)
const Rename = graphql(`
  mutation Rename($id: ID!, $input: ProductUpdateInput!, $ifMatch: String) {
    updateProduct(id: $id, input: $input, ifMatch: $ifMatch) { product { name price } }
  }
`)

/** Sets a price; reads the product again where it has changed meanwhile. */
export async function setPrice(
  server: Server,
  id: string,
  price: string,
  between: () => Promise<void>,
): Promise<string> {
  const { product } = await ask(server, Product, { id })
  await between()
  try {
    const variables = { id, input: { price }, ifMatch: product?.etag ?? null }
    const { updateProduct } = await ask(server, Rename, variables)
    return `${updateProduct.product?.name} ${updateProduct.product?.price}`
  } catch (error) {
    if (error instanceof Refused && error.codes.includes("stale_version"))
      return setPrice(server, id, price, async () => {})
    throw error
  }
}

export async function mistakes(server: Server): Promise<void> {
  // @ts-expect-error a decimal is a string
  await ask(server, Page, { where: { price: { gte: 2.5, lt: {} } } })
  // @ts-expect-error there is no such member
  await ask(server, Rename, { id: "prd_1", input: { prize: "1.00" } })
  // @ts-expect-error an id is needed
  await ask(server, Product, {})
  const { products } = await ask(server, Page, {})
  // @ts-expect-error a large number is a string too, and may be null
  products.nodes[0]?.stock.toFixed()
}
