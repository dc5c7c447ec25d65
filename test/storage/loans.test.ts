// Connections that are lent: to one at a time, in the order of asking, and given up when nobody uses them.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { elapsed } from "../../src/base/clock.ts"
import type { Connection } from "../../src/storage/postgres/connections.ts"
import { PostgresPool } from "../../src/storage/postgres/pool.ts"
import { type Hooks, temporaryPostgres } from "../support/database.ts"

async function openLoans(hooks: Hooks, unused: number) {
  const url = await temporaryPostgres(hooks)
  const loans = new PostgresPool({
    config: { connectionString: url, application_name: "lent" },
    settings: "SELECT 1",
    silence: 10_000,
    patience: 10_000,
    connections: 2,
    unused,
  })
  const open = async (): Promise<number> => {
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const text =
      "SELECT FROM pg_stat_activity WHERE application_name = 'lent' AND datname = current_database()"
    const { rowCount } = await admin.query(text)
    await admin.end()
    return rowCount ?? 0
  }
  return { loans, open }
}

/** As one client. */
async function take(loans: PostgresPool, milliseconds: number): Promise<Connection> {
  const taken = await loans.take({ client: "a", until: elapsed() + milliseconds })
  assert.ok(taken !== "taken along")
  return taken
}

const pidOf = async (connection: Connection): Promise<unknown> =>
  (await connection.query({ text: "SELECT pg_backend_pid()", values: [] }))[0]?.[0]

test("who asks first is served first, with a new connection where one was lost", async (context) => {
  const { loans, open } = await openLoans(context, 10_000)
  const [first, second] = [await take(loans, 60_000), await take(loans, 60_000)]
  const [one, two] = [await pidOf(first), await pidOf(second)]
  assert.notEqual(one, two)
  const served: string[] = []
  const later = ["third", "fourth"].map(async (name) => {
    const connection = await take(loans, 60_000)
    served.push(name)
    return connection
  })
  await sleep(50)
  assert.deepEqual(served, [], "nobody shares")
  loans.giveBack(first, false)
  const [third, fourth] = later
  assert.equal(await third, first)
  assert.deepEqual(served, ["third"])
  loans.giveBack(second, true)
  const renewed = (await fourth) as Connection
  assert.ok(![one, two].includes(await pidOf(renewed)), "a lost one is used by nobody")
  let closed = false
  const closing = loans.close().then(() => {
    closed = true
  })
  loans.giveBack(first, false)
  await sleep(50)
  assert.equal(closed, false, "who has one may go on")
  assert.notEqual(await pidOf(renewed), undefined)
  loans.giveBack(renewed, false)
  await closing
  for (let tries = 0; tries < 100 && (await open()) > 0; tries++) await sleep(20)
  assert.equal(await open(), 0)
  await assert.rejects(take(loans, 60_000), /is closing/)
})

test("a connection that nobody uses is given up, and made again", async (context) => {
  const { loans, open } = await openLoans(context, 300)
  context.after(() => loans.close())
  const lent = await take(loans, 60_000)
  loans.giveBack(await take(loans, 60_000), false)
  assert.equal(await open(), 2)
  for (let tries = 0; tries < 100 && (await open()) > 1; tries++) await sleep(50)
  assert.equal(await open(), 1, "the one that is lent stays")
  loans.giveBack(lent, false)
  const again = await take(loans, 60_000)
  assert.match(String(await pidOf(again)), /^\d+$/)
  loans.giveBack(again, false)
})
