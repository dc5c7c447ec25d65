// Reads what a database holds: its tables, columns and keys, as a Catalog. Nothing is written.
import { refusal } from "../base/problem.ts"
import type { Catalog } from "../model/catalog.ts"
import { readAddress } from "./address.ts"
import { inspectPostgres } from "./inspect-postgres.ts"
import { inspectSqlite } from "./inspect-sqlite.ts"

/**
 * The tables and views of the database at `url`: `postgres://…` (with `?schemas=a,b` for only these schemas), or a SQLite
 * file as a path or `sqlite:path`. Throws a Refusal when it cannot be reached or holds nothing.
 */
export async function inspect(url: string): Promise<Catalog> {
  const address = readAddress(url)
  const catalog =
    address.kind === "sqlite" ? inspectSqlite(address.path) : await inspectPostgres(address.url, address)
  if (catalog.tables.length > 0) return catalog
  const seen = catalog.notes.map(({ place, reason }) => `${place.join(".")}: ${reason}`)
  throw refusal(
    "empty_database",
    `The database holds no table or view that can be served: ${address.shown}.`,
    {
      hint:
        seen.length > 0 ? `What it holds: ${seen.join("; ")}.` : "Create tables first, or check the address.",
    },
  )
}
