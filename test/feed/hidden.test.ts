// What a subscriber's conditions may name, and what they cost: nothing of the log's own, and nothing that is hidden.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createEventReader } from "../../src/events/log/event-reader.ts"
import { createSight } from "../../src/events/log/sight.ts"
import { anyone, f, one, resource, role, service, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { createFaces } from "../../src/server/service.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openDatabase, openServer } from "./open.ts"

const staff = role("staff")
const model = load(
  withSystem(
    service({
      name: "papers",
      roles: ["staff"],
      viewer: "person",
      resources: {
        person: resource({ id: "per", fields: { name: f.text() }, allow: { read: anyone, create: staff } }),
        paper: resource({
          id: "pap",
          fields: {
            title: f.text(),
            shared: f.boolean({ default: true }),
            price: f.integer({ default: 5, read: [staff, { shared: { eq: true } }] }),
          },
          relations: { owner: one("person") },
          history: true,
          allow: {
            read: [staff, { owner: { id: { eq: viewer.id } } }],
            create: staff,
            update: staff,
          },
        }),
      },
    }),
  ),
)

interface Page {
  readonly data: readonly { readonly kind: string }[]
}

for (const database of dialects) {
  describe(`conditions of subscribers on ${database}`, () => {
    const hooks = cleanUp(after)
    const opened = (async () => {
      const url = await openDatabase(hooks, database, model)
      const server = await openServer(hooks, url, model)
      const ownerId = (await server.send("POST", "/people", "role:staff", { name: "Ada" })).body.id
      const paper = async (): Promise<string> =>
        (await server.send("POST", "/papers", "role:staff", { title: "A", ownerId })).body.id
      const change = async (id: string, input: object): Promise<void> => {
        assert.equal((await server.send("PATCH", `/papers/${id}`, "role:staff", input)).status, 200)
      }
      return { url, server, owner: `person:${ownerId}`, paper, change }
    })()

    test("numbers of the log and its own relations have no name", async () => {
      const { server, owner, paper } = await opened
      await paper()
      for (const path of ["~entries.some.rowNumber", "history.some.rowNumber"]) {
        const query = `/events?resource=paper&filter[${path}][gt]=0`
        assert.equal((await server.send("GET", query, owner)).status, 400, path)
      }
    })

    test("a member that is shown by a rule leaves the condition when the rule no longer holds", async () => {
      const { server, owner, paper, change } = await opened
      const id = await paper()
      await change(id, { shared: false })
      await change(id, { shared: true })
      const { body } = await server.send(
        "GET",
        `/events?resource=paper&filter[id]=${id}&filter[price]=5`,
        owner,
      )
      assert.deepEqual(
        (body as unknown as Page).data.map(({ kind }) => kind),
        ["CREATED", "LEFT", "ENTERED"],
      )
    })

    test("events of one record share what is read of its later changes", async () => {
      const { url, owner, paper, change } = await opened
      const id = await paper()
      for (let count = 0; count < 20; count++) await change(id, { shared: count % 2 === 1 })
      const storage = await openStorage(url, { writes: "unsafe" })
      hooks.after(() => storage.close())
      const { log } = storage
      assert.ok(log)
      let reads = 0
      const read: typeof log.read = (...asked) => {
        reads += 1
        return log.read(...asked)
      }
      const { answer } = createFaces({ model, storage, secret: "a secret of the tests", base: "" })
      const reader = createEventReader({ model, log: { for: () => ({ ...log, read }) }, answer })
      const actor = actorFromText(model, owner)
      const sight = createSight({
        model: actor.model,
        resource: "paper",
        conditions: [{ encoding: "json", value: { price: { eq: 5 } } }],
        place: [],
      })
      const rows = await log.read(0n, 100, { resource: "paper", record: id })
      const seen = await reader.read(rows, { actor }, new Map([["paper", sight]]))
      assert.deepEqual(
        seen.map(({ kind }) => kind),
        ["CREATED", ...Array.from({ length: 20 }, (_, count) => (count % 2 === 1 ? "ENTERED" : "LEFT"))],
      )
      assert.equal(reads, 1)
    })
  })
}
