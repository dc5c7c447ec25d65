// A server that sends its events to NATS is killed between a message and its position, and NATS while it is sent to: the
// stream has what the log has, each event once, each record's in their order.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { jetstreamManager } from "@nats-io/jetstream"
import { bifold, type Serving, serving } from "../cli/run.ts"
import { eventsOf, type Json, send } from "../support/ask.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { comesTrue, missing, readStream, type StoredMessage, startNats } from "./nats-server.ts"

const proof = process.env["BIFOLD_PROOF"] === "full"
/** Of each database, and so many more as are needed until a message was sent twice. */
const kills = { service: proof ? 25 : 1, nats: proof ? 10 : 1, most: 30 } as const
const records = 6

const hooks = cleanUp(after)
const cwd = await temporaryFolder(hooks)
writeFileSync(
  join(cwd, "shop.ts"),
  `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
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

/** By record, in the order in which they come. */
const byRecord = (all: readonly Json[]): Readonly<Record<string, readonly Json[]>> =>
  Object.fromEntries(Map.groupBy(all, ({ recordId }) => String(recordId)))

const bodies = (stored: readonly StoredMessage[]): readonly Json[] => stored.map(({ body }) => body)

describe("a sink whose processes are killed", { skip: missing }, () => {
  for (const database of dialects)
    test(`has the log, each event once, on ${database}`, async (context) => {
      const url = database === "sqlite" ? join(cwd, "shop.db") : await temporaryPostgres(hooks)
      const nats = await startNats(context)
      const on = ["shop.ts", "--database", url, "--accept-data-loss", "--secret", "a secret of these tests"]
      const served = [
        ...on,
        "--nats",
        nats.url.replace("//", "//ada:unused@"),
        "--nats-subject",
        "events.shop",
      ]
      const applied = await bifold(["migrate", "apply", "shop.ts", "--database", url], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      let server: Serving = await serving(served, { cwd })
      context.after(async () => void (await server.end("SIGKILL")))
      /** What the server takes, duplicates included: its stream is not asked. */
      const connection = await nats.connect()
      const seen: string[] = []
      let arrived = Promise.withResolvers<void>()
      connection.subscribe("events.shop.>", {
        callback: (_, message) => {
          seen.push(message.headers?.get("Nats-Msg-Id") ?? "")
          arrived.resolve()
        },
      })
      await connection.flush()

      const ids = await Promise.all(
        Array.from(
          { length: records },
          async () => (await send("POST", `${server.url}/orders`, { count: 0 }))["id"],
        ),
      )
      let writing = true
      context.after(() => {
        writing = false
      })
      let written = 0
      const writers = ids.map(async (id) => {
        for (let count = 1; writing; count += 1) {
          // Nobody answers while there is no server.
          await send("PATCH", `${server.url}/orders/${id}`, { count }).then(
            () => {
              written += 1
            },
            () => {},
          )
          await sleep(40 + Math.random() * 80)
        }
      })
      const duplicates = (): number => seen.length - new Set(seen).size
      let killed = 0
      for (; killed < kills.service || (duplicates() === 0 && killed < kills.most); killed += 1) {
        await sleep(Math.random() * 200)
        arrived = Promise.withResolvers()
        await arrived.promise
        await server.end("SIGKILL")
        server = await serving(served, { cwd })
        await comesTrue("it sends again", () => {
          const [before] = [seen.length]
          return sleep(50).then(() => seen.length > before)
        })
      }
      const sentTwice = duplicates()
      for (let kill = 0; kill < kills.nats; kill += 1) {
        await nats.kill()
        const before = written
        await comesTrue("the service goes on", () => written > before + records)
        await nats.start()
        await sleep(300 + Math.random() * 500)
      }
      writing = false
      await Promise.all(writers)
      const events = await eventsOf(server.url)
      const manager = await jetstreamManager(connection)
      await comesTrue(
        "all of the log is in the stream",
        async () => (await manager.streams.info("shop")).state.messages >= events.length,
      )
      const stored = await readStream(connection, "shop")
      assert.deepEqual(byRecord(bodies(stored)), byRecord(events))
      assert.deepEqual(
        stored.map(({ id }) => id),
        stored.map(({ body }) => body["id"]),
      )
      assert.deepEqual(
        new Set(stored.map(({ subject }) => subject.replace(/updated|created/, "…"))),
        new Set(ids.map((id) => `events.shop.order.….${id}`)),
      )
      assert.ok(
        sentTwice > 0,
        "no event was sent twice: nothing was killed between a message and its position",
      )
      const { stderr } = await server.end("SIGTERM")
      assert.match(stderr, /No event is sent to shop at nats:\/\/127\.0\.0\.1:\d+ for now/)
      assert.match(stderr, /Events are sent to shop at .* again/)
      assert.doesNotMatch(stderr, /unused/)
      context.diagnostic(
        `${killed} kills, ${events.length} events, ${sentTwice} sent twice before NATS was killed`,
      )
    })
})
