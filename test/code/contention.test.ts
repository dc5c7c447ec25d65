// What own code has decided by is still true when it commits, however many clients ask at once, on both databases.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { dialects } from "../support/open-service.ts"
import { bank } from "./bank.ts"
import { openCode } from "./open.ts"

const clients = Number(process.env["BIFOLD_CALLERS"] ?? 12)
const rounds = Number(process.env["BIFOLD_ROUNDS"] ?? 4)
const isMeasured = process.env["BIFOLD_FIGURES"] !== undefined

type Opened = Awaited<ReturnType<typeof openCode>>

/** How often each status was given. */
type Counts = Readonly<Record<number, number>>

async function ask(
  { as }: Opened,
  tasks: readonly (readonly [path: string, body?: unknown])[],
): Promise<Counts> {
  const client = as("anyone")
  const counts: Record<number, number> = {}
  const left = [...tasks]
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let task = left.shift(); task; task = left.shift()) {
        const { status } = await client.rest("POST", ...task)
        counts[status] = (counts[status] ?? 0) + 1
      }
    }),
  )
  if (isMeasured)
    console.log(
      JSON.stringify(counts),
      `${Math.round((tasks.length / (performance.now() - begun)) * 1000)} a second`,
    )
  return counts
}

async function listOf<Record>({ as }: Opened, path: string): Promise<readonly Record[]> {
  const { body } = await as("anyone").rest<{ data: readonly Record[] }>("GET", `${path}?limit=100`)
  return body.data
}

const sum = (amounts: readonly string[]): number =>
  Math.round(amounts.reduce((all, amount) => all + Number(amount), 0) * 100) / 100

for (const database of dialects) {
  test(`transfers neither make nor lose money, in either direction (${database})`, async (context) => {
    const opened = await openCode(context, bank, database)
    const count = 16
    const { account: ids = [] } = await opened.add({
      account: Array.from({ length: count }, (_, at) => ({ name: `${at}`, balance: "100.00" })),
    })
    const transfers = Array.from({ length: clients * rounds }, (_, at) => {
      const [from, to] = [ids[at % count], ids[(at + 1 + (at % (count - 1))) % count]]
      return [`/accounts/${from}/actions/send`, { to, amount: `${(at % 7) + 1}.0${at % 10}` }] as const
    })
    const counts = await ask(opened, transfers)
    assert.ok((counts[204] ?? 0) > 0)
    assert.deepEqual(
      Object.keys(counts).filter((status) => !["204", "409"].includes(status)),
      [],
    )
    const accounts = await listOf<{ id: string; balance: string }>(opened, "/accounts")
    assert.equal(sum(accounts.map(({ balance }) => balance)), 100 * count)
    const entries = await listOf<{ accountId: string; amount: string }>(opened, "/entries")
    for (const { id, balance } of accounts) {
      const own = entries.filter(({ accountId }) => accountId === id)
      assert.equal(sum(["100", ...own.map(({ amount }) => amount)]), Number(balance))
    }
  })

  test(`of several bookings of a room one is confirmed (${database})`, async (context) => {
    const opened = await openCode(context, bank, database)
    const { room: rooms = [] } = await opened.add({
      room: Array.from({ length: 8 }, (_, at) => ({ name: `${at}` })),
    })
    const { booking: bookings = [] } = await opened.add({
      booking: Array.from({ length: 32 }, (_, at) => ({ roomId: rooms[at % rooms.length] })),
    })
    const counts = await ask(
      opened,
      bookings.map((id) => [`/bookings/${id}/actions/confirm`] as const),
    )
    assert.deepEqual(counts, { 204: 8, 409: 24 })
    const found = await listOf<{ roomId: string; confirmed: boolean }>(opened, "/bookings")
    const taken = found.filter(({ confirmed }) => confirmed).map(({ roomId }) => roomId)
    assert.deepEqual(taken.toSorted(), rooms.toSorted())
  })

  test(`of two who may leave one stays (${database})`, async (context) => {
    const opened = await openCode(context, bank, database)
    const wards = 12
    const { doctor: doctors = [] } = await opened.add({
      doctor: Array.from({ length: 2 * wards }, (_, at) => ({ ward: `${at >> 1}`, onCall: true })),
    })
    const counts = await ask(
      opened,
      doctors.map((id) => [`/doctors/${id}/actions/leave`] as const),
    )
    assert.deepEqual(counts, { 204: wards, 409: wards })
  })

  test(`numbers by a list's length are all distinct (${database})`, async (context) => {
    const opened = await openCode(context, bank, database)
    const counts = await ask(
      opened,
      Array.from({ length: 40 }, () => ["/actions/bill"] as const),
    )
    assert.deepEqual(counts, { 200: 40 })
    const found = await listOf<{ number: number }>(opened, "/invoices")
    assert.deepEqual(
      found.map(({ number }) => number).toSorted((one, other) => one - other),
      Array.from({ length: 40 }, (_, at) => at + 1),
    )
  })
}

test("transfers in both directions between two accounts are all done, without a deadlock (postgres)", async (context) => {
  const opened = await openCode(context, bank, "postgres")
  const { account: [one, other] = [] } = await opened.add({
    account: ["one", "other"].map((name) => ({ name, balance: "100.00" })),
  })
  const count = clients * rounds
  const transfers = Array.from({ length: count }, (_, at) => {
    const [from, to] = at % 2 === 0 ? [one, other] : [other, one]
    return [`/accounts/${from}/actions/send`, { to, amount: "1.00" }] as const
  })
  assert.deepEqual(await ask(opened, transfers), { 204: count })
  const client = new pg.Client({ connectionString: opened.url })
  client.on("error", () => {}) // its database is dropped when the test ends
  await client.connect()
  context.after(() => client.end())
  // A session reports its deadlocks when it ends at the latest.
  const others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
  await client.query(`SELECT pg_terminate_backend(pid) ${others}`)
  while ((await client.query(`SELECT 1 ${others}`)).rows.length > 0) await sleep(10)
  const { rows } = await client.query(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
  )
  assert.deepEqual(rows, [{ deadlocks: 0 }])
})
