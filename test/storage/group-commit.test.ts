// Writes that wait for a connection to PostgreSQL share a commit: each has the outcome that it would have had alone.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { Refusal } from "../../src/base/problem.ts"
import { startRequest } from "../../src/base/request.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { systemTables } from "../../src/sql/schema/system-tables.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage, StorageOptions } from "../../src/storage/storage.ts"
import type { Work, WorkShape } from "../../src/storage/write-request.ts"
import { type Hooks, temporaryPostgres } from "../support/database.ts"
import { gateFunction, holdConnections } from "./held-connections.ts"

const tables = `
  CREATE TABLE item (id int PRIMARY KEY, name text UNIQUE CHECK (name <> 'bad'), parent int
    REFERENCES item DEFERRABLE INITIALLY DEFERRED, count int NOT NULL DEFAULT 0,
    made xid8 DEFAULT pg_current_xact_id());
  CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(1.3); RETURN NEW; END $$;
  CREATE TRIGGER slow BEFORE INSERT ON item FOR EACH ROW WHEN (NEW.name LIKE 'slow%') EXECUTE FUNCTION wait();
  ${gateFunction}
  INSERT INTO item (id, name) SELECT -n, 'old ' || n FROM generate_series(1, 20) AS n`

const shapeOf = (commands: readonly (readonly [text: string, takes: number])[], sure = true): WorkShape => ({
  commands: commands.map(([text, takes]) => ({ text, takes, present: true })),
  wanted: [0],
  takes: commands.reduce((sum, [, takes]) => sum + takes, 0),
  sure: sure && commands.length === 1,
  writes: ["item"],
})

const insert = shapeOf([["INSERT INTO item (id, name, parent) VALUES ($1, $2, $3) RETURNING id", 3]])
const update = shapeOf([["UPDATE item SET count = count + 1 WHERE id = $1 RETURNING count", 1]])
const both = shapeOf([
  ["INSERT INTO item (id, name, parent) VALUES ($1, $2, $3) RETURNING id", 3],
  ["UPDATE item SET count = count + 1 WHERE id = $1 RETURNING count", 1],
])

type Opened = Awaited<ReturnType<typeof open>>

async function open(hooks: Hooks, options: Partial<StorageOptions> = {}) {
  const url = await temporaryPostgres(hooks)
  const client = new pg.Client(url)
  client.on("error", () => {})
  await client.connect()
  hooks.after(() => client.end())
  await client.query(tables)
  for (const statement of systemTables(postgres, ["idempotency"])) await client.query(statement)
  const storage = await openStorage(url, { writes: "unsafe", ...options })
  hooks.after(() => storage.close())
  const rows = async <Row>(text: string): Promise<readonly Row[]> => (await client.query(text)).rows as Row[]
  return { storage, client, rows }
}

/** As a client, the outcome or the code of the refusal. */
async function write({ write }: Storage, work: Work, client = "a"): Promise<string> {
  try {
    const outcome = await write?.(work, startRequest(client))
    if (outcome?.kind === "violated") return `violated ${outcome.violation.rule}`
    return outcome?.kind === "refused" ? `refused ${outcome.why}` : String(outcome?.kind)
  } catch (fault) {
    if (fault instanceof Refusal) return fault.problems[0].code
    throw fault
  }
}

const inserted = (id: number, name = `new ${id}`, parent: number | null = null): Work => ({
  shape: insert,
  parameters: [id, name, parent],
})

/** More than there are connections for writes. */
const many = 300

/** The first writes wait until all are there, and are done over one connection. */
async function doneByOne(opened: Opened, count: number, ask: () => Promise<string>[]): Promise<string[]> {
  const { waiting, letGo, held } = await holdConnections(opened.storage, opened.rows)
  const asked = ask()
  await waiting((length) => length === count)
  await letGo(0, 1)
  await waiting((length) => length < count / 2)
  await letGo(1)
  await Promise.all(held)
  return Promise.all(asked)
}

const transactionsIn = async ({ rows }: Opened): Promise<number> => {
  const [{ transactions } = { transactions: 0 }] = await rows<{ transactions: number }>(
    "SELECT count(DISTINCT made)::int AS transactions FROM item WHERE id >= 0",
  )
  return transactions
}

test("writes that wait share commits, and clients take turns", async (t) => {
  const opened = await open(t)
  const { storage } = opened
  const order: string[] = []
  const outcomes = await doneByOne(opened, many, () =>
    Array.from({ length: many }, async (_, id) => {
      const client = id < many - 10 ? "greedy" : `modest ${id}`
      const outcome = await write(storage, inserted(id), client)
      order.push(client)
      return outcome
    }),
  )
  assert.deepEqual(new Set(outcomes), new Set(["done"]))
  const transactions = await transactionsIn(opened)
  assert.ok(transactions < many, `${many} writes in ${transactions} transactions`)
  const last = order.findLastIndex((client) => client !== "greedy")
  assert.ok(last < 30, `the last of 10 modest clients was answered as number ${last} of ${many}`)
})

test("one that fails takes no other along, and is told why", async (t) => {
  const opened = await open(t)
  const { storage, rows } = opened
  const expected: string[] = []
  const works = Array.from({ length: many }, (_, id): Work => {
    const kind = id % 10
    const tell = (outcome: string, work: Work): Work => {
      expected.push(outcome)
      return work
    }
    if (kind === 1) return tell("violated unique", inserted(id, "old 1"))
    if (kind === 2) return tell("violated check", inserted(id, "bad"))
    if (kind === 3) return tell("refused absent", { shape: update, parameters: [1_000_000] })
    if (kind === 4)
      return tell("refused absent", { shape: both, parameters: [id, `new ${id}`, null, 1_000_000] })
    // Said at the commit, and only then.
    if (id % 100 === 95) return tell("violated reference", inserted(id, `new ${id}`, 1_000_000))
    if (kind === 6) return tell("done", { shape: both, parameters: [id, `new ${id}`, -1, -2] })
    if (kind === 7) return tell("done", { shape: update, parameters: [-3] })
    return tell("done", inserted(id))
  })
  const outcomes = await doneByOne(opened, many, () =>
    works.map((work, at) => write(storage, work, `client ${at % 7}`)),
  )
  const differing = outcomes.flatMap((outcome, at) =>
    outcome === expected[at] ? [] : [`${at}: ${outcome}, not ${expected[at]}`],
  )
  assert.deepEqual(differing, [])
  const [found] = await rows("SELECT count(*)::int AS count FROM item WHERE id >= 0")
  const created = works.filter((work, at) => expected[at] === "done" && work.shape !== update).length
  assert.deepEqual(found, { count: created })
  const transactions = await transactionsIn(opened)
  assert.ok(transactions < created, `${created} records were made in ${transactions} transactions`)
  const counts = await rows("SELECT id, count FROM item WHERE count > 0 ORDER BY id DESC")
  assert.deepEqual(counts, [
    { id: -2, count: many / 10 },
    { id: -3, count: many / 10 },
  ])
})

test("a slow one, and one that waits for a lock, keep no other from being done", async (t) => {
  const { storage, client } = await open(t)
  await client.query("BEGIN; SELECT * FROM item WHERE id = -5 FOR UPDATE")
  const ended: number[] = []
  const works = Array.from({ length: many }, (_, id): Work => {
    if (id === 50) return { shape: update, parameters: [-5] }
    return inserted(id, id === 60 ? "slow" : `new ${id}`)
  })
  const all = works.map(async (work, at) => {
    const outcome = await write(storage, work, `client ${at % 7}`)
    ended.push(at)
    return outcome
  })
  while (ended.length < many - 1) await sleep(20)
  assert.ok(!ended.includes(50), "it waits for its lock")
  await client.query("COMMIT")
  assert.deepEqual(new Set(await Promise.all(all)), new Set(["done"]))
})

test("none is refused while somebody else has the table locked, and all are done soon after", async (t) => {
  const { storage, client } = await open(t)
  await client.query("BEGIN; LOCK TABLE item")
  let ended = 0
  const all = Array.from({ length: many }, async (_, id) => {
    const outcome = await write(storage, inserted(id), id % 10 === 0 ? "modest" : "greedy")
    ended += 1
    return outcome
  })
  // Those that have a connection wait for the lock for half a second, and then among few.
  while ((storage.lanes().find(({ lane }) => lane === "write")?.used ?? 0) > 4) await sleep(20)
  assert.equal(ended, 0)
  await client.query("COMMIT")
  assert.deepEqual(new Set(await Promise.all(all)), new Set(["done"]))
})

/** Counts how often each item was inserted, also where that was undone. One that is torn fails twice as if others had changed what it read. */
const attempts = `
  CREATE FUNCTION count_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE attempt int := nextval('attempt_' || NEW.id); BEGIN
      IF NEW.name = 'torn' AND attempt <= 2 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
      RETURN NEW; END $$;
  CREATE TRIGGER counted BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION count_attempt();
  DO $$ BEGIN FOR id IN 0..39 LOOP EXECUTE 'CREATE SEQUENCE attempt_' || id; END LOOP; END $$`

test("one that is not serializable is done again by itself, and those with it together", async (t) => {
  const opened = await open(t)
  const { storage, rows } = opened
  await rows(attempts)
  const [count, torn] = [40, 20]
  const outcomes = await doneByOne(opened, count, () =>
    Array.from({ length: count }, (_, id) =>
      write(storage, inserted(id, id === torn ? "torn" : `new ${id}`), `client ${id}`),
    ),
  )
  assert.deepEqual(new Set(outcomes), new Set(["done"]))
  const found = await rows<{ id: number; attempts: number; made: string }>(
    "SELECT id, coalesce(pg_sequence_last_value(('attempt_' || id)::regclass), 0)::int AS attempts, made FROM item WHERE id >= 0",
  )
  assert.equal(found.find(({ id }) => id === torn)?.attempts, 3)
  const others = found.filter(({ id }) => id !== torn)
  assert.deepEqual(
    others.filter(({ attempts }) => attempts > 2),
    [],
    "taken along more than once",
  )
  const along = others.filter(({ attempts }) => attempts === 2)
  assert.ok(along.length > 0)
  assert.equal(new Set(along.map(({ made }) => made)).size, 1, "they share a commit")
})

test("writes beside code whose transactions read what they change are all done, each once", async (t) => {
  const { storage, rows } = await open(t, { serializable: true })
  const { transact } = storage
  assert.ok(transact)
  const sums: WorkShape = shapeOf([
    [
      "UPDATE item SET count = (SELECT sum(count) FROM item WHERE id BETWEEN -5 AND -1) WHERE id = -6 RETURNING count",
      0,
    ],
  ])
  const codes = Array.from({ length: 20 }, (_, at) =>
    transact(
      async (session) => {
        await session.run({ shape: sums, parameters: [] })
        return [null]
      },
      { lasts: 60_000, names: ["sums"], request: startRequest(`code ${at % 3}`) },
    ),
  )
  const writes = Array.from({ length: many }, (_, at) =>
    write(storage, { shape: update, parameters: [-1 - (at % 5)] }, `client ${at % 7}`),
  )
  assert.deepEqual(new Set(await Promise.all(writes)), new Set(["done"]))
  for (const { kind } of await Promise.all(codes)) assert.equal(kind, "done")
  const [{ sum } = { sum: 0 }] = await rows<{ sum: number }>(
    "SELECT sum(count)::int AS sum FROM item WHERE id BETWEEN -5 AND -1",
  )
  assert.equal(sum, many)
})

test("a key of idempotency is used once, whichever commits share it", async (t) => {
  const { storage, rows } = await open(t)
  const now = "2026-11-27T12:00:00.000Z"
  const outcomes = await Promise.all(
    Array.from({ length: many }, (_, at) =>
      write(storage, {
        ...inserted(at % 30, `new ${at % 30}`),
        once: {
          scope: "",
          key: `key ${at % 30}`,
          fingerprint: "one",
          now,
          since: "2026-11-26T12:00:00.000Z",
        },
      }),
    ),
  )
  for (const outcome of outcomes) assert.ok(["done", "replayed", "pending"].includes(outcome), outcome)
  assert.equal(outcomes.filter((outcome) => outcome === "done").length, 30)
  assert.deepEqual(await rows("SELECT count(*)::int AS count FROM item WHERE id >= 0"), [{ count: 30 }])
})

test("what is acknowledged is there when connections are killed", async (t) => {
  const { storage, client, rows } = await open(t)
  const done: number[] = []
  let under = true
  const all = Array.from({ length: 20 }, async (_, line) => {
    for (let at = 0; at < 60; at += 1) {
      const id = line * 1_000 + at
      const outcome = await write(storage, inserted(id), `client ${line}`)
      if (outcome === "done") done.push(id)
      else assert.equal(outcome, "storage_unavailable")
    }
  })
  const killing = (async () => {
    while (under) {
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bifold' AND datname = current_database() AND query LIKE '%item%' AND random() < 0.3",
      )
      await sleep(30)
    }
  })()
  await Promise.all(all)
  under = false
  await killing
  const there = new Set((await rows<{ id: number }>("SELECT id FROM item WHERE id >= 0")).map(({ id }) => id))
  assert.deepEqual(
    done.filter((id) => !there.has(id)),
    [],
  )
  assert.ok(done.length > 0)
})

test("many that change the same few records in any order each count once", async (t) => {
  const { storage, rows } = await open(t)
  const pair = shapeOf([
    ["UPDATE item SET count = count + 1 WHERE id = $1 RETURNING count", 1],
    ["UPDATE item SET count = count + 1 WHERE id = $1 RETURNING count", 1],
  ])
  const sum = async () => (await rows<{ sum: number }>("SELECT sum(count)::int AS sum FROM item"))[0]?.sum
  const single = (at: number): Work => ({ shape: update, parameters: [-1 - (at % 5)] })
  const outcomes = await Promise.all(
    Array.from({ length: many }, (_, at) => write(storage, single(at), `client ${at % 7}`)),
  )
  assert.deepEqual(new Set(outcomes), new Set(["done"]))
  assert.equal(await sum(), many)
  // Pairs meet, and what meets too often is refused.
  const mixed = await Promise.all(
    Array.from({ length: many }, async (_, at) => {
      const parameters = [-1 - (at % 5), -1 - ((at * 7 + 3) % 5)]
      const work = at % 2 === 0 ? single(at) : { shape: pair, parameters }
      const outcome = await write(storage, work, `client ${at % 7}`)
      assert.ok(["done", "overloaded"].includes(outcome), outcome)
      return outcome === "done" ? work.parameters.length : 0
    }),
  )
  assert.equal(await sum(), many + mixed.reduce((all, one) => all + one, 0))
})
