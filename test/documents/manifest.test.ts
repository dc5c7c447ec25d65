// Manifests of documents: what is none is refused, and a document has the id of its text and that of its manifest.
import assert from "node:assert/strict"
import { test } from "node:test"
import { digestId } from "../../src/access/documents/document-plans.ts"
import { readDocumentFile } from "../../src/access/documents/manifest.ts"
import { Refusal } from "../../src/base/problem.ts"

const text = "{ books { totalCount } }"
const id = digestId(text)

test("a document is registered by the digest of its text, and by the id of its manifest", () => {
  const idsOf = (file: string, content: unknown) =>
    readDocumentFile(file, typeof content === "string" ? content : JSON.stringify(content)).map(
      ({ documentId }) => documentId,
    )
  assert.deepEqual(idsOf("a.graphql", text), [id])
  assert.deepEqual(idsOf("a.json", { count: text }), [id, "count"])
  for (const same of [id, id.slice("sha256:".length)])
    assert.deepEqual(idsOf("a.json", { [same]: text }), [id])
  assert.deepEqual(idsOf("a.json", { operations: [{ id: "one", name: "One", body: text }] }), [id, "one"])
})

test("what is no manifest is refused", () => {
  for (const content of [
    "[]",
    "{",
    '{"a":1}',
    '{"":"x"}',
    '{"operations":[1]}',
    '{"operations":[{"id":"a"}]}',
    "null",
  ])
    assert.throws(
      () => readDocumentFile("odd.json", content),
      (error) => error instanceof Refusal && /odd\.json is no manifest/.test(error.message),
      content,
    )
})
