// A server that ends a session or is short of something: none of these is a fault of Bifold's.
import assert from "node:assert/strict"
import { once } from "node:events"
import { after, test } from "node:test"
import { Client } from "pg"
import { Refusal } from "../../src/base/problem.ts"
import { readFault } from "../../src/storage/faults.ts"
import { isStated } from "../../src/storage/postgres/violations-postgres.ts"
import { cleanUp, temporaryPostgres } from "../support/database.ts"

const hooks = cleanUp(after)

async function connected(): Promise<Client> {
  const client = new Client(await temporaryPostgres(hooks))
  await client.connect()
  // After what the server says, the driver says that the connection is gone.
  client.on("error", () => {})
  hooks.after(() => client.end())
  return client
}

const codeOf = (fault: unknown): unknown => {
  const read = readFault(fault)
  return read instanceof Refusal ? read.problems[0].code : read
}

/** All of PostgreSQL's classes 08, 40, 53 and 57, and those of class 25 that end a session (documentation, appendix A). */
const states: Readonly<Record<string, readonly string[]>> = {
  storage_unavailable: [
    ...["08000", "08001", "08003", "08004", "08006", "08007", "08P01"],
    ...["25006", "25P03", "25P04", "53300"],
    ...["57000", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ],
  storage_full: ["53100"],
  overloaded: [
    ...["40000", "40001", "40002", "40003", "40P01"],
    ...["53000", "53200", "53400", "55006", "55P03"],
  ],
  deadline_exceeded: ["57014"],
}

test("a transaction that the server ends because it was idle, or lasted, is a database that cannot be used", async () => {
  for (const [setting, state] of [
    ["idle_in_transaction_session_timeout", "25P03"],
    ["transaction_timeout", "25P04"],
  ]) {
    const client = await connected()
    const { rows } = await client.query("SELECT 1 FROM pg_settings WHERE name = $1", [setting])
    // PostgreSQL 16 has no limit for a transaction.
    if (rows.length === 0) continue
    const ended = once(client, "error")
    await client.query(`SET ${setting} = 1`)
    await client.query("BEGIN").catch(() => {})
    const [fault] = await ended
    assert.equal((fault as { readonly code?: string }).code, state)
    assert.equal(codeOf(fault), "storage_unavailable")
    assert.equal(isStated(fault), false, "its session is gone")
  }
})

test("each state of a server that cannot do something now is answered with 503", async () => {
  const client = await connected()
  for (const [code, all] of Object.entries(states))
    for (const state of all) {
      const fault = await client
        .query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`)
        .catch((thrown: unknown) => thrown)
      assert.equal(codeOf(fault), code, state)
    }
})
