// One connection to a SQLite file, by Node's own module: in the main thread, and in each reader thread.
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { sqliteFunctions } from "../sql/sqlite-functions.ts"
import type { Parameter } from "../sql/statement.ts"
import type { Row } from "./storage.ts"

/** How long to wait for another process that writes, in milliseconds: everything else waits as well. */
const patience = 1_000
/** Statements kept prepared; the least recently used goes. */
const mostPrepared = 500
/** The clock is read at every so many rows. */
const rowsPerLook = 64

/** What a statement fails with when its time is over. */
export class TimeOver extends Error {
  override readonly name = "TimeOver"
}

export interface SqliteConnection {
  readonly database: DatabaseSync
  /** @param until as of `Date.now()`; statements of the watched dialect end soon after it, with TimeOver. */
  read(text: string, parameters: readonly Parameter[], until?: number): Row
  /** Without it nothing is different but slower. */
  attempt(text: "BEGIN" | "COMMIT"): void
  close(): void
}

/** Throws what the driver throws. */
export function connectSqlite(path: string): SqliteConnection {
  const database = openDatabase(path)
  const prepared = new Map<string, StatementSync>()
  let deadline = Number.POSITIVE_INFINITY
  let looks = 0
  database.function("bifold_watch", { deterministic: false }, () => {
    looks += 1
    if (looks % rowsPerLook === 0 && Date.now() > deadline) throw new TimeOver("The deadline has passed.")
    return 1
  })
  return {
    database,
    read(text, parameters, until = Number.POSITIVE_INFINITY) {
      deadline = until
      return readRow(prepare(database, prepared, text), parameters)
    },
    attempt(text) {
      try {
        prepare(database, prepared, text).run()
      } catch {
        // Closed, or there is a transaction already, or none any more.
      }
    },
    close() {
      prepared.clear()
      if (database.isOpen) database.close()
    },
  }
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: path !== ":memory:", timeout: patience })
  try {
    // The file is looked at only now: this is what tells a database from anything else.
    database.exec("PRAGMA schema_version")
    for (const [name, { length, call }] of Object.entries(sqliteFunctions)) {
      const options = { deterministic: true, useBigIntArguments: true } as const
      // The driver takes the number of arguments from the function's own length.
      const sized = Object.defineProperty(call.bind(undefined), "length", { value: length })
      database.function(name, options, sized)
    }
    return database
  } catch (fault) {
    database.close()
    throw fault
  }
}

function prepare(database: DatabaseSync, prepared: Map<string, StatementSync>, text: string): StatementSync {
  const known = prepared.get(text)
  const statement = known ?? database.prepare(text)
  if (known) prepared.delete(text)
  else statement.setReturnArrays(true)
  prepared.set(text, statement)
  for (const oldest of prepared.keys()) {
    if (prepared.size <= mostPrepared) break
    prepared.delete(oldest)
  }
  return statement
}

function readRow(statement: StatementSync, parameters: readonly Parameter[]): Row {
  // To the end of the statement: one that is left in its middle holds its snapshot, and the file cannot be tidied.
  const [row = []] = statement.all(...parameters) as unknown as (string | Uint8Array | null)[][]
  return asRow(row)
}

/** The same bytes, not a copy of them. */
export const asRow = (row: readonly (string | Uint8Array | null)[]): Row =>
  row.map((column) => (column instanceof Uint8Array ? bufferOf(column) : column))

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
