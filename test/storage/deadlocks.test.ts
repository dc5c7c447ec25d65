// Transactions that want the same records in another order: PostgreSQL ends one of them, and it is done all the same.
import assert from "node:assert/strict"
import { test } from "node:test"
import pg from "pg"
import { f, resource, service, signedIn } from "../../src/index.ts"
import { readFault } from "../../src/storage/faults.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { WorkShape } from "../../src/storage/write-request.ts"
import { openCode } from "../code/open.ts"
import { temporaryPostgres } from "../support/database.ts"

const shop = service({
  name: "shop",
  resources: {
    item: resource({
      fields: {
        name: f.text({ unique: true }),
        count: f.integer({ default: 0 }),
        by: f.text({ optional: true }),
      },
      allow: { read: signedIn, create: signedIn, update: signedIn },
    }),
  },
})

test("sixteen at once, each the other way round than its neighbours, are all done", async (context) => {
  const opened = await openCode(context, shop, "postgres")
  const admin = new pg.Client({ connectionString: opened.url })
  await admin.connect()
  // Looked for after a second otherwise.
  await admin.query(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''20ms''', current_database()); END $$",
  )
  await admin.end()
  await opened.add({ item: [{ name: "a" }, { name: "b" }] })
  const client = opened.as("signedIn")
  const change = (name: string, by: number) => ({
    method: "PATCH",
    path: `/items/name=${name}`,
    body: { by: String(by) },
  })
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const requests = [change("a", index), change("b", index)]
      const { status } = await client.rest("POST", "/batch", {
        requests: index % 2 === 0 ? requests : requests.reverse(),
      })
      return status
    }),
  )
  assert.deepEqual(statuses, Array(16).fill(200))
  const { body } = await client.rest<{ data: readonly { by: string }[] }>("GET", "/items")
  assert.equal(new Set(body.data.map(({ by }) => by)).size, 1)
  assert.deepEqual(opened.faults, [])
})

test("what is still in another's way after all tries is for the client to try again", () => {
  const told = readFault(Object.assign(new Error("deadlock detected"), { code: "40P01" }))
  assert.match(String(told), /The database is busy/)
})

/** Others are in its way at its first try: it is done again in the line of its tables. */
const lined: WorkShape = {
  commands: [{ text: "SELECT fail_first()", takes: 0, present: true }],
  wanted: [0],
  takes: 0,
  sure: true,
  writes: ["a", "b"],
}

test("a write whose time is over in the line keeps no place in it", async (context) => {
  const url = await temporaryPostgres(context)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`
    CREATE SEQUENCE tries;
    CREATE FUNCTION fail_first() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') = 1 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
      RETURN 1; END $$;`)
  const storage = await openStorage(url, { writes: "unsafe", deadline: 1_000 })
  const ask = async (text: string): Promise<unknown> => (await admin.query(text)).rows[0].found
  try {
    // As a process that is in the line of one of the tables.
    await admin.query("SELECT pg_advisory_lock(1667856239, hashtext('b'))")
    await assert.rejects(async () => storage.write?.({ shape: lined, parameters: [] }), /too long/)
    assert.equal(await ask("SELECT last_value AS found FROM tries"), "1", "it was not begun a second time")
    await admin.query("SET lock_timeout = '5s'")
    await assert.doesNotReject(
      admin.query("SELECT pg_advisory_lock(1667856239, hashtext('a'))"),
      "the line of the other table is free",
    )
  } finally {
    await storage.close()
    await admin.end()
  }
})
