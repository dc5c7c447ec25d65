// Databases that tests of migrations make and throw away quickly, asked by a connection of the test's own.
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import type { Model } from "../../src/model/model.ts"
import type { Dialect } from "../../src/sql/dialect.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import type { FoundTable } from "../../src/sql/migration/steps.ts"
import { schemasOf } from "../../src/sql/schema/schema.ts"
import { tablesOf } from "../../src/sql/schema/tables.ts"
import { foundPostgres } from "../../src/storage/migration/migrate-postgres.ts"
import { readSqlite } from "../../src/storage/migration/migrate-sqlite.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"

export interface Database {
  readonly url: string
  readonly dialect: Dialect
  readonly ask: (sql: string) => Promise<readonly Record<string, unknown>[]>
  readonly close: () => Promise<void>
  readonly found: (model: Model) => Promise<readonly FoundTable[]>
}

type OpenDatabase = () => Promise<Database>

/** How to open a new, empty database of each kind. */
export async function migratedDatabases(
  hooks: Hooks,
): Promise<readonly { readonly name: "SQLite" | "PostgreSQL"; readonly open: OpenDatabase }[]> {
  const folder = await temporaryFolder(hooks)
  const server = await temporaryPostgres(hooks)
  let made = 0
  return [
    { name: "SQLite", open: () => openSqlite(join(folder, `${++made}.db`)) },
    { name: "PostgreSQL", open: () => openPostgres(server, `s${++made}`) },
  ]
}

async function openSqlite(url: string): Promise<Database> {
  const database = new DatabaseSync(url, { timeout: 10_000 })
  return {
    url,
    dialect: sqlite,
    ask: async (sql) => database.prepare(sql).all(),
    close: async () => database.close(),
    found: async () => readSqlite(url),
  }
}

/** A schema of its own in the one database, which is much faster than a database. */
async function openPostgres(server: string, schema: string): Promise<Database> {
  const url = new URL(server)
  url.searchParams.set("options", `-c search_path=${schema}`)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`CREATE SCHEMA ${schema}`)
  return {
    url: url.href,
    dialect: postgres,
    ask: async (sql) => (await client.query(sql)).rows,
    close: async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`)
      await client.end()
    },
    found: (model) => foundPostgres(client, schemasOf(tablesOf(model, postgres))),
  }
}

/** How tables were found, whatever is in them, in an order that does not depend on how they came about. */
export const inOrder = (found: readonly FoundTable[]): unknown => {
  const by = <Item>(items: readonly Item[]): readonly Item[] =>
    [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return by(
    found.map(({ name, columns, indexes, foreignKeys, checks, beginnings: _, ...rest }) => ({
      name: name.name,
      // One that was added keeps a default for the previous version; a fresh table has none.
      columns: by(columns.map(({ default: _, ...column }) => column)),
      indexes: by(indexes),
      foreignKeys: by(foreignKeys.map((key) => ({ ...key, target: key.target.name }))),
      checks: by(checks),
      ...rest,
    })),
  )
}
