// The databases of a run: filled before anything is measured, one for each of the services that are measured.
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { load as loadModel } from "../src/model/load.ts"
import { withSystem } from "../src/model/system/with-system.ts"
import { postgres } from "../src/sql/dialects/postgres.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import { setUp } from "../src/storage/migration/set-up.ts"
import {
  askingLabel,
  fillCommands,
  type MusicData,
  musicData,
  quickSizes,
  timesLarger,
  withEverything,
  withLabels,
} from "./data.ts"
import everything from "./everything/service.ts"
import { parentOf } from "./machine.ts"
import type { Options } from "./options.ts"
import ruled from "./ruled/service.ts"
import { keysVariable, signToken, tokenIdentity } from "./ruled/token.ts"
import type { Addresses, DatabaseName } from "./servers.ts"
import declaration from "./service.ts"

export function recordsOf({ rules, scale, quick }: Pick<Options, "rules" | "scale" | "quick">): MusicData {
  const data = musicData(quick ? quickSizes : timesLarger(scale))
  return rules ? withLabels(data) : data
}

/** Fills the library's own tables, and the tables of the rules where the run has rules. */
export async function fillDatabases(
  { database, rules, foreign }: Pick<Options, "database" | "rules" | "foreign">,
  data: MusicData,
  folder: string,
): Promise<Addresses> {
  const model = loadModel(rules ? ruled : declaration)
  const addresses: Partial<Record<DatabaseName, string>> = {}
  if (database.includes("sqlite")) addresses.sqlite = join(folder, "music.sqlite")
  if (database.includes("postgres")) addresses.postgres = postgresAddress()
  if (addresses.sqlite !== undefined) await setUp(addresses.sqlite, fillCommands(model, sqlite, data))
  if (addresses.postgres !== undefined) await setUp(addresses.postgres, fillCommands(model, postgres, data))
  if (foreign && addresses.sqlite !== undefined) addresses.sqlite = copyForeign(addresses.sqlite)
  return addresses
}

/** The same records as other programs keep them: in tables that are not STRICT, and prices as REAL. */
function copyForeign(path: string): string {
  const copy = `${path}.foreign`
  const database = new DatabaseSync(copy, { enableForeignKeyConstraints: false })
  database.exec(`ATTACH ${quoted(path, "'")} AS own; PRAGMA journal_mode = WAL; BEGIN`)
  const parts = database
    .prepare(
      "SELECT type, name, sql FROM own.sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY type DESC, rootpage",
    )
    .all()
  for (const { type, name, sql } of parts) {
    const made = String(sql).replace(/ STRICT$/, "")
    database.exec(made.replaceAll(/"(\w+)" (?:TEXT|INTEGER) \/\* ([^*]+) \*\//g, '"$1" $2'))
    if (type !== "table") continue
    const table = quoted(String(name))
    const columns = database
      .prepare(`SELECT name, type FROM pragma_table_info(${quoted(String(name), "'")})`)
      .all()
    const values = columns.map((column) => {
      const value = quoted(String(column["name"]))
      return String(column["type"]).startsWith("decimal") ? `${value} / 100.0` : value
    })
    database.exec(`INSERT INTO main.${table} SELECT ${values} FROM own.${table}`)
  }
  database.exec("COMMIT; DETACH own")
  database.close()
  return copy
}

const quoted = (text: string, mark = '"'): string => mark + text.replaceAll(mark, mark + mark) + mark

/** Fills the tables of `everything/service.ts`: on PostgreSQL in a separate database, which the bench drops at the end. */
export async function fillEverything(
  { database }: Pick<Options, "database">,
  data: MusicData,
  { folder, undo }: { readonly folder: string; readonly undo: (() => void | Promise<void>)[] },
): Promise<Addresses> {
  // Whose callers come by token has tables for that, whichever the key is.
  const { env } = await signToken(askingLabel)
  const model = loadModel(withSystem({ ...everything, ...tokenIdentity(env[keysVariable]) }))
  const records = withEverything(data)
  const addresses: Partial<Record<DatabaseName, string>> = {}
  if (database.includes("sqlite")) {
    addresses.sqlite = join(folder, "everything.sqlite")
    await setUp(addresses.sqlite, fillCommands(model, sqlite, records))
  }
  if (database.includes("postgres")) {
    const name = `bifold_everything_${process.pid}`
    await command(`CREATE DATABASE ${name}`)
    undo.push(() => command(`DROP DATABASE ${name} WITH (FORCE)`))
    const url = new URL(postgresAddress())
    url.pathname = `/${name}`
    addresses.postgres = url.href
    await setUp(addresses.postgres, fillCommands(model, postgres, records))
  }
  return addresses
}

async function command(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresAddress() })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

export function postgresAddress(): string {
  const address = process.env["BIFOLD_BENCH_POSTGRES"]
  if (!address)
    throw new Error(
      "Run it by `npm run bench`, which starts a PostgreSQL, or leave it out: --database sqlite",
    )
  return address
}

interface PostgresFacts {
  readonly version: string | undefined
  /** The parent process of the backends, where it runs on this machine. */
  readonly pid: number
}

export async function describePostgres(address: string): Promise<PostgresFacts> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query<{ version: string; pid: number }>(
    "SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid",
  )
  const [{ version, pid } = { version: undefined, pid: 0 }] = rows
  const parent = parentOf(pid, "postgres")
  await client.end()
  return { version, pid: parent ?? 0 }
}
