// Transactions that want the same records in another order: PostgreSQL ends one of them, and it is done all the same.
import assert from "node:assert/strict"
import { test } from "node:test"
import pg from "pg"
import { f, resource, service, signedIn } from "../../src/index.ts"
import { readFault } from "../../src/storage/faults.ts"
import { openCode } from "../code/open.ts"

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
