// The audits of graphql-http (GraphQL over HTTP, conformance as data) against the face, over real HTTP.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { type AuditResult, auditServer } from "graphql-http"
import { serveGraphql } from "./serve.ts"

let results: readonly AuditResult[] = []
let server: Awaited<ReturnType<typeof serveGraphql>>

before(async () => {
  server = await serveGraphql()
  results = await auditServer({ url: server.url })
})
after(() => server.close())

test("all 61 audits of graphql-http are run", () => {
  assert.equal(results.length, 61)
})

test("every audit is met, with no warning", () => {
  const unmet = results
    .filter(({ status }) => status !== "ok")
    .map((result) => ("reason" in result ? `${result.id} ${result.name}: ${result.reason}` : result.id))
  assert.deepEqual(unmet, [])
})
