// Sets a database up: makes tables and fills them, all in one transaction. For examples and tests; serving never writes
// this way.
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { match } from "../../base/match.ts"
import { refusal } from "../../base/problem.ts"
import type { Command } from "../../sql/write/insert.ts"
import { type Address, readAddress } from "../address.ts"
import { withClient } from "../postgres/client.ts"

/** Makes the SQLite file if it does not exist. Throws a Refusal when the database cannot be had or refuses a command. */
export async function setUp(url: string, commands: Iterable<Command>): Promise<void> {
  const address = readAddress(url)
  try {
    await match<Address, void | Promise<void>>(address, {
      sqlite: ({ path }) => setUpSqlite(path, commands),
      postgres: ({ url: server }) => setUpPostgres(server, commands),
    })
  } catch (fault) {
    throw refusal("storage_unavailable", `The database ${address.shown} cannot be set up.`, {
      hint: `It says: ${fault instanceof Error ? fault.message : String(fault)}`,
    })
  }
}

function setUpSqlite(path: string, commands: Iterable<Command>): void {
  const database = new DatabaseSync(path)
  try {
    const prepared = new Map<string, StatementSync>()
    database.exec("BEGIN IMMEDIATE")
    for (const { text, parameters } of commands) {
      const statement = prepared.get(text) ?? database.prepare(text)
      prepared.set(text, statement)
      statement.run(...parameters)
    }
    database.exec("COMMIT")
    database.exec("ANALYZE")
  } finally {
    database.close()
  }
}

const ownTables = `SELECT string_agg(format('%I.%I', nspname, relname), ', ') AS names
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'm') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'`

async function setUpPostgres(url: string, commands: Iterable<Command>): Promise<void> {
  await withClient({ connectionString: url }, async (client) => {
    await client.query("BEGIN")
    for (const { text, parameters } of commands) await client.query(text, [...parameters])
    await client.query("COMMIT")
    // Not of the whole database: the system's tables are a hundred, and take ten times as long.
    const { rows } = await client.query<{ names: string | null }>(ownTables)
    if (rows[0]?.names) await client.query(`ANALYZE ${rows[0].names}`)
  })
}
