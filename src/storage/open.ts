// Opens the database that an address means.
import { match } from "../base/match.ts"
import { readAddress } from "./address.ts"
import { defaultStorageOptions, type Storage, type StorageOptions } from "./storage.ts"

/** For reading only; the driver of the other database is not loaded. Throws a Refusal that says what to do when there is no database to be had. */
export async function openStorage(address: string, given: Partial<StorageOptions> = {}): Promise<Storage> {
  const options = { ...defaultStorageOptions, ...given }
  return match(readAddress(address), {
    sqlite: async ({ path }) => (await import("./sqlite/sqlite.ts")).openSqlite(path, options),
    postgres: async (found) => (await import("./postgres/postgres.ts")).openPostgres(found, options),
  })
}
