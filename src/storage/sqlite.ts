// A SQLite file, in this process, by Node's own module.
import { statSync } from "node:fs"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { refusal } from "../base/problem.ts"
import { sqlite } from "../sql/sqlite.ts"
import { sqliteFunctions } from "../sql/sqlite-functions.ts"
import type { Parameter, Statement } from "../sql/statement.ts"
import { readFault } from "./faults.ts"
import type { Storage } from "./storage.ts"

/** How long to wait for another process that writes, in milliseconds: everything else waits as well. */
const patience = 1_000
/** Statements kept prepared; the least recently used goes. */
const mostPrepared = 500

/** Opens an existing file for reading. Throws a Refusal when there is no database at the path. */
export function openSqlite(path: string): Storage {
  checkFile(path)
  const database = openDatabase(path)
  const prepared = new Map<string, StatementSync>()
  let sent = 0
  return {
    dialect: sqlite,
    get sent() {
      return sent
    },
    async read(statement, parameters) {
      sent++
      try {
        return readRow(prepare(database, prepared, statement), parameters)
      } catch (fault) {
        throw readFault(fault)
      }
    },
    async close() {
      prepared.clear()
      if (database.isOpen) database.close()
    },
  }
}

function checkFile(path: string): void {
  if (path === ":memory:") return
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found)
    throw refusal("storage_unavailable", `There is no file ${path}.`, {
      hint: "Give the path of an existing SQLite database.",
    })
  if (found.isDirectory())
    throw refusal("storage_unavailable", `${path} is a folder, not a SQLite database.`, {
      hint: "Give the path of a file in it.",
    })
}

function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: path !== ":memory:", timeout: patience })
    // The file is looked at only now: this is what tells a database from anything else.
    database.exec("PRAGMA schema_version")
  } catch (fault) {
    database?.close()
    throw unopened(path, fault)
  }
  for (const [name, { length, call }] of Object.entries(sqliteFunctions)) {
    const options = { deterministic: true, useBigIntArguments: true } as const
    // The driver takes the number of arguments from the function's own length.
    database.function(name, options, Object.defineProperty(call.bind(undefined), "length", { value: length }))
  }
  return database
}

function unopened(path: string, fault: unknown): unknown {
  if (!(fault instanceof Error) || !("errcode" in fault)) return fault
  const code = Number(fault.errcode) & 0xff
  if (code === 26)
    return refusal("storage_unavailable", `${path} is not a SQLite database.`, {
      hint: "Give the path of a SQLite file.",
    })
  return refusal("storage_unavailable", `The SQLite file ${path} cannot be opened.`, {
    hint: "Check that this user may read it, and the folder it is in.",
  })
}

function prepare(
  database: DatabaseSync,
  prepared: Map<string, StatementSync>,
  { text }: Statement,
): StatementSync {
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

function readRow(statement: StatementSync, parameters: readonly Parameter[]): readonly (string | null)[] {
  // To the end of the statement: one that is left in its middle holds its snapshot, and the file cannot be tidied.
  const [row] = statement.all(...parameters) as unknown as (string | null)[][]
  return row ?? []
}
