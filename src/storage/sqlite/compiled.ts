// Notices what SQLite compiles: a statement runs in the version of the schema that it was compiled for, and SQLite compiles it
// again where the file has another one. So the version is looked up only after something was compiled.
import { constants, type DatabaseSync, type StatementSync } from "node:sqlite"

export interface CompiledWatch {
  prepare(text: string): StatementSync
  /** Tables that the statement reads or writes, by their own names: not those that it gives to a part of itself. */
  tables(statement: StatementSync): ReadonlySet<string>
  /** Whether statements were compiled, for the first time or again, since the last `forget`. */
  some(): boolean
  forget(): void
}

/** SQLite asks the authorizer whenever it compiles (https://sqlite.org/c3ref/set_authorizer.html); all is allowed. */
export function watchCompiled(database: DatabaseSync): CompiledWatch {
  const known = new WeakMap<StatementSync, ReadonlySet<string>>()
  let compiled = true
  let tables = new Set<string>()
  database.setAuthorizer((action, name) => {
    compiled = true
    if (name !== null && ofTables.has(action)) tables.add(name)
    return constants.SQLITE_OK
  })
  return {
    prepare(text) {
      tables = new Set()
      const statement = database.prepare(text)
      known.set(statement, tables)
      tables = new Set()
      return statement
    },
    tables: (statement) => known.get(statement) ?? none,
    some: () => compiled,
    forget() {
      compiled = false
    },
  }
}

const none: ReadonlySet<string> = new Set()

/** Actions whose first name is a table's. */
const ofTables: ReadonlySet<number> = new Set([
  constants.SQLITE_READ,
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
])
