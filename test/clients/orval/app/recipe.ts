import { QueryClient } from "@tanstack/react-query"
import { createProduct, listProducts, type ProductCreate } from "../generated/shop-fetch.ts"
import { getListProductsQueryOptions } from "../generated/shop-query.ts"
import { ListProductsResponse } from "../generated/shop-zod.ts"

const cheap = { filter: JSON.stringify({ price: { lt: "4" } }), sort: ["slug"] }

/** By plain functions, with the answer validated. */
export async function listCheap(): Promise<readonly string[]> {
  const { data } = ListProductsResponse.parse(await listProducts(cheap))
  return data.map(({ slug }) => slug)
}

/** By the options that hooks such as `useListProducts` take too. */
export async function queryCheap(client = new QueryClient()): Promise<readonly string[]> {
  const { data } = await client.fetchQuery(getListProductsQueryOptions(cheap))
  return data.map(({ slug }) => slug)
}

export const create = (product: ProductCreate) => createProduct(product)
export { connection } from "./shop.ts"
export { ListProductsResponse }
