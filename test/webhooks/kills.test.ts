// A server is killed at any moment while it sends webhooks: each event arrives at least once, with the same id each time, and
// each record's come in their order.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { bifold, type Serving, serving } from "../cli/run.ts"
import { eventsOf, send } from "../support/ask.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Received, startReceiver } from "./receiver.ts"

/** Of each database. */
const kills = process.env["BIFOLD_PROOF"] === "full" ? 50 : 3
const records = 8

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
writeFileSync(
  join(cwd, "shop.ts"),
  `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  webhooks: { manage: anyone, networks: ["127.0.0.0/8"] },
  resources: {
    order: resource({
      id: "ord",
      history: true,
      fields: { count: f.integer() },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})
`,
)

interface Told {
  readonly id: string
  readonly recordId: string
  readonly version: string
}

/** Mistakes in what arrived: what is missing, has another id, or came before what is earlier. */
function mistakesIn(received: readonly Received[], events: readonly Told[]): readonly string[] {
  const versions = new Map(events.map(({ id, recordId, version }) => [id, `${recordId} ${version}`]))
  const arrived = new Set(received.map(({ id }) => id))
  const strange = received.flatMap(({ id, body: { data } }) =>
    versions.get(id) === `${data["recordId"]} ${data["version"]}` ? [] : [`${id} is not what it was`],
  )
  const missing = events.flatMap(({ id }) => (arrived.has(id) ? [] : [`${id} is missing`]))
  // A record's first version is any number.
  const reached = new Map<unknown, number>(
    events.toReversed().map(({ recordId, version }) => [recordId, Number(version) - 1]),
  )
  const early = received.flatMap(({ body: { data } }) => {
    const [before, version] = [reached.get(data["recordId"]) ?? 0, Number(data["version"])]
    reached.set(data["recordId"], Math.max(before, version))
    return version > before + 1 ? [`${data["recordId"]} ${version} came after ${before}`] : []
  })
  return [...strange, ...missing, ...early]
}

describe("a server that is killed while it sends", () => {
  test("mistakes are seen", () => {
    const event = (version: string): Told => ({ id: `evt_${version}`, recordId: "ord_1", version })
    const sent = (told: Told) =>
      ({ id: told.id, body: { type: "order.updated", data: { ...told } } }) as unknown as Received
    const [first, second] = [event("1"), event("2")]
    assert.deepEqual(mistakesIn([sent(first), sent(second), sent(first)], [first, second]), [])
    assert.equal(mistakesIn([sent(first)], [first, second]).length, 1)
    assert.equal(mistakesIn([sent(second), sent(first)], [first, second]).length, 1)
    assert.equal(mistakesIn([sent(first), sent({ ...second, id: "evt_1" })], [first]).length, 1)
  })

  for (const database of dialects)
    test(`sends everything at least once, on ${database}`, async (context) => {
      const url = database === "sqlite" ? join(cwd, "shop.db") : await temporaryPostgres(hooks)
      const on = ["shop.ts", "--database", url, "--accept-data-loss", "--secret", "a secret of these tests"]
      const applied = await bifold(["migrate", "apply", "shop.ts", "--database", url], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      const receiver = await startReceiver(context)
      receiver.answer(async (response) => {
        await sleep(Math.random() * 20)
        response.writeHead(204).end()
      })
      let server: Serving = await serving(on, { cwd })
      context.after(async () => void (await server.end("SIGKILL")))
      await send("POST", `${server.url}/webhook-endpoints`, { url: receiver.url })
      const ids = await Promise.all(
        Array.from(
          { length: records },
          async () => (await send("POST", `${server.url}/orders`, { count: 0 })).id,
        ),
      )
      let [writing, written] = [true, 0]
      const writers = ids.map(async (id) => {
        for (let count = 1; writing; count += 1) {
          try {
            await send("PATCH", `${server.url}/orders/${id}`, { count })
            written += 1
          } catch {
            // Nobody answers while there is no server.
          }
          await sleep(20 + Math.random() * 40)
        }
      })
      for (let kill = 0; kill < kills; kill += 1) {
        const before = written
        while (written < before + records) await sleep(20)
        await sleep(Math.random() * 900)
        await server.end("SIGKILL")
        server = await serving(on, { cwd })
      }
      writing = false
      await Promise.all(writers)
      const events = (await eventsOf(server.url, "order")) as unknown as readonly Told[]
      const deadline = Date.now() + 60_000
      while (mistakesIn(receiver.received, events).length > 0 && Date.now() < deadline) await sleep(200)
      assert.deepEqual(mistakesIn(receiver.received, events), [])
      assert.ok(events.length > records * 2, `${events.length} events`)
      context.diagnostic(`${kills} kills, ${events.length} events, sent ${receiver.received.length} times`)
    })
})
