import { initGraphQLTada } from "gql.tada"
import type { introspection } from "./introspection.js" // made by `gql.tada generate-output`

export const graphql = initGraphQLTada<{
  introspection: introspection
  disableMasking: true
  scalars: {
    Bytes: string
    Date: string
    Decimal: string // exact, as the API sends it
    Email: string
    Int64: string
    JSON: unknown
    Slug: string
    Time: string
    Timestamp: string
    URL: string
    UUID: string
  }
}>()
