// An operation whose time passes before its code runs names the cause: many are under way, or the file is locked.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { type TestContext, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { anyone, f, operation, resource, service, withCode } from "../../src/index.ts"
import { retryLocks, unlockAll } from "../../src/storage/postgres/retry-locks.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const plain = service({
  name: "desk",
  resources: { note: resource({ id: "not", fields: { text: f.text() }, allow: { read: anyone } }) },
})

/** Milliseconds. */
const own = 100

/** Transactions for own code that there can be at a time. */
const places = { sqlite: 1, postgres: 12 } as const

/** A service whose every place is held by an operation until `release`. @param deadline of requests, in milliseconds */
async function openHeld(
  context: TestContext,
  database: Database,
  trivial: { readonly deadline: number; readonly run: () => unknown },
  deadline?: number,
) {
  const released = Promise.withResolvers<void>()
  context.after(() => released.resolve())
  let begun = 0
  const desk = withCode(plain, {
    operations: {
      hold: operation({
        allow: anyone,
        deadline: 60_000,
        run: async () => {
          begun += 1
          await released.promise
        },
      }),
      trivial: operation({ allow: anyone, ...trivial }),
    },
  })
  const client = (await openCode(context, desk, database, deadline === undefined ? {} : { deadline })).as(
    "anyone",
  )
  const holding = Array.from({ length: places[database] }, () => client.rest("POST", "/actions/hold"))
  while (begun < places[database]) await sleep(10)
  const release = async (): Promise<void> => {
    released.resolve()
    for (const { status } of await Promise.all(holding)) assert.equal(status, 204)
  }
  return { client, release }
}

for (const database of dialects) {
  test(`an operation without a turn says that its time is over (${database})`, {
    timeout: 30_000,
  }, async (context) => {
    const { client, release } = await openHeld(context, database, { deadline: 300, run() {} }, 1_000)
    const { status, body } = await client.rest<{ code: string }>("POST", "/actions/trivial")
    assert.deepEqual([status, body.code], [503, "deadline_exceeded"])
    await release()
    assert.equal((await client.rest("POST", "/actions/trivial")).status, 204)
  })

  test(`an operation's own time begins when it has its turn (${database})`, {
    timeout: 30_000,
  }, async (context) => {
    const trivial = { deadline: own, run: () => sleep(10) }
    const { client, release } = await openHeld(context, database, trivial)
    const waits = client.rest("POST", "/actions/trivial")
    await sleep(own * 2)
    await release()
    assert.equal((await waits).status, 204)
  })
}

test("waiting in line to be done again is no time of the code (postgres)", {
  timeout: 30_000,
}, async (context) => {
  const desk = withCode(plain, {
    operations: { trivial: operation({ allow: anyone, deadline: own, run: () => sleep(10) }) },
  })
  const { as, url } = await openCode(context, desk, "postgres")
  const other = new pg.Client({ connectionString: url })
  other.on("error", () => {}) // its database is dropped when the test ends
  await other.connect()
  context.after(() => other.end())
  // As a transaction that excludes all others of user code.
  for (const { text, values } of retryLocks({ exclusion: "alone", names: [], left: 60_000 }))
    await other.query(text, [...values])
  const waits = as("anyone").rest("POST", "/actions/trivial")
  await sleep(own * 2)
  await other.query(unlockAll.text)
  assert.equal((await waits).status, 204)
})

test("an operation beside a locked SQLite file names the lock", { timeout: 30_000 }, async (context) => {
  const desk = withCode(plain, {
    operations: { trivial: operation({ allow: anyone, deadline: 300, run() {} }) },
  })
  const { as, url } = await openCode(context, desk, "sqlite", { deadline: 300 })
  const other = new DatabaseSync(url)
  context.after(() => other.close())
  other.exec("BEGIN IMMEDIATE")
  const { status, body } = await as("anyone").rest<{ code: string; detail: string }>(
    "POST",
    "/actions/trivial",
  )
  assert.deepEqual(
    [status, body.code, body.detail],
    [503, "storage_unavailable", "Another program has locked the database's file."],
  )
  other.exec("ROLLBACK")
  assert.equal((await as("anyone").rest("POST", "/actions/trivial")).status, 204)
})
