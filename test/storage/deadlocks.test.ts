// Transactions that want the same records in another order: PostgreSQL ends one of them, and it is done all the same.
import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { f, resource, service, signedIn } from "../../src/index.ts"
import { readFault } from "../../src/storage/faults.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
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

/** Others are in its way at its first tries: it is done again in the line of its tables. */
const lined: WorkShape = {
  commands: [{ text: "SELECT fail_first()", takes: 0, present: true }],
  wanted: [0],
  takes: 0,
  sure: true,
  writes: ["a", "b"],
}

/** @param tries that fail, of all processes */
async function openLined(context: TestContext, tries: number) {
  const url = await temporaryPostgres(context)
  const admin = new pg.Client({ connectionString: url })
  admin.on("error", () => {}) // its database is dropped when the test ends
  await admin.connect()
  context.after(() => admin.end())
  await admin.query(`
    CREATE SEQUENCE tries;
    CREATE FUNCTION fail_first() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') <= ${tries} THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
      RETURN 1; END $$;`)
  return { url, admin }
}

const lineOf = (table: string): string => `(1667856239, hashtext('${table}'))`
const lockOf = (name: string): string => `(hashtextextended('${name}', 7163384699739271168))`

test("a write whose time is over in the line keeps no place in it", async (context) => {
  const { url, admin } = await openLined(context, 1)
  const storage = await openStorage(url, { writes: "unsafe", deadline: 1_000 })
  try {
    // As a process that is in the line of one of the tables.
    await admin.query(`SELECT pg_advisory_lock${lineOf("b")}`)
    await assert.rejects(async () => storage.write?.({ shape: lined, parameters: [] }), /too long/)
    const { rows } = await admin.query("SELECT last_value FROM tries")
    assert.deepEqual(rows, [{ last_value: "1" }], "it was not begun a second time")
    await admin.query("SET lock_timeout = '5s'")
    await assert.doesNotReject(
      admin.query(`SELECT pg_advisory_lock${lineOf("a")}`),
      "the line of the other table is free",
    )
  } finally {
    await storage.close()
  }
})

interface Locking {
  readonly what: string
  /** Two locks that it takes, in this order. */
  readonly locks: readonly [first: string, second: string]
  readonly ask: (storage: Storage) => Promise<unknown> | undefined
}

const locking: readonly Locking[] = [
  {
    what: "a write in the line of two tables",
    locks: [lineOf("a"), lineOf("b")],
    ask: (storage) => storage.write?.({ shape: lined, parameters: [] }),
  },
  {
    what: "a transaction of user code",
    locks: [lockOf(""), lockOf("x")],
    ask: (storage) => storage.transact?.(async () => [null], { lasts: 100, names: ["x"] }),
  },
]

for (const { what, locks, ask } of locking)
  test(`${what} waits for its locks as long as its time is, and not for each of them`, async (context) => {
    const { url, admin } = await openLined(context, 2)
    const [patient, hasty] = [
      await openStorage(url, { writes: "unsafe", deadline: 1_000 }),
      await openStorage(url, { writes: "unsafe", deadline: 500 }),
    ]
    const ended: string[] = []
    const refused = async (storage: Storage, name: string): Promise<void> => {
      await assert.rejects(async () => ask(storage), /too long/)
      ended.push(name)
    }
    try {
      for (const lock of locks) await admin.query(`SELECT pg_advisory_lock${lock}`)
      const first = refused(patient, "asked first, with a second")
      await sleep(800)
      await admin.query(`SELECT pg_advisory_unlock${locks[0]}`)
      await Promise.all([first, refused(hasty, "asked later, with half a second")])
      assert.deepEqual(ended, ["asked first, with a second", "asked later, with half a second"])
    } finally {
      await Promise.all([patient.close(), hasty.close()])
    }
  })
