// The cache of documents: what is read again, what is forgotten.
import assert from "node:assert/strict"
import { test } from "node:test"
import { createDocumentCache } from "../../src/graphql/document/document-cache.ts"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import { model } from "./bookshop.ts"

const schema = buildSchema(model)
const open = { introspection: true }

test("a text is parsed and validated once, whether it is sound or not", () => {
  const documents = createDocumentCache(schema, open)
  for (const text of ["{ __typename }", "{ nothing }", "{"]) {
    assert.equal(documents.read(text), documents.read(text))
  }
  assert.deepEqual(documents.size(), { count: 3, weight: 3_634 })
})

test("of more documents than there is room for, the least recently used are forgotten", () => {
  const documents = createDocumentCache(schema, open, { count: 2, weight: 100_000 })
  const first = documents.read("{ a: __typename }")
  documents.read("{ b: __typename }")
  documents.read("{ a: __typename }")
  documents.read("{ c: __typename }")
  assert.deepEqual(documents.size(), { count: 2, weight: 3_400 })
  assert.equal(documents.read("{ a: __typename }"), first)
})

test("the documents that are kept do not outweigh the room for them", () => {
  const documents = createDocumentCache(schema, open, { count: 1_000, weight: 10_000 })
  for (let index = 0; index < 50; index += 1) {
    documents.read(`{ a${index}: __typename }`)
    assert.ok(documents.size().weight <= 10_000)
  }
})

test("a document that outweighs the room by itself is not kept, and takes nobody's place", () => {
  const documents = createDocumentCache(schema, open, { count: 1_000, weight: 10_000 })
  const small = documents.read("{ __typename }")
  documents.read(`{ __typename } # ${"x".repeat(200)}`)
  assert.equal(documents.size().count, 1)
  assert.equal(documents.read("{ __typename }"), small)
})
