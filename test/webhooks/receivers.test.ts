// Receivers as bad as they come, each with an endpoint of its own: what became of a message is written down, it is sent again
// with its id, and nobody else waits for it.
import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { describe, type TestContext, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { notes } from "../feed/notes.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { dialects } from "../support/open-service.ts"
import { type Receiver, startReceiver, status } from "./receiver.ts"

const staff = "role:staff"
const model = load(
  withSystem({ ...notes, webhooks: { manage: { role: "staff" }, networks: ["127.0.0.0/8"] } }),
)

/** Of which there is no end, and nothing of it is HTTP. */
async function startGarbage(t: TestContext): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    const more = (): void => {
      while (!socket.destroyed && socket.write(Buffer.alloc(10_000, 0xa5)));
    }
    socket.on("drain", more)
    more()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

interface Delivered {
  readonly status: string
  readonly attempts: number
  readonly log: readonly { readonly status?: number; readonly error?: string }[]
}

for (const database of process.env["BIFOLD_PROOF"] === "full" ? dialects : (["sqlite"] as const))
  describe(`bad receivers on ${database}`, () => {
    test("hold up nobody, and have every message in the end", async (t) => {
      const url = await openDatabase(t, database, model)
      const server = await openServer(t, url, model, { dialer: { deadline: 2_500 } })
      const good = await startReceiver(t)
      const bad = async (answer: Parameters<Receiver["answer"]>[0]): Promise<Receiver> => {
        const receiver = await startReceiver(t)
        receiver.answer(answer)
        return receiver
      }
      const [failing, slow, redirecting, endless, down] = await Promise.all([
        bad(status(500)),
        bad(async (response) => {
          await sleep(5_000)
          response.writeHead(204).end()
        }),
        bad(status(302, { location: good.url })),
        bad((response) => {
          response.writeHead(200)
          const more = (): void => {
            while (!response.destroyed && response.write("x".repeat(10_000)));
          }
          response.on("drain", more)
          more()
        }),
        bad(status(204)),
      ])
      await down.close()
      const urls = {
        good: good.url,
        failing: failing.url,
        slow: slow.url,
        redirecting: redirecting.url,
        endless: endless.url,
        down: down.url,
        garbage: await startGarbage(t),
      }
      const endpoints = new Map<string, string>()
      for (const [name, url] of Object.entries(urls)) {
        const { body } = await server.send("POST", "/webhook-endpoints", staff, {
          url,
          roles: ["staff"],
          types: ["note.created"],
        })
        endpoints.set(name, body.id)
      }
      const { body: person } = await server.send("POST", "/people", staff, { name: "A" })
      for (const text of ["1", "2", "3"])
        await server.send("POST", "/notes", staff, { text, ownerId: person.id })
      await until(() => good.received.length === 3)
      const deliveriesOf = async (name: string): Promise<readonly Delivered[]> => {
        const { body } = await server.send(
          "GET",
          `/webhook-deliveries?filter[endpointId]=${endpoints.get(name)}&sort=createdAt`,
          staff,
        )
        return body["data"] as readonly Delivered[]
      }
      const firstOf = async (name: string): Promise<readonly unknown[]> => {
        await until(async () => (await deliveriesOf(name)).length === 3)
        return [
          ...new Set((await deliveriesOf(name)).map(({ log: [first] }) => first?.status ?? first?.error)),
        ]
      }
      assert.deepEqual(await firstOf("failing"), [500])
      assert.deepEqual(await firstOf("slow"), ["timeout"])
      assert.deepEqual(await firstOf("redirecting"), [302])
      assert.deepEqual(await firstOf("endless"), [200])
      assert.deepEqual(await firstOf("down"), ["connection_failed"])
      assert.deepEqual(await firstOf("garbage"), ["answer_invalid"])
      const tried = new Map(
        [failing, slow, redirecting].map((receiver) => [
          receiver,
          new Set(receiver.received.map(({ id }) => id)),
        ]),
      )
      for (const receiver of tried.keys()) receiver.answer(status(204))
      const up = await startReceiver(t, Number(new URL(down.url).port))
      for (const name of ["failing", "slow", "redirecting", "endless", "down"])
        await until(async () => (await deliveriesOf(name)).every((one) => one.status === "delivered"))
      for (const [receiver, ids] of tried)
        assert.deepEqual(new Set(receiver.received.map(({ id }) => id)), ids, "tried again with its id")
      const all = new Set(good.received.map(({ id }) => id))
      for (const { received } of [failing, slow, redirecting, up])
        assert.deepEqual(new Set(received.map(({ id }) => id)), all)
      assert.equal(good.received.length, 3, "no redirect was followed")
      assert.ok((await deliveriesOf("garbage")).every((one) => one.status === "pending"))
      assert.deepEqual(server.observed, [])
    })
  })
