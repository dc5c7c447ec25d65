// What a service keeps between requests stays within its budget, whatever clients of however many audiences send.
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { actorFromPerson } from "../../src/access/identity/actor-text.ts"
import { CacheBudget } from "../../src/base/caches.ts"
import { anyone, f, load, resource, role, service } from "../../src/index.ts"
import { createFaces } from "../../src/server/service.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { temporaryFolder } from "../support/database.ts"
import { createFaceClient } from "../support/face-client.ts"

const roles = ["red", "green", "blue"] as const
const model = load(
  service({
    name: "paints",
    roles,
    resources: {
      paint: resource({
        fields: { name: f.text(), shade: f.text({ optional: true }), ...secrets() },
        allow: { read: anyone, create: anyone, update: anyone },
      }),
    },
  }),
)

/** A field for each role, so that each set of roles has a model of its own. */
function secrets() {
  return Object.fromEntries(roles.map((name) => [name, f.text({ optional: true, read: role(name) })]))
}

const audiences = Array.from({ length: 2 ** roles.length }, (_, bits) =>
  actorFromPerson(model, { roles: roles.filter((_, bit) => (bits >> bit) & 1) }),
)

test("documents, addresses, bodies and audiences without end stay within one budget", async (t) => {
  const path = join(await temporaryFolder(t), "paints.db")
  await setUp(
    path,
    createSchema(model, sqlite).map((text) => ({ text, parameters: [] })),
  )
  const storage = await openStorage(path, { writes: "unsafe" })
  t.after(() => storage.close())
  const most = 2_000_000
  const budget = new CacheBudget(most)
  const { facesFor } = createFaces({ model, storage, secret: "of the tests", base: "", budget })
  let requests = 0
  const clients = audiences.map((actor) =>
    createFaceClient({ actor, facesFor, nextRequestId: () => `test-${++requests}` }),
  )
  const ask = async (nth: number, { graphql, rest }: Client): Promise<void> => {
    const asked = [
      await graphql(`query Q${nth} { paints(first: 1) { nodes { id name } } }`),
      await graphql(`{ paints(first: 1, where: { name: { eq: "${nth}" } }) { nodes { id } } }`),
      await graphql(
        "query ($n: String!) { paints(first: 1, where: { name: { eq: $n } }) { nodes { id } } }",
        {
          n: String(nth),
        },
      ),
      await rest("GET", `/paints?filter[name]=${nth}&limit=1`),
      await rest("POST", "/paints", { name: String(nth) }, { prefer: "return=minimal" }),
      await rest("POST", `/paints?fields=${["name", "shade", "id"].slice(nth % 3)}`, { name: String(nth) }),
    ]
    for (const { status } of asked) assert.ok(status < 300, `${status}`)
  }
  for (let nth = 0; nth < 60; nth += 1)
    for (const client of clients)
      for (const _ of ["once", "again"]) {
        await ask(nth, client)
        assert.ok(budget.weight <= most, `${budget.weight} bytes are kept`)
      }
  assert.ok(budget.weight > most / 2, "what is kept counts")
})
