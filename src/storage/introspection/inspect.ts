// Reads what a database holds: its tables, columns and keys, as a Catalog. Nothing is written.
import { match } from "../../base/match.ts"
import { refusal } from "../../base/problem.ts"
import type { Catalog, TableList } from "../../model/introspection/catalog.ts"
import { type Address, readAddress } from "../address.ts"

/**
 * The tables and views of the database at `url`: `postgres://…` (with `?schemas=a,b` for only these schemas), or a SQLite
 * file as a path or `sqlite:path`. Rows are looked at where types say too little. Throws a Refusal when it cannot be
 * reached or holds nothing.
 */
export async function inspect(url: string): Promise<Catalog> {
  const address = readAddress(url)
  const catalog = await match<Address, Promise<Catalog>>(address, {
    sqlite: async ({ path }) => (await import("./inspect-sqlite.ts")).inspectSqlite(path),
    postgres: async (found) => (await import("./inspect-postgres.ts")).inspectPostgres(found.url, found),
  })
  return refuseEmpty(catalog, address.shown)
}

/** The part of the catalog for a service's start: the names of tables and columns. Reading it does not depend on the number of rows. */
export async function listTables(url: string): Promise<TableList> {
  const address = readAddress(url)
  if (address.kind === "postgres") return inspect(url)
  const { listSqliteTables } = await import("./inspect-sqlite.ts")
  return refuseEmpty(listSqliteTables(address.path), address.shown)
}

function refuseEmpty<Found extends TableList>(found: Found, shown: string): Found {
  if (found.tables.length > 0) return found
  const seen = found.notes.map(({ place, reason }) => `${place.join(".")}: ${reason}`)
  throw refusal("empty_database", `The database holds no table or view that can be served: ${shown}.`, {
    hint: seen.length > 0 ? `Found: ${seen.join("; ")}.` : "Create tables first, or check the address.",
  })
}
