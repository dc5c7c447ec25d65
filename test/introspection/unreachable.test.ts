// What a PostgreSQL server refuses before it is asked anything: each cause is told by itself, with what to do next.
import assert from "node:assert/strict"
import { test } from "node:test"
import pg from "pg"
import { Refusal } from "../../src/base/problem.ts"
import { inspect } from "../../src/storage/introspection/inspect.ts"
import { ownPostgres } from "../support/own-postgres.ts"

const rules = `host all shut_out all reject
host all asked all scram-sha-256
host all peered all ident
host all all all trust
local all all trust`

test("a server that takes no connection says which of its reasons it is", async (t) => {
  const { url } = await ownPostgres(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("SHOW hba_file")
  for (const command of [
    "CREATE DATABASE closed ALLOW_CONNECTIONS false",
    "CREATE DATABASE private",
    "REVOKE CONNECT ON DATABASE private FROM PUBLIC",
    ...["shut_out", "asked", "peered", "outsider"].map(
      (role) => `CREATE ROLE ${role} LOGIN PASSWORD 'right'`,
    ),
    "CREATE ROLE sleeper NOLOGIN",
    `COPY (SELECT line FROM unnest(string_to_array('${rules}', E'\\n')) AS line) TO '${rows[0].hba_file}'`,
    "SELECT pg_reload_conf()",
  ])
    await client.query(command)
  await client.end()
  const hint = async (user: string, password: string, database?: string): Promise<string> => {
    const address = new URL(url)
    address.username = user
    address.password = password
    if (database !== undefined) address.pathname = `/${database}`
    try {
      await inspect(address.href)
    } catch (fault) {
      assert.ok(fault instanceof Refusal)
      const [problem] = fault.problems
      assert.equal(problem.code, "storage_unavailable")
      assert.match(problem.message, /cannot be reached/)
      return problem.hint ?? ""
    }
    return "connected"
  }
  // The server reads its rules anew in its own time.
  while (!/pg_hba/.test(await hint("shut_out", "right")))
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.match(await hint("nobody_here", ""), /no role of this user's name .* CREATE ROLE/)
  assert.match(await hint("sleeper", ""), /no role of this user's name that may log in/)
  assert.match(await hint("asked", "wrong"), /password is wrong/)
  assert.match(await hint("asked", ""), /asks for a password/)
  assert.match(await hint("peered", "right"), /something other than a password/)
  assert.match(await hint("outsider", "right", "private"), /GRANT CONNECT/)
  assert.match(await hint("outsider", "right", "closed"), /takes no connections now/)
  assert.match(await hint("outsider", "right", "gone"), /no database of this name .* CREATE DATABASE/)
})
