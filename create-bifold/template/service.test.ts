// The rules of the service, asked by both faces: npm test.
import assert from "node:assert/strict"
import { test } from "node:test"
import { startService } from "bifold/testing"
import declaration from "./service.ts"

const records = {
  author: [
    { id: "author_ada", name: "Ada", email: "ada@example.org" },
    { id: "author_bob", name: "Bob", email: "bob@example.org" },
  ],
  post: [
    { id: "post_1", title: "A draft", authorId: "author_ada" },
    { id: "post_2", title: "Out", draft: false, authorId: "author_ada" },
  ],
}

test("a draft is seen by its author and by editors", async () => {
  await using service = await startService(declaration, { records })
  for (const [who, status] of [
    [service.as("author:author_ada"), 200],
    [service.as("role:editor"), 200],
    [service.as("author:author_bob"), 404],
    [service.anyone, 404],
  ] as const)
    assert.equal((await who.rest("GET", "/posts/post_1")).status, status)
})

test("nobody writes in the name of another", async () => {
  await using service = await startService(declaration, { records })
  const bob = service.as("author:author_bob")
  const forged = await bob.rest("POST", "/posts", { title: "Forged", authorId: "author_ada" })
  assert.equal(forged.status, 403)
  const own = await bob.rest("POST", "/posts", { title: "Mine", authorId: "author_bob" })
  assert.equal(own.status, 201)
})

test("both faces show the same posts", async () => {
  await using service = await startService(declaration, { records })
  const { data } = await service.anyone.graphql<{ posts: { nodes: unknown[] } }>(
    "{ posts { nodes { id title } } }",
  )
  const { body } = await service.anyone.rest<{ data: unknown[] }>("GET", "/posts?fields=title")
  assert.deepEqual(body.data, [{ id: "post_2", title: "Out" }])
  assert.deepEqual(data?.posts.nodes, body.data)
})
