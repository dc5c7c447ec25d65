// The order in which the log is read while many write to it: nothing is lost, nothing comes twice, and each record's
// changes come in their order. The same with a reader that trusts the numbers that the database makes shows what would be.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import pg from "pg"
import { anyone, f, resource, service } from "../../src/index.ts"
import type { LogRow } from "../../src/storage/log-types.ts"
import { cleanUp, type Hooks } from "../support/database.ts"
import { type Database, databases, type Logging, openLogging } from "./open.ts"

const hooks = cleanUp(after)
const full = process.env["BIFOLD_PROOF"] === "full"
const milliseconds = full ? 120_000 : 2_000
const timeout = 300_000
const writers = 10
const records = 6

const counters = service({
  name: "counters",
  resources: {
    counter: resource({
      id: "cou",
      fields: { name: f.text({ unique: true }), count: f.integer({ default: 0 }) },
      history: true,
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
  },
})

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

async function opened(database: Database): Promise<{ of: Logging; ids: readonly string[] }> {
  const of = await openLogging(hooks, database, counters)
  const ids: string[] = []
  for (let index = 0; index < records; index += 1) {
    const { body } = await of.as("anyone").rest<{ id: string }>("POST", "/counters", { name: `c${index}` })
    ids.push(body.id)
  }
  return { of, ids }
}

/** One after the other, in one transaction. */
const writeAll = (of: Logging, ids: readonly string[], count: number) =>
  of.as("anyone").rest("POST", "/batch", {
    requests: ids.map((id) => ({ method: "PATCH", path: `/counters/${id}`, body: { count } })),
  })

/** By one statement on PostgreSQL. */
const writeOne = (of: Logging, id: string | undefined, count: number) =>
  of.as("anyone").rest("PATCH", `/counters/${id}`, { count })

async function client(hooks: Hooks, url: string): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: url })
  opened.on("error", () => {})
  await opened.connect()
  hooks.after(() => opened.end())
  return opened
}

/** Goes on from the last row that it saw, each time it is asked. */
function follow(of: Logging): { readonly rows: LogRow[]; more(): Promise<void> } {
  const rows: LogRow[] = []
  return {
    rows,
    async more() {
      const next = await of.log.read(rows.at(-1)?.position ?? 0n, 1 + Math.floor(Math.random() * 50))
      rows.push(...next)
    },
  }
}

/** What goes by the numbers that the database makes, which are given before a transaction is committed. */
function followNaively(client: pg.Client): { readonly rows: string[]; more(): Promise<void> } {
  const rows: string[] = []
  return {
    rows,
    async more() {
      const found = await client.query<{ seq: string }>(
        "SELECT seq FROM bifold_log WHERE seq > $1 ORDER BY seq",
        [rows.at(-1) ?? "0"],
      )
      rows.push(...found.rows.map(({ seq }) => seq))
    },
  }
}

/** Each record's versions, from the first on, without a gap and in their order; each begins where the one before ended. */
function checkRecords(rows: readonly LogRow[], ids: readonly string[]): void {
  for (const id of ids) {
    const own = rows.filter(({ record }) => record === id)
    const versions = own.map(({ version }) => Number(version))
    let count: unknown = 0
    for (const { old, new: fresh, version } of own.slice(1)) {
      assert.equal(old?.["count"] ?? count, count, `${id} ${version}`)
      count = fresh?.["count"] ?? count
    }
    assert.deepEqual(
      versions,
      versions.map((_, index) => index + 1),
      id,
    )
  }
  const positions = rows.map(({ position }) => position)
  assert.ok(positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0n)))
}

/**
 * A change of c1 waits for a lock without the writer's bound: a write that waited longer would be done again, and get numbers
 * behind the later transaction's.
 */
const waitsInside = `
  CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0
    AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END';
  CREATE TRIGGER hold BEFORE UPDATE ON counter FOR EACH ROW WHEN (NEW.name = 'c1') EXECUTE FUNCTION hold()`

test("a transaction that is committed after a later one is read after it, on PostgreSQL", async () => {
  const { of, ids } = await opened("postgres")
  const [a = "", b = "", c = ""] = ids
  const blocking = await client(hooks, of.url)
  const naive = followNaively(await client(hooks, of.url))
  const real = follow(of)
  await blocking.query(waitsInside)
  await blocking.query("BEGIN")
  await blocking.query("SELECT pg_advisory_xact_lock(1)")
  const early = writeAll(of, [a, b], 1)
  // Another wait, such as for a longer file, may come before its first row has a number.
  const waits = "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
  while ((await blocking.query(waits)).rows.length === 0) await pause(10)
  assert.equal((await writeAll(of, [c], 1)).status, 200)
  for (let count = 0; count < 20; count += 1) await real.more()
  await naive.more()
  assert.ok(real.rows.some(({ record, version }) => record === c && version === "2"))
  await blocking.query("COMMIT")
  assert.equal((await early).status, 200)
  for (let count = 0; count < 20; count += 1) await real.more()
  await naive.more()
  checkRecords(real.rows, ids)
  assert.equal(real.rows.length, records + 3)
  assert.deepEqual(
    real.rows.slice(-3).map(({ record }) => record),
    [c, a, b],
  )
  assert.equal(naive.rows.length, records + 2, "whoever trusts the numbers loses the row that came late")
  assert.equal(await of.log.latest(), real.rows.at(-1)?.position)
})

for (const database of databases)
  describe(`many writers on ${database}`, () => {
    test("lose nothing, whoever reads meanwhile, and when some of them are killed", {
      timeout,
    }, async (t) => {
      const { of, ids } = await opened(database)
      const followers = Array.from({ length: 5 }, () => follow(of))
      const raw = database === "postgres" ? await client(hooks, of.url) : undefined
      const naive = raw && followNaively(raw)
      const end = Date.now() + milliseconds
      let done = 0
      let killed = 0
      let isLossShown = raw === undefined
      // On a busy machine it may take longer until a writer was killed, and until one was committed behind a later one.
      const goesOn = (): boolean =>
        Date.now() < end || done <= 50 || !isLossShown || (raw !== undefined && killed === 0)
      const write = async (): Promise<void> => {
        while (goesOn()) {
          // In one order, or they would wait for each other for ever.
          const some = ids.filter(() => Math.random() < 0.4)
          const [only = "", ...more] = some
          const answer = await (more.length > 0
            ? writeAll(of, some, done)
            : writeOne(of, only || ids[0], done))
          if (answer.status === 200) done += 1
        }
      }
      const kill = async (): Promise<void> => {
        const killer = await client(hooks, of.url)
        const some =
          "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'bifold' AND query LIKE '%bifold_log%' AND state <> 'idle' ORDER BY random() LIMIT 1) AS one"
        while (goesOn()) {
          await pause(50)
          killed += (await killer.query(some)).rows.length
        }
      }
      /** Whether the naive reader is past rows that it has not seen. */
      const look = async ({ rows }: { readonly rows: readonly string[] }): Promise<void> => {
        const looker = await client(hooks, of.url)
        while (!isLossShown) {
          await pause(50)
          const seen = rows.length
          const passed = "SELECT count(*) FROM bifold_log WHERE seq <= $1"
          const found = await looker.query<{ count: string }>(passed, [rows[seen - 1] ?? "0"])
          isLossShown = Number(found.rows[0]?.count) > seen
        }
      }
      await Promise.all([
        ...Array.from({ length: writers }, write),
        ...(naive ? [keepReading(naive, goesOn), look(naive)] : []),
        ...followers.map((follower) => keepReading(follower, goesOn)),
        ...(database === "postgres" ? [kill()] : []),
      ])
      for (const follower of followers)
        for (let at = -1; at !== follower.rows.length; ) {
          at = follower.rows.length
          await follower.more()
        }
      await naive?.more()
      const [one, ...others] = followers
      assert.ok(one)
      t.diagnostic(`${done} transactions, ${one.rows.length} rows, ${killed} killed`)
      assert.ok(done > 50)
      checkRecords(one.rows, ids)
      for (const other of others) assert.deepEqual(one.rows, other.rows)
      const stored = await of
        .as("anyone")
        .rest<{ data: readonly { id: string; etag: string }[] }>("GET", "/counters?fields=etag")
      for (const { id, etag } of stored.body.data)
        assert.equal(one.rows.findLast(({ record }) => record === id)?.version, etag)
      if (!raw || !naive) return
      const { rows } = await raw.query<{ count: string }>("SELECT count(*) FROM bifold_log")
      assert.equal(one.rows.length, Number(rows[0]?.count))
      assert.ok(killed > 0)
      assert.ok(naive.rows.length < one.rows.length, "whoever trusts the numbers loses rows")
    })
  })

/** A reader whose connection may be killed too: it asks again. */
async function keepReading(follower: { more(): Promise<void> }, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    await follower.more().catch(() => {})
    await pause(1)
  }
}

for (const database of databases)
  test(`what is old is forgotten a part at a time, and no position is given twice, on ${database}`, async () => {
    const { of, ids } = await opened(database)
    const before = await of.log.latest()
    const later = "2100-01-01T00:00:00Z"
    assert.equal(await of.log.forget({ before: "2000-01-01T00:00:00Z" }, 100), false)
    assert.equal(await of.log.forget({ before: later }, 2), true)
    assert.equal((await of.rows()).length, records - 2)
    while (await of.log.forget({ before: later }, 2));
    assert.deepEqual(
      (await of.rows()).map(({ position }) => position),
      [before],
    )
    await writeAll(of, ids.slice(0, 1), 1)
    assert.equal(await of.log.latest(), before + 1n)
    const filters = [
      { types: ["counter.updated"] },
      { record: ids[0] ?? "" },
      { resource: "counter", types: ["counter.updated", "x"] },
    ]
    for (const filter of filters) {
      const rows = await of.log.read(before, 10, filter)
      assert.deepEqual(
        rows.map(({ type }) => type),
        ["counter.updated"],
      )
    }
    assert.deepEqual(await of.log.read(0n, 10, { resource: "other" }), [])
  })
