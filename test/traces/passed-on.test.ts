// Traces where no SDK is registered: a client's `traceparent` is passed on to the log, to webhooks and to errors.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { isRegistered } from "../../src/observe/traces/registered.ts"
import { until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { openShop } from "./open.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const missing = "/orders/ord_00000000000000000000000009"

for (const database of dialects)
  describe(`without an SDK, on ${database}`, () => {
    const hooks = cleanUp(after)
    const opening = openShop(hooks, database)

    test("a trace goes on in the log, in a handler's own writes and in webhooks", async () => {
      const shop = await opening
      assert.equal(isRegistered(), false)
      const receiver = await startReceiver(hooks)
      const endpoint = { url: receiver.url, types: ["order.created"], roles: ["staff"] }
      assert.equal((await shop.send("POST", "/webhook-endpoints", endpoint)).status, 201)
      await shop.send("POST", "/orders", { number: "a" }, { traceparent })
      await shop.send("POST", "/orders", { number: "b" })
      await until(async () => receiver.received.length >= 2)
      const letters = async () => (await shop.rows()).filter(({ resource }) => resource === "letter")
      await until(async () => (await letters()).length >= 2)
      const sent = receiver.received.map(({ headers }) => headers["traceparent"])
      assert.deepEqual(sent.toSorted(), [traceparent, undefined])
      assert.deepEqual((await letters()).map(({ trace }) => trace).toSorted(), [traceparent, null].toSorted())
    })

    test("errors of both faces name the trace, if the client began one in a form that is known", async () => {
      const shop = await opening
      const namedIn = async (header: string | undefined): Promise<readonly unknown[]> => {
        const headers = header === undefined ? {} : { traceparent: header }
        const rest = await shop.send("GET", missing, undefined, headers)
        const graphql = await shop.send("POST", "/graphql", { query: "{ nothing }" }, headers)
        const [error] = graphql.body["errors"] as unknown as readonly { readonly extensions: object }[]
        return [rest.body["traceId"], Reflect.get(error?.extensions ?? {}, "traceId")]
      }
      assert.deepEqual(await namedIn(traceparent), [traceId, traceId])
      assert.deepEqual(await namedIn(undefined), [undefined, undefined])
      assert.deepEqual(await namedIn(`${traceparent}-more`), [undefined, undefined])
    })

    test("what is not joined is told to its client alone, and what is ignored to nobody", async (context) => {
      for (const [how, told] of [
        ["link", traceId],
        ["ignore", undefined],
      ] as const) {
        const shop = await openShop(context, database, { clientTraces: how })
        const receiver = await startReceiver(context)
        const endpoint = { url: receiver.url, types: ["order.created"], roles: ["staff"] }
        assert.equal((await shop.send("POST", "/webhook-endpoints", endpoint)).status, 201)
        await shop.send("POST", "/orders", { number: "a" }, { traceparent })
        await until(async () => receiver.received.length > 0)
        assert.deepEqual(
          receiver.received.map(({ headers }) => headers["traceparent"]),
          [undefined],
        )
        assert.ok((await shop.rows()).every(({ trace }) => trace === null))
        const { body } = await shop.send("GET", missing, undefined, { traceparent })
        assert.equal(body["traceId"], told)
      }
    })
  })
