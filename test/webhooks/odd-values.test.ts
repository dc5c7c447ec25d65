// A record with values that have no JSON form: it is followed like any other, with null in their place and an error that
// names them.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import pg from "pg"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { createMetrics, ownRegistry } from "../../src/observe/metrics/metrics.ts"
import { entryOf } from "../../src/observe/observations.ts"
import { openDatabase, openServer, openStream, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { startReceiver } from "./receiver.ts"

const hooks = cleanUp(after)

const model = load(
  withSystem(
    service({
      name: "stock",
      managed: false,
      roles: ["staff"],
      webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
      resources: {
        part: resource({
          id: "prt",
          fields: {
            name: f.text(),
            weight: f.float(),
            length: f.float({ optional: true }),
            born: f.date({ optional: true }),
            seen: f.timestamp({ optional: true }),
          },
          history: true,
          allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
        }),
      },
    }),
  ),
)

async function write(url: string, text: string): Promise<void> {
  if (!url.startsWith("postgres")) {
    const file = new DatabaseSync(url)
    file.exec(text)
    return file.close()
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Values that the database takes and JSON does not have. */
const odd = {
  sqlite: "weight = 9e999, length = -9e999",
  postgres: "weight = 'NaN', length = '-Infinity', born = '0044-03-15 BC', seen = 'infinity'",
} as const
const oddMembers = { sqlite: ["weight", "length"], postgres: ["weight", "length", "born", "seen"] } as const

for (const database of dialects)
  describe(`values without a JSON form on ${database}`, () => {
    test("are null in what is sent of the record, and named", async (t) => {
      const url = await openDatabase(hooks, database, model)
      const server = await openServer(hooks, url, model, { dialer: { networks: "any" } })
      const receiver = await startReceiver(t)
      const send = (method: string, path: string, body?: object) =>
        server.send(method, path, "role:staff", body)
      await send("POST", "/webhook-endpoints", { url: receiver.url, types: ["part.*"], roles: ["staff"] })
      const { id } = (await send("POST", "/parts", { name: "a", weight: 1 })).body
      const followed = await openStream(
        `${server.url}/events/stream?resource=part&filter[name]=b`,
        "role:staff",
      )
      const live = await openStream(`${server.url}/parts?live=true&interval=0.1`, "role:staff")
      const query = "query @live(interval: 0.1) { parts { nodes { name length } } }"
      const liveQuery = await openStream(
        `${server.url}/graphql`,
        "role:staff",
        { "content-type": "application/json" },
        JSON.stringify({ query }),
      )
      await live.until(1)
      await liveQuery.until(1)
      await write(url, `UPDATE part SET ${odd[database]}`)
      for (const [index, name] of ["b", "c"].entries()) {
        await followed.until(index)
        const { status, body } = await send("PATCH", `/parts/${id}`, { name })
        assert.equal(status, 200, JSON.stringify(body))
      }
      await until(() => receiver.received.length === 3)
      const nothing = Object.fromEntries(oddMembers[database].map((member) => [member, null]))
      for (const { body } of receiver.received.slice(1)) {
        const { record, errors } = body.data as {
          readonly record: Readonly<Record<string, unknown>>
          readonly errors: readonly Readonly<Record<string, unknown>>[]
        }
        assert.deepEqual({ ...record, ...nothing }, record)
        assert.deepEqual(
          errors.map(({ code, pointer }) => `${code} ${pointer}`),
          oddMembers[database].map((member) => `unrepresentable_value /record/${member}`),
        )
      }
      assert.deepEqual(
        (await followed.until(2)).map(({ data }) => data["kind"]),
        ["ENTERED", "LEFT"],
      )
      await until(() => live.frames.some(({ data }) => JSON.stringify(data).includes('"c"')))
      await until(() => liveQuery.frames.some(({ data }) => JSON.stringify(data).includes('"c"')))
      for (const one of [followed, live, liveQuery]) {
        assert.ok(one.frames.every(({ event }) => event !== "problem"))
        one.cut()
      }
      const page = await send("GET", "/events?resource=part")
      assert.equal(page.status, 200)
      const history = await send("GET", `/parts/${id}/history`)
      assert.equal(history.status, 200)
      assert.equal((history.body["data"] as readonly object[]).length, 3)
      assert.deepEqual(
        server.observed.filter(({ kind }) => kind === "failed"),
        [],
      )
    })

    test("a fault while a message is made is told each time, and all events go on", async (t) => {
      const url = await openDatabase(hooks, database, model)
      const receiver = await startReceiver(t)
      let gone = 0
      const server = await openServer(hooks, url, model, {
        dialer: { networks: "any" },
        now: () => Date.now() + gone,
        elapsed: () => performance.now() + gone,
      })
      const send = (method: string, path: string, body?: object) =>
        server.send(method, path, "role:staff", body)
      const endpoint = await send("POST", "/webhook-endpoints", {
        url: receiver.url,
        types: ["part.*"],
        roles: ["staff"],
      })
      const turn = async (to: "pause" | "resume"): Promise<void> => {
        const { status } = await send("POST", `/webhook-endpoints/${endpoint.body.id}/transitions/${to}`, {})
        assert.equal(status, 200)
      }
      await turn("pause")
      // The list of endpoints is read again.
      gone += 1_000
      const [broken, sound] = [
        (await send("POST", "/parts", { name: "broken", weight: 1 })).body.id,
        (await send("POST", "/parts", { name: "sound", weight: 1 })).body.id,
      ]
      // Reading the one record fails from here on.
      const weight =
        database === "sqlite"
          ? "CASE WHEN name = 'broken' THEN abs(-9223372036854775807 - 1) ELSE weight END"
          : "weight / (CASE WHEN name = 'broken' THEN 0 ELSE 1 END)"
      await write(
        url,
        `BEGIN; ALTER TABLE part RENAME TO kept; CREATE VIEW part AS SELECT id, name, ${weight} AS weight, length, born, seen FROM kept; COMMIT`,
      )
      await turn("resume")
      const told = () =>
        server.observed.flatMap((one) => (one.kind === "undelivered" ? [[one.record, one.attempts]] : []))
      await until(() => told().length > 0 && receiver.received.length > 0)
      assert.deepEqual(told()[0], [broken, 1])
      assert.equal(receiver.received[0]?.body.data["recordId"], sound)
      gone += 7_000
      await until(() => told().length > 1)
      assert.deepEqual(told()[1], [broken, 2])
      await write(url, "BEGIN; DROP VIEW part; ALTER TABLE kept RENAME TO part; COMMIT")
      await until(() => {
        gone += 10_000
        return receiver.received.length === 2
      })
      assert.equal(receiver.received[1]?.body.data["recordId"], broken)
      const metrics = createMetrics(ownRegistry(false))
      for (const one of server.observed) metrics.observe(one)
      const { text } = await metrics.scrape()
      assert.ok(text.includes(`bifold_webhook_attempts_total{outcome="fault"} ${told().length}`))
      const [fault] = server.observed.flatMap((one) => (one.kind === "undelivered" ? [entryOf(one)] : []))
      assert.deepEqual(
        [fault?.event, fault?.members],
        ["delivery_failed", { ...fault?.members, endpoint: endpoint.body.id, record: broken, attempts: 1 }],
      )
    })
  })
