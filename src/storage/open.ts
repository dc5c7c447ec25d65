// Opens the database that an address means.
import { match } from "../base/match.ts"
import { readAddress } from "./address.ts"
import { openPostgres } from "./postgres.ts"
import { openSqlite } from "./sqlite.ts"
import type { Storage } from "./storage.ts"

/** For reading only. Throws a Refusal that says what to do when there is no database to be had. */
export async function openStorage(address: string): Promise<Storage> {
  return match(readAddress(address), {
    sqlite: async ({ path }) => openSqlite(path),
    postgres: (found) => openPostgres(found),
  })
}
