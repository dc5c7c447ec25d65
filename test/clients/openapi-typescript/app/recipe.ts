import createClient from "openapi-fetch"
import type { components, paths } from "../generated/schema.ts"

type Product = components["schemas"]["Product"]

/** `detail` counts the mistakes where there are several; `errors` has each of them. */
const refusal = ({ errors }: components["schemas"]["Problem"]) =>
  new Error(errors.map(({ detail, hint }) => (hint ? `${detail} ${hint}` : detail)).join("\n"))

export function openShop(baseUrl: string, authorization: string) {
  const { GET, POST } = createClient<paths>({ baseUrl, headers: { authorization } })
  return {
    async products(
      query: paths["/products"]["get"]["parameters"]["query"] = {},
    ): Promise<readonly Product[]> {
      const { data, error } = await GET("/products", { params: { query } })
      if (!data) throw refusal(error)
      const { next } = data.page
      return next ? [...data.data, ...(await this.products({ ...query, after: next }))] : data.data
    },
    async createProduct(body: components["schemas"]["ProductCreate"]) {
      const { data, error } = await POST("/products", { body })
      if (!data) throw refusal(error)
      return data
    },
  }
}
