// A log that is kept for a time: what is older goes, a little at a time; what a handler has not come to stays, and that is said.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { anyone, f, resource, service, withCode } from "bifold"
import pg from "pg"
import { createCheckpoints } from "../../src/events/handlers/checkpoints.ts"
import type { HandlerObservation } from "../../src/events/handlers/followed.ts"
import { type RetentionOptions, startRetention } from "../../src/events/handlers/retention.ts"
import { allPartitions } from "../../src/sql/schema/system-tables.ts"
import { bifold, serving } from "../cli/run.ts"
import { openLogging } from "../log/open.ts"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const counters = service({
  name: "counters",
  log: { keep: "2 hours" },
  resources: {
    counter: resource({
      id: "cou",
      fields: { count: f.integer({ default: 0 }) },
      history: true,
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})
const handled = withCode(counters, { on: { "counter.updated": () => {} } })
const hour = 3_600_000

/** Looks often, by a clock of the test's. */
function start(hooks: Hooks, options: Pick<RetentionOptions, "model" | "storage" | "now">) {
  const told: HandlerObservation[] = []
  const retention = startRetention({ ...options, tell: (one) => told.push(one), pause: 5 })
  hooks.after(() => retention.close())
  return { told, ...retention }
}

/** Nothing can be removed from the log then. */
const refusing = {
  sqlite: ["CREATE TRIGGER refuses BEFORE DELETE ON bifold_log BEGIN SELECT RAISE(ABORT, 'not here'); END"],
  postgres: [
    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not here'; END $$",
    "CREATE TRIGGER refuses BEFORE DELETE ON bifold_log FOR EACH ROW EXECUTE FUNCTION refuse()",
  ],
} as const

/** Runs a statement on a connection of its own. */
async function connect(hooks: Hooks, url: string): Promise<(text: string) => Promise<unknown>> {
  if (!url.startsWith("postgres")) {
    const file = new DatabaseSync(url)
    hooks.after(() => file.close())
    return async (text) => (text.startsWith("SELECT") ? file.prepare(text).all() : file.exec(text))
  }
  const client = new pg.Client(url)
  await client.connect()
  hooks.after(() => client.end())
  return async (text) => (await client.query(text)).rows
}

async function reached(holds: () => Promise<boolean>): Promise<boolean> {
  for (const until = Date.now() + 10_000; Date.now() < until; await sleep(20)) if (await holds()) return true
  return false
}

for (const database of dialects)
  describe(`a log that is kept for a time, ${database}`, () => {
    const hooks = cleanUp(after)
    const open = async (declared: typeof counters) => {
      const of = await openLogging(hooks, database, declared)
      const created = await of.as("anyone").rest<{ id: string }>("POST", "/counters", {})
      const { id } = created.body
      const write = async (from: number, to: number): Promise<void> => {
        for (let count = from; count <= to; count += 1)
          assert.equal((await of.as("anyone").rest("PATCH", `/counters/${id}`, { count })).status, 200)
      }
      const [first] = await of.rows()
      return { of, id, write, began: Date.parse(first?.at ?? "") }
    }

    it("is there as long as it is said, and goes then, but for the last event", async () => {
      const { of, id, write, began } = await open(counters)
      await write(1, 30)
      const clock = { now: began + 2 * hour - 1_000 }
      const { told } = start(hooks, { ...of, now: () => clock.now })
      await sleep(150)
      assert.equal((await of.rows()).length, 31)
      clock.now = began + 3 * hour
      assert.ok(await reached(async () => (await of.rows()).length === 1))
      const history = await of
        .as("anyone")
        .rest<{ data: readonly { version: string }[] }>("GET", `/counters/${id}/history`)
      assert.deepEqual(
        history.body.data.map(({ version }) => version),
        ["31"],
      )
      await write(31, 31)
      assert.deepEqual((await of.rows()).map(({ version }) => version).at(-1), "32")
      assert.deepEqual(told, [])
    })

    it("stays where a handler has not come to it, nor to what failed, and that is said once", async () => {
      const { of, write, began } = await open(handled)
      await write(1, 9)
      const kept = createCheckpoints(of.storage)
      await kept.ready()
      const positions = (await of.rows()).map(({ position }) => position)
      const { told } = start(hooks, { ...of, now: () => began + 3 * hour })
      const left = async () => (await of.rows()).length
      // It has no position yet.
      await sleep(150)
      assert.equal(await left(), 10)
      await kept.add("counter.updated", positions[3] ?? 0n)
      assert.ok(await reached(async () => (await left()) === 6), `${await left()}`)
      await sleep(100)
      assert.equal(await left(), 6)
      const holder = kept.as("somebody")
      await holder.take(allPartitions, 60_000, [])
      const waiting = { handler: "counter.updated", record: "cou_1", attempts: 1, due: null, error: "x" }
      await holder.keep({ ...waiting, position: positions[5] ?? 0n })
      const moved = { handler: "counter.updated", position: positions[9] ?? 0n }
      await holder.move({ ...moved, partitions: allPartitions.slice(1) })
      await sleep(100)
      assert.equal(await left(), 6)
      await holder.move({ ...moved, partitions: allPartitions })
      assert.ok(await reached(async () => (await left()) === 5), `${await left()}`)
      await sleep(100)
      assert.equal(await left(), 5)
      assert.deepEqual(told, [{ kind: "held", handler: "counter.updated", since: began }])
      await holder.forget("counter.updated", "cou_1")
      assert.ok(await reached(async () => (await left()) === 1))
    })

    it("goes where bifold serve runs", async () => {
      const cwd = await temporaryFolder(hooks)
      const url = database === "sqlite" ? join(cwd, "counters.db") : await temporaryPostgres(hooks)
      writeFileSync(
        join(cwd, "service.ts"),
        `import { anyone, f, resource, service } from "bifold"
export default service({ name: "counters", log: { keep: "1 hour" }, resources: {
  counter: resource({ fields: { count: f.integer() }, history: true, allow: { read: anyone, create: anyone } }),
} })
`,
      )
      const applied = await bifold(["migrate", "apply", "service.ts", "--database", url], { cwd })
      assert.equal(applied.code, 0, applied.stderr)
      const run = await connect(hooks, url)
      for (let seq = 1; seq <= 3; seq += 1)
        await run(
          `INSERT INTO bifold_log (${database === "sqlite" ? "seq, " : ""}resource, record, version, type, number, at)
           VALUES (${database === "sqlite" ? `${seq}, ` : ""}'counter', 'counter_x', '1', 'counter.updated', ${seq}, '2020-01-01 00:00:00.000000')`,
        )
      const server = await serving(["service.ts", "--database", url, "--accept-data-loss"], { cwd })
      hooks.after(async () => void (await server.end()))
      const left = async (): Promise<number> => {
        const found = await run("SELECT count(*) AS left FROM bifold_log")
        return Number(JSON.stringify(found).match(/"left":"?(\d+)/)?.[1])
      }
      assert.equal(await left(), 3)
      assert.ok(await reached(async () => (await left()) === 1), `${await left()}`)
    })

    it("says once when nothing can be removed, and goes on when it can be", async () => {
      const { of, write, began } = await open(counters)
      await write(1, 3)
      const run = await connect(hooks, of.url)
      for (const text of refusing[database]) await run(text)
      const { told } = start(hooks, { ...of, now: () => began + 3 * hour })
      assert.ok(await reached(async () => told.length > 0))
      await sleep(100)
      assert.deepEqual(
        told.map(({ kind }) => kind),
        ["unforgotten"],
      )
      await run(`DROP TRIGGER refuses${database === "postgres" ? " ON bifold_log" : ""}`)
      assert.ok(await reached(async () => (await of.rows()).length === 1))
    })
  })
