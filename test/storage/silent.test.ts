// A PostgreSQL server that says nothing any more while its connections stay open: whoever waits is told in time, and the next
// ones are answered over other connections.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import { ledgerDatabase, openLedger } from "../durability/ledger.ts"
import { muffled } from "../support/muffled.ts"

const deadline = 1_000
/** More than there are connections for writes. */
const many = 20

const told = (fault: unknown): string => {
  if (fault instanceof Refusal) return `${fault.problems[0].code}: ${fault.message}`
  throw fault
}

test("reads and writes that a silent server leaves waiting fail in time, and the next ones do not", {
  timeout: 30_000,
}, async (context) => {
  const way = await muffled(context, await ledgerDatabase(context, "postgres"))
  const storage = await openStorage(way.url, { writes: "unsafe", deadline })
  context.after(() => storage.close())
  const { write } = openLedger(storage)
  const writeMany = (round: string) =>
    Promise.all(
      Array.from({ length: many }, (_, number) =>
        write({ number: `${round}-${number}`, lines: ["a"] }).then(() => "done", told),
      ),
    )
  const read = (number: number) =>
    storage
      .read({ text: `SELECT '${number}'`, columns: [], binds: [], cursors: [], flaws: false }, [])
      .then(String, told)
  const all = async (round: string) => (await Promise.all([writeMany(round), read(1)])).flat()

  assert.deepEqual(await all("before"), [...Array(many).fill("done"), "1"])
  const before = way.open
  way.muffle()
  const began = Date.now()
  const outcomes = await all("silent")
  const took = Date.now() - began
  assert.deepEqual(
    [...new Set(outcomes)].sort(),
    [
      "deadline_exceeded: The time of the request was over before its turn at the database came.",
      "storage_unavailable: The database does not answer any more.",
    ],
    "what was sent is told the same, and what waited for a connection that it waited",
  )
  assert.ok(took >= deadline + 2_000 && took < deadline + 2_000 + 2_500, `it took ${took} ms`)
  assert.deepEqual(await all("after"), [...Array(many).fill("done"), "1"])
  assert.ok(way.open <= before, `${way.open} connections are open, of which before there were ${before}`)
})

test("a process that was stopped for longer than the server may be silent takes the answers that lie there", async (context) => {
  const storage = await openStorage(await ledgerDatabase(context, "postgres"), {
    writes: "unsafe",
    deadline: 400,
  })
  context.after(() => storage.close())
  const read = storage.read(
    { text: "SELECT 'here' FROM pg_sleep(0.1)", columns: [], binds: [], cursors: [], flaws: false },
    [],
  )
  // It is sent by then.
  await sleep(50)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
  assert.equal(String(await read), "here")
})
