// Endpoints are sent the version that they are pinned to, whatever the writer's is.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/system/with-system.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { shop } from "./shop.ts"

for (const database of ["sqlite", "postgres"] as const)
  describe(`endpoints of versions on ${database}`, () => {
    const hooks = cleanUp(after)

    test("have the shape of their version, new ones that of the newest", async (t) => {
      const model = load(withSystem(shop))
      const url = await openDatabase(hooks, database, model)
      const server = await openServer(hooks, url, model, { dialer: { networks: "any" } })
      const send = (method: string, path: string, body?: object) =>
        server.send(method, path, "role:staff", body)
      const pinned = async (version?: string | null) => {
        const receiver = await startReceiver(t)
        const input = { url: receiver.url, types: ["order.*"], ...(version !== undefined && { version }) }
        const { status, body } = await send("POST", "/webhook-endpoints", input)
        assert.equal(status, 201, JSON.stringify(body))
        return { receiver, version: body["version"] }
      }
      const [old, now, before] = [await pinned("2026-01-01"), await pinned(), await pinned(null)]
      assert.deepEqual([old.version, now.version, before.version], ["2026-01-01", "2026-11-01", null])
      const wrong = await send("POST", "/webhook-endpoints", { url: old.receiver.url, version: "2020-01-01" })
      assert.equal(wrong.status, 400)
      const customer = await send("POST", "/customers", { firstName: "Ada", lastName: "Lovelace" })
      const order = await send("POST", "/orders", {
        number: "A-1",
        total: "12.50",
        channel: "web",
        customerId: customer.body.id,
      })
      assert.equal(order.status, 201, JSON.stringify(order.body))
      for (const { receiver } of [old, now, before]) await until(() => receiver.received.length > 0)
      const records = [old, now, before].map(({ receiver }) => {
        const [first] = receiver.received
        return (first?.body["data"] as { readonly record?: object } | undefined)?.record
      })
      const { id } = order.body
      const buyerId = customer.body.id
      const former = { id, number: "A-1", total: 1250, state: "placed", buyerId }
      assert.deepEqual(records, [
        former,
        {
          id,
          number: "A-1",
          total: "12.50",
          channel: "web",
          state: "placed",

          customerId: buyerId,
        },
        former,
      ])
      assert.deepEqual(
        server.observed.filter(({ kind }) => kind === "failed"),
        [],
      )
    })
  })
