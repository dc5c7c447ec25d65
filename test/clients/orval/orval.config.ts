import { defineConfig } from "orval"

const shop = { path: "app/shop.ts", name: "shop", extension: ".ts" }
const override = {
  mutator: shop,
  fetch: { includeHttpResponseReturnType: false },
  query: { version: 5 },
} as const

/** Schemas that are generated for each operation. */
const answers = { response: true, body: false, param: false, query: false, header: false }

export default defineConfig({
  fetch: {
    input: "generated/openapi.json",
    output: { target: "generated/shop-fetch.ts", client: "fetch", override },
  },
  query: {
    input: "generated/openapi.json",
    output: { target: "generated/shop-query.ts", client: "react-query", httpClient: "fetch", override },
  },
  zod: {
    input: "generated/openapi.json",
    output: { target: "generated/shop-zod.ts", client: "zod", override: { zod: { generate: answers } } },
  },
})
