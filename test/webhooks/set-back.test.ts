// A calendar that is set back: endpoints are looked at again as before, so that one that is gone gets nothing more.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/system/with-system.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver } from "./receiver.ts"

const shop = load(
  withSystem(
    service({
      name: "shop",
      roles: ["staff"],
      viewer: "person",
      webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
      resources: {
        person: resource({
          id: "per",
          history: true,
          fields: { name: f.text() },
          allow: { read: anyone, create: anyone },
        }),
      },
    }),
  ),
)

describe("webhooks when the calendar is set back", () => {
  for (const database of dialects)
    test(`end with their endpoint, and begin with a new one: ${database}`, async (t) => {
      const url = await openDatabase(t, database, shop)
      let back = 0
      const server = await openServer(t, url, shop, {
        now: () => Date.now() - back,
        elapsed: () => performance.now(),
      })
      const person = async (name: string) =>
        (await server.send("POST", "/people", "role:staff", { name })).body.id
      const ownerId = await person("Ada")
      const [first, second] = [await startReceiver(t), await startReceiver(t)]
      const made = await server.send("POST", "/webhook-endpoints", `person:${ownerId}`, {
        url: first.url,
        ownerId,
      })
      await person("Bob")
      await until(() => first.received.length === 1)
      back = 86_400_000
      assert.equal(
        (await server.send("DELETE", `/webhook-endpoints/${made.body.id}`, `person:${ownerId}`)).status,
        204,
      )
      await server.send("POST", "/webhook-endpoints", `person:${ownerId}`, { url: second.url, ownerId })
      await until(async () => {
        await person("Cyd")
        return second.received.length > 0
      })
      const before = first.received.length
      await person("Dan")
      const wanted = second.received.length + 1
      await until(() => second.received.length >= wanted)
      assert.equal(first.received.length, before, "the endpoint that is gone gets nothing")
    })
})
