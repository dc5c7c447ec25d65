// Changes by other programs, which triggers of PostgreSQL log: the same entries that Bifold writes of its own.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import pg from "pg"
import type { LogRow } from "../../src/storage/log-types.ts"
import { cleanUp } from "../support/database.ts"
import { ledger, ledgerTables } from "./ledger.ts"
import { type Logging, openLogging } from "./open.ts"

const hooks = cleanUp(after)
let of: Logging
/** Another program. */
let other: pg.Client

async function connect(url: string, settings = ""): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  hooks.after(() => client.end())
  if (settings) await client.query(settings)
  return client
}

before(async () => {
  of = await openLogging(hooks, "postgres", ledger, ledgerTables)
  // The settings of a session have no say in what is logged.
  other = await connect(
    of.url,
    "SET TIME ZONE 'Asia/Tokyo'; SET datestyle = 'German'; SET extra_float_digits = -3; SET intervalstyle = 'iso_8601'; SET search_path = sales, public",
  )
})

const ann = "00000000-0000-4000-8000-00000000000a"
const ben = "00000000-0000-4000-8000-00000000000b"
const orders = `sales."Order's"`

/** A row as it stands in the table, all of it but what is given to each. */
const kept = `SELECT resource, record, number, type, transition, "from", "to", input::text, old::text, new::text FROM bifold_log WHERE seq > $1 ORDER BY seq`

async function lastSeq(): Promise<string> {
  const { rows } = await other.query("SELECT coalesce(max(seq), 0) AS seq FROM bifold_log")
  return rows[0].seq
}

/** The rows of the log that the work has left. */
async function keptOf(work: () => Promise<void>): Promise<readonly unknown[]> {
  const seq = await lastSeq()
  await work()
  return (await other.query(kept, [seq])).rows
}

async function eventsOf(work: () => Promise<unknown>): Promise<readonly LogRow[]> {
  const last = await of.log.latest()
  await work()
  return (await of.log.read(last, 1_000)) as readonly LogRow[]
}

const typed = (rows: readonly LogRow[]) => rows.map(({ type, record }) => `${type} ${record}`)

async function rest(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await of.as("anyone").rest(method, path, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
}

test("an entry is byte for byte the one that Bifold writes of the same change", async () => {
  const byBifold = await keptOf(async () => {
    await rest("POST", "/customers", { id: `cus_${ann}`, name: "Ann" })
    await rest("POST", "/customers", { id: `cus_${ben}`, name: "Ben" })
    await rest("POST", "/orders", {
      id: "ord_1",
      total: "12.50",
      big: "9223372036854775807",
      rate: 0.1,
      small: 0.1,
      extra: { b: [1, null], a: "ü\n" },
      raw: { z: 1.5 },
      words: ["a", 'b"c\\'],
      seen: "2026-01-02T03:04:05.678901Z",
      local: "2026-01-02T03:04:05.5Z",
      day: "2026-01-31",
      clock: "03:04:05",
      body: "AAEC/w==",
      isSure: true,
      mood: "hectic",
      code: "ab",
      took: "1 day 02:00:00",
      buyerId: `cus_${ann}`,
    })
    await rest("PATCH", "/orders/ord_1", { total: "13.00", seen: null, words: [], buyerId: `cus_${ben}` })
    await rest("PATCH", "/orders/ord_1", { mood: "calm", extra: null, rate: 0.1 + 0.2 })
    await rest("DELETE", "/orders/ord_1")
    await rest("POST", "/places", { orderNo: 1, spot: "a~b%", amount: 2 })
    await rest("DELETE", "/places/pla_1~a%257Eb%2525")
    await rest("DELETE", `/customers/cus_${ann}`)
    await rest("DELETE", `/customers/cus_${ben}`)
  })
  const byOthers = await keptOf(async () => {
    await other.query(`INSERT INTO customer VALUES ('${ann}', 'Ann')`)
    await other.query(`INSERT INTO customer VALUES ('${ben}', 'Ben')`)
    await other.query(
      `INSERT INTO ${orders} VALUES (1, 12.5, 9223372036854775807, 0.1, 0.1, '{"b": [1, null], "a": "ü\\n"}', '{"z":1.5}', ARRAY['a', 'b"c\\'],
       '2026-01-02 03:04:05.678901+00', '2026-01-02 03:04:05.5', DATE '2026-01-31', '03:04:05', '\\x000102ff', TRUE, 'hectic', 'ab', '26 hours'::interval - '24 hours' + '1 day', DEFAULT, 'h', '${ann}')`,
    )
    await other.query(`UPDATE ${orders} SET "Total" = 13, seen = NULL, words = '{}', customer_id = '${ben}'`)
    await other.query(`UPDATE ${orders} SET mood = 'calm', extra = NULL, rate = 0.30000000000000004`)
    await other.query(`DELETE FROM ${orders}`)
    await other.query("INSERT INTO place VALUES (1, 'a~b%', 2)")
    await other.query("DELETE FROM place")
    await other.query(`DELETE FROM customer WHERE id = '${ann}'`)
    await other.query(`DELETE FROM customer WHERE id = '${ben}'`)
  })
  assert.equal(byBifold.length, 10)
  assert.deepEqual(byOthers, byBifold)
})

test("has the version that the record's answer has, and nobody as its actor", async () => {
  const [row] = await eventsOf(() => other.query("INSERT INTO place VALUES (2, 'x')"))
  const { headers } = await of.as("anyone").rest("GET", "/places/pla_2~x")
  assert.equal(headers["etag"]?.split(".")[0], `"${row?.version}`)
  assert.deepEqual([row?.actor, row?.transition, row?.input], [null, null, null])
  assert.ok(Math.abs(Date.parse(row?.at ?? "") - Date.now()) < 60_000)
  const [moved] = await eventsOf(() => other.query("UPDATE place SET amount = 5 WHERE order_no = 2"))
  const now = await of.as("anyone").rest("GET", "/places/pla_2~x")
  assert.equal(now.headers["etag"]?.split(".")[0], `"${moved?.version}`)
  assert.notEqual(moved?.version, row?.version)
})

test("every way to write a row is logged once", async () => {
  const all = async (...texts: readonly string[]) =>
    typed(
      await eventsOf(async () => {
        for (const text of texts) await other.query(text)
      }),
    )
  await other.query("DELETE FROM place")
  assert.deepEqual(
    await all(
      "INSERT INTO place VALUES (3, 'a', 1) ON CONFLICT DO NOTHING",
      "INSERT INTO place VALUES (3, 'a', 1) ON CONFLICT DO NOTHING",
      "INSERT INTO place VALUES (3, 'a', 2), (3, 'b', 2) ON CONFLICT (order_no, spot) DO UPDATE SET amount = EXCLUDED.amount",
      "UPDATE place SET amount = 2",
      "COPY place FROM PROGRAM 'printf \"4,c,1\\n4,d,1\\n\"' WITH (FORMAT csv)",
      "UPDATE place SET spot = 'e' WHERE spot = 'c'",
      "DELETE FROM place WHERE order_no = 3",
    ),
    [
      "place.created pla_3~a",
      "place.updated pla_3~a",
      "place.created pla_3~b",
      "place.created pla_4~c",
      "place.created pla_4~d",
      "place.deleted pla_4~c",
      "place.created pla_4~e",
      "place.deleted pla_3~a",
      "place.deleted pla_3~b",
    ],
  )
  const { rows } = await other.query("SHOW server_version_num")
  if (Number(rows[0].server_version_num) >= 150_000)
    assert.deepEqual(
      await all(
        "MERGE INTO place USING (VALUES (4, 'd'), (4, 'e'), (5, 'f')) AS s (n, t) ON order_no = n AND spot = t WHEN MATCHED AND t = 'd' THEN DELETE WHEN MATCHED THEN UPDATE SET amount = 9 WHEN NOT MATCHED THEN INSERT VALUES (n, t)",
      ),
      ["place.deleted pla_4~d", "place.updated pla_4~e", "place.created pla_5~f"],
    )
  assert.deepEqual((await all("TRUNCATE place")).toSorted(), [
    "place.deleted pla_4~e",
    "place.deleted pla_5~f",
  ])
  assert.deepEqual(
    await all(
      "BEGIN",
      "INSERT INTO place VALUES (6, 'x')",
      "SAVEPOINT one",
      "INSERT INTO place VALUES (6, 'y')",
      "ROLLBACK TO one",
      "COMMIT",
      "BEGIN",
      "DELETE FROM place",
      "ROLLBACK",
    ),
    ["place.created pla_6~x"],
  )
  assert.deepEqual(
    await all(
      "INSERT INTO part VALUES (1, 1, 'n')",
      "UPDATE part SET note = 'm'",
      "UPDATE part SET year = 2",
      "DELETE FROM part",
    ),
    [
      "part.created par_1~1",
      "part.updated par_1~1",
      "part.deleted par_1~1",
      "part.created par_1~2",
      "part.deleted par_1~2",
    ],
  )
})

test("what changes no logged member leaves no entry", async () => {
  await other.query(`INSERT INTO ${orders} ("No", "Total", hidden) VALUES (7, 1, 'a')`)
  const rows = await eventsOf(async () => {
    await other.query(`UPDATE ${orders} SET hidden = 'b'`)
    await other.query(`UPDATE ${orders} SET "Total" = 1.00`)
    await other.query("UPDATE place SET amount = amount")
  })
  assert.deepEqual(rows, [])
})

test("Bifold's own writes are logged once, and what they set off in the database too", async () => {
  await rest("POST", "/customers", { id: `cus_${ann}`, name: "Ann" })
  await other.query(`INSERT INTO ${orders} ("No", customer_id) VALUES (8, '${ann}')`)
  const rows = await eventsOf(async () => {
    await rest("POST", "/places", { orderNo: 9, spot: "a", amount: 1 })
    await rest("PUT", "/places/pla_9~a", { amount: 2 })
    await rest("PATCH", "/places/pla_9~a", { amount: 3 })
    await rest("DELETE", "/places/pla_9~a")
    // The foreign key deletes the order.
    await rest("DELETE", `/customers/cus_${ann}`)
  })
  assert.deepEqual(typed(rows), [
    "place.created pla_9~a",
    "place.updated pla_9~a",
    "place.updated pla_9~a",
    "place.deleted pla_9~a",
    `customer.deleted cus_${ann}`,
    "order.deleted ord_8",
  ])
  const { dialects } = of.storage
  assert.equal(dialects.write.writes.oddities?.({ name: "place" })?.triggered, undefined)
})

test("triggers of people that write the same row again are logged after the change itself", async () => {
  await other.query(
    "CREATE FUNCTION raise_amount() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE public.place SET amount = 100 WHERE spot = NEW.spot; RETURN NULL; END $$",
  )
  await other.query(
    `CREATE TRIGGER "0_first" AFTER INSERT ON place FOR EACH ROW EXECUTE FUNCTION raise_amount()`,
  )
  const rows = await eventsOf(async () => {
    await other.query("INSERT INTO place VALUES (10, 'theirs')")
    await rest("POST", "/places", { orderNo: 11, spot: "own", amount: 1 })
  })
  await other.query("DROP FUNCTION raise_amount CASCADE")
  assert.deepEqual(
    rows.map(({ type, record, new: fresh }) => [type, record, fresh?.["amount"]]),
    [
      ["place.created", "pla_10~theirs", 1],
      ["place.updated", "pla_10~theirs", 100],
      ["place.created", "pla_11~own", 1],
      ["place.updated", "pla_11~own", 100],
    ],
  )
})

test("other programs need no rights on the log, and can have nothing written to it", async () => {
  const role = `bifold_other_${process.pid}`
  await other.query(
    `CREATE ROLE ${role}; GRANT INSERT, SELECT ON place TO ${role}; GRANT CREATE ON SCHEMA public TO ${role}`,
  )
  hooks.after(() => other.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`).then(() => {}))
  const session = await connect(of.url, `SET ROLE ${role}`)
  const rows = await eventsOf(() => session.query("INSERT INTO place VALUES (12, 'z')"))
  assert.deepEqual(typed(rows), ["place.created pla_12~z"])
  await assert.rejects(session.query("SELECT FROM bifold_log"), /permission denied/)
  // A trigger on a table of theirs would write entries of records that there are not.
  const { rows: made } = await other.query(
    "SELECT proname FROM pg_proc WHERE proname ~ '^bifold_capture.*place$'",
  )
  await session.query("CREATE TABLE forged (order_no integer, spot text, amount integer)")
  await assert.rejects(
    session.query(
      `CREATE TRIGGER t AFTER INSERT ON forged FOR EACH ROW EXECUTE FUNCTION ${made[0].proname}()`,
    ),
    /permission denied/,
  )
})
