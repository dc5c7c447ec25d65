// A calendar that is set back: endpoints are looked at again as before, so that one that is gone gets nothing more. One that is set
// forward: what has failed a few times is neither disabled nor given up.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver, status } from "./receiver.ts"

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

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

describe("webhooks when the calendar is set forward", () => {
  for (const database of dialects)
    test(`go on with what has failed for less than half a day: ${database}`, async (t) => {
      const url = await openDatabase(t, database, shop)
      const ahead = { calendar: 0, passed: 0 }
      const pass = (time: number): void => {
        ahead.calendar += time
        ahead.passed += time
      }
      const start = () =>
        openServer(t, url, shop, {
          now: () => Date.now() + ahead.calendar,
          elapsed: () => performance.now() + ahead.passed,
        })
      let server = await start()
      const receiver = await startReceiver(t)
      receiver.answer(status(500))
      const person = async (name: string): Promise<string> =>
        (await server.send("POST", "/people", "role:staff", { name })).body.id
      const ownerId = await person("Ada")
      const owner = `person:${ownerId}`
      const made = await server.send("POST", "/webhook-endpoints", owner, { url: receiver.url, ownerId })
      const stateOf = async () =>
        (await server.send("GET", `/webhook-endpoints/${made.body.id}`, owner)).body["state"]
      const delivery = async () => {
        const { body } = await server.send("GET", "/webhook-deliveries", owner)
        const [first] = body["data"] as readonly { readonly attempts: number; readonly status: string }[]
        return first
      }
      const failed = (attempts: number) => until(async () => (await delivery())?.attempts === attempts)
      await person("Bob")
      await failed(1)
      for (const [index, pause] of [6 * second, 36 * second, 3 * minute, 12 * minute].entries()) {
        pass(pause)
        await failed(index + 2)
      }
      // It is due again after half an hour.
      ahead.calendar += 100 * hour
      pass(11 * minute)
      const seen = receiver.received.length
      await person("Cyd")
      await until(() => receiver.received.length > seen)
      assert.deepEqual([await stateOf(), (await delivery())?.status], ["active", "pending"])
      pass(30 * minute)
      await failed(6)
      assert.equal(await stateOf(), "active", "the calendar alone has passed 72 hours")

      await server.end()
      server = await start()
      for (const [index, pause] of [2, 3, 5, 10].entries()) {
        assert.equal(await stateOf(), "active", "ten attempts have not been made")
        pass(pause * hour)
        await failed(index + 7)
      }
      await until(async () => (await stateOf()) === "disabled")
    })
})
