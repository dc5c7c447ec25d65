// The cache of documents: what is read again, what is forgotten.
import assert from "node:assert/strict"
import { test } from "node:test"
import { CacheBudget, RequestCache } from "../../src/base/caches.ts"
import { createDocumentCache } from "../../src/graphql/document/document-cache.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { model } from "./bookshop.ts"

const schema = buildSchema(model)
const open = (most: number) => {
  const cache = new RequestCache(new CacheBudget(most))
  return { cache, documents: createDocumentCache(schema, { introspection: true, cache }) }
}

test("a text is parsed and validated once, whether it is sound or not", () => {
  const { documents, cache } = open(100_000)
  for (const text of ["{ __typename }", "{ nothing }", "{"]) {
    assert.equal(documents.read(text), documents.read(text))
  }
  assert.deepEqual([cache.count, cache.weight], [3, 3_634])
})

test("of more documents than there is room for, the least recently used are forgotten", () => {
  const { documents, cache } = open(4_000)
  const first = documents.read("{ a: __typename }")
  documents.read("{ b: __typename }")
  documents.read("{ a: __typename }")
  documents.read("{ c: __typename }")
  assert.deepEqual([cache.count, cache.weight], [2, 3_400])
  assert.equal(documents.read("{ a: __typename }"), first)
})

test("the documents that are kept do not outweigh the room for them", () => {
  const { documents, cache } = open(10_000)
  for (let index = 0; index < 50; index += 1) {
    documents.read(`{ a${index}: __typename }`)
    assert.ok(cache.weight <= 10_000)
  }
})

test("a document that outweighs the room by itself is not kept, and takes nobody's place", () => {
  const { documents, cache } = open(10_000)
  const small = documents.read("{ __typename }")
  documents.read(`{ __typename } # ${"x".repeat(200)}`)
  assert.equal(cache.count, 1)
  assert.equal(documents.read("{ __typename }"), small)
})
