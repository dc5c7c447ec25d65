// What is kept of a request is not whose it was: two people who may do the same ask the same texts again and again.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, one, resource, service, viewer } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const own = { author: { id: { eq: viewer["id"] } } }

const diary = service({
  name: "diary",
  viewer: "author",
  resources: {
    author: resource({
      id: "aut",
      fields: { name: f.text() },
      allow: { read: { id: { eq: viewer["id"] } } },
    }),
    page: resource({
      id: "pag",
      fields: { text: f.text() },
      relations: { author: one("author") },
      allow: { read: own },
    }),
  },
})

const records = {
  author: [
    { id: "aut_ann", name: "Ann" },
    { id: "aut_bob", name: "Bob" },
  ],
  page: [
    { id: "pag_1", text: "Ann's first", authorId: "aut_ann" },
    { id: "pag_2", text: "Bob's", authorId: "aut_bob" },
    { id: "pag_3", text: "Ann's second", authorId: "aut_ann" },
  ],
}

const query =
  "{ viewer { author { name } } pages { nodes { id } totalCount } one: page(id: 1) { id } other: page(id: 2) { id } }"

test("each is answered with what is theirs, by both faces, also from the third time on", async () => {
  await using shop = await startService(diary, { records })
  const people = [
    { client: shop.as("author:ann"), name: "Ann", ids: ["pag_1", "pag_3"], single: 200 },
    { client: shop.as("author:bob"), name: "Bob", ids: ["pag_2"], single: 404 },
  ]
  for (let time = 1; time <= 5; time += 1)
    for (const { client, name, ids, single } of people) {
      const { data } = await client.graphql(query)
      assert.deepEqual(
        data,
        {
          viewer: { author: { name } },
          pages: { nodes: ids.map((id) => ({ id })), totalCount: ids.length },
          one: ids.includes("pag_1") ? { id: "pag_1" } : null,
          other: ids.includes("pag_2") ? { id: "pag_2" } : null,
        },
        `${name}, time ${time}`,
      )
      const list = await client.rest<{ data: { id: string }[] }>("GET", "/pages?fields=id")
      assert.deepEqual(
        list.body.data.map(({ id }) => id),
        ids,
        `${name}, time ${time}`,
      )
      assert.equal((await client.rest("GET", "/pages/1")).status, single, `${name}, time ${time}`)
    }
})
