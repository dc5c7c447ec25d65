// What a client is told when it is not at fault, and requests that HTTP itself has something to say about.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { createEngine } from "../../src/engine/engine.ts"
import { graphqlFace } from "../../src/graphql/face.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { openStorage } from "../../src/storage/open.ts"
import { asText } from "../support/text-face.ts"
import { model } from "./bookshop.ts"
import { type GraphqlServer, serveGraphql } from "./serve.ts"

let server: GraphqlServer
before(async () => {
  server = await serveGraphql()
})
after(() => server.close())

const query = new TextEncoder().encode("{ authors { totalCount } }")

const newer = "application/graphql-response+json"

/** A face over an empty database, whose tables nobody has made, or one that is closed already. */
async function askInVain(accept: string, state: "empty" | "closed") {
  const storage = await openStorage(":memory:")
  const cursors = createCursors("for tests only")
  const { answer } = createEngine({ storage, cursors })
  if (state === "closed") await storage.close()
  const face = asText(graphqlFace({ model, cursors, answer }), model)
  const headers = { "content-type": "application/graphql", accept }
  const response = await face({ method: "POST", path: "", query: "", headers, body: query, requestId: "r1" })
  if (state === "empty") await storage.close()
  return response
}

for (const accept of ["application/json", newer]) {
  const data = accept === newer ? {} : { data: null }

  test(`what breaks inside is told without its text, as ${accept}`, async () => {
    const { status, body, fault } = await askInVain(accept, "closed")
    assert.equal(status, 500)
    const extensions = { code: "internal", requestId: "r1", hint: "Quote the requestId when you report it." }
    assert.deepEqual(JSON.parse(body), {
      ...data,
      errors: [{ message: "Something went wrong inside the service.", extensions }],
    })
    assert.match(String(fault), /database is not open/)
  })

  test(`a database that does not fit the service is no fault of the client, as ${accept}`, async () => {
    const { status, body } = await askInVain(accept, "empty")
    assert.equal(status, 503)
    assert.doesNotMatch(body, /no such table/)
    const { errors, ...rest } = JSON.parse(body)
    assert.equal(errors[0].extensions.code, "database_mismatch")
    assert.deepEqual(rest, data)
  })
}

test("HEAD is answered as GET is, without the body", async () => {
  const response = await fetch(`${server.url}?query={__typename}`, { method: "HEAD" })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8")
  assert.equal(await response.text(), "")
  assert.equal((await fetch(server.url, { method: "HEAD" })).status, 400)
})

test("OPTIONS says which methods there are", async () => {
  const response = await fetch(server.url, { method: "OPTIONS" })
  assert.equal(response.status, 204)
  assert.equal(response.headers.get("allow"), "GET, HEAD, POST, OPTIONS")
})

test("a body beyond the server's limit is refused in the form of GraphQL", async () => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(server.url, { method: "POST", headers, body: " ".repeat(1_000_001) })
  assert.equal(response.status, 413)
  const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] }
  assert.deepEqual(
    errors.map(({ extensions }) => extensions.code),
    ["too_large"],
  )
})
