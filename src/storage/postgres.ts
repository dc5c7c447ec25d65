// A PostgreSQL database, by a pool of connections that know their statements by name.
import pg from "pg"
import { refusal } from "../base/problem.ts"
import { postgres } from "../sql/postgres.ts"
import { readFault } from "./faults.ts"
import type { Storage } from "./storage.ts"

export interface PostgresAddress {
  readonly url: string
  /** Without the password. */
  readonly shown: string
}

/** How long to wait for a connection, and for a statement, in milliseconds. */
const patience = 10_000
const longestStatement = 30_000
const connections = 10
/** Texts that get a name, and so stay prepared on each connection; any beyond are sent as they are. */
const mostNamed = 500
const oldestServer = 140_000

/** What postgres.ts of the SQL takes for granted; nothing is written. */
const settings = `SET TIME ZONE 'UTC'; SET datestyle = 'ISO'; SET statement_timeout = ${longestStatement}; SET default_transaction_read_only = on`

/** Connects once, so that a wrong address is found at the start. Throws a Refusal when the database cannot be had. */
export async function openPostgres(address: PostgresAddress): Promise<Storage> {
  const pool = new pg.Pool({
    connectionString: address.url,
    application_name: "bifold",
    connectionTimeoutMillis: patience,
    max: connections,
    onConnect: async (client) => {
      await client.query(settings)
    },
  })
  // A connection that is lost while nobody uses it is no fault of any request.
  pool.on("error", () => {})
  try {
    await checkServer(pool, address)
  } catch (fault) {
    await pool.end()
    throw unopened(address, fault)
  }
  const names = new Map<string, string>()
  let sent = 0
  return {
    dialect: postgres,
    get sent() {
      return sent
    },
    async read({ text }, parameters) {
      sent++
      try {
        const name = nameOf(names, text)
        const query = { text, values: [...parameters], rowMode: "array" as const }
        const { rows } = await pool.query<(string | null)[]>(name === undefined ? query : { ...query, name })
        return rows[0] ?? []
      } catch (fault) {
        throw readFault(fault)
      }
    },
    close: () => pool.end(),
  }
}

function nameOf(names: Map<string, string>, text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= mostNamed) return known
  const name = `bifold_${names.size + 1}`
  names.set(text, name)
  return name
}

async function checkServer(pool: pg.Pool, { shown }: PostgresAddress): Promise<void> {
  const { rows } = await pool.query<{ version: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  )
  const [server] = rows
  if (!server || server.version < oldestServer)
    throw refusal("storage_unavailable", `The PostgreSQL server of ${shown} is too old.`, {
      hint: "Bifold needs PostgreSQL 14 or later.",
    })
  if (server.encoding !== "UTF8")
    throw refusal("storage_unavailable", `The database at ${shown} has the encoding ${server.encoding}.`, {
      hint: "Bifold needs a database with the encoding UTF8.",
    })
}

function unopened({ shown }: PostgresAddress, fault: unknown): unknown {
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : ""
  const hints: Readonly<Record<string, string>> = {
    ECONNREFUSED: "Nothing listens there: check host and port, and that the server runs.",
    ENOTFOUND: "There is no such host: check its name.",
    EAI_AGAIN: "The host's name could not be looked up.",
    "28P01": "The password is wrong, or the role does not exist.",
    "28000": "The server does not let this role in.",
    "3D000": "There is no such database.",
    "53300": "The server has too many connections.",
  }
  const hint = hints[code]
  if (hint === undefined && readFault(fault) === fault) return fault
  return refusal("storage_unavailable", `The PostgreSQL database at ${shown} cannot be reached.`, {
    hint: hint ?? "Check the address, and that the server runs and lets this role in.",
  })
}
