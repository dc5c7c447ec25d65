// The end of an endpoint: nothing is sent after it, others go on, and a later end with `resume` sends what was missed.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { canonicalDateTime } from "../../src/model/values/datetime.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { dialects } from "../support/open-service.ts"
import { type Receiver, startReceiver, status } from "./receiver.ts"

const shop = load(
  withSystem(
    service({
      name: "shop",
      roles: ["staff"],
      viewer: "person",
      webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"], expires: "90 days" },
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

const day = 86_400_000
const inDays = (days: number): string => canonicalDateTime(Date.now() + days * day)
const namesSentTo = ({ received }: Receiver): readonly unknown[] =>
  received.map(({ body }) => (body.data["record"] as { readonly name: string }).name)

describe("the end of an endpoint", () => {
  for (const database of dialects)
    test(`stops its deliveries alone, until it is given a later one: ${database}`, async (t) => {
      let ahead = 0
      const server = await openServer(t, await openDatabase(t, database, shop), shop, {
        now: () => Date.now() + ahead,
        elapsed: () => performance.now() + ahead,
      })
      const staff = "role:staff"
      const person = async (name: string) => (await server.send("POST", "/people", staff, { name })).body.id
      const [ending, lasting] = [await startReceiver(t), await startReceiver(t)]
      const endpointAt = async ({ url }: Receiver, more: object): Promise<string> => {
        const { status: code, body } = await server.send("POST", "/webhook-endpoints", staff, {
          url,
          ...more,
        })
        assert.equal(code, 201, JSON.stringify(body))
        return `/webhook-endpoints/${body.id}`
      }
      const path = await endpointAt(ending, { expiresAt: inDays(1) })
      const other = await endpointAt(lasting, {})
      const stateOf = async (of: string) => {
        const { body } = await server.send("GET", of, staff)
        return [body["state"], body["problem"]]
      }
      const ended = () => until(async () => (await stateOf(path))[0] === "disabled")
      // One event waits for its next attempt when the end comes.
      ending.answer(status(500))
      await person("Ada")
      await until(() => ending.received.length === 1 && lasting.received.length === 1)
      ending.answer(status(204))
      ahead = 2 * day
      await ended()
      const seen = ending.received.length
      await person("Bob")
      await until(() => lasting.received.length === 2)
      assert.match(
        String((await stateOf(path))[1]),
        /^The endpoint ended at 20\d\d-.*Give it a later `expiresAt`/,
      )
      assert.deepEqual(await stateOf(other), ["active", null])
      // An end that has passed ends what is resumed.
      await server.send("POST", `${path}/transitions/resume`, staff)
      await ended()
      assert.equal(ending.received.length, seen, "nothing is sent after the end")

      assert.equal((await server.send("PATCH", path, staff, { expiresAt: inDays(30) })).status, 200)
      await server.send("POST", `${path}/transitions/resume`, staff)
      await until(() => namesSentTo(ending).includes("Bob"))
      await until(() => namesSentTo(ending).filter((name) => name === "Ada").length === 2)
      assert.deepEqual(await stateOf(path), ["active", null])
    })
})
