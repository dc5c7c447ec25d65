// One connection to a SQLite file, by Node's own module: in the main thread, and in each reader thread.

import { statSync } from "node:fs"
import { constants, DatabaseSync, type StatementSync } from "node:sqlite"
import { createRecent, type Recent } from "../../base/caches.ts"
import { elapsed } from "../../base/clock.ts"
import { sqliteFunctions } from "../../sql/dialects/sqlite-functions.ts"
import type { Parameter } from "../../sql/statement.ts"
import type { Row } from "../storage.ts"
import type { Cells } from "../write-request.ts"
import { type ColumnMeanings, type MeaningWatch, watchMeanings } from "./column-meanings.ts"
import { openForReading, type ReadableFile } from "./file.ts"
import { createWriteBaton, type WriteBaton } from "./write-baton.ts"

/** How long a reader waits for another process, in milliseconds: everything else waits as well. */
const readerPatience = 1_000
/** The least that is waited for another process, in milliseconds: it may only just have begun to write. */
const leastPatience = 100
/** Statements kept prepared. */
const mostPrepared = 500
/** The clock is read at every so many rows. */
const rowsPerLook = 64

/**
 * KiB of the file that a connection keeps in memory, in place of SQLite's 2,000. A missing page costs a system call,
 * which takes as long as reading its rows. Memory is used only for pages that are read.
 */
const cached = 32_768

/** The error of a statement whose time is over. */
export class TimeOver extends Error {
  override readonly name = "TimeOver"
}

/** The end of a statement's time: as of `elapsed()`, or whether it is over. */
type Until = number | (() => boolean)

export interface SqliteConnection {
  readonly database: DatabaseSync
  /** Closes the file and opens it again. */
  reopen(): void
  /** From then on statements of tables whose columns have come to mean something else fail, as where a column is missing. */
  expect(meanings: ColumnMeanings): void
  /** Statements of the watched dialect end soon after the time is over, with TimeOver. */
  read(text: string, parameters: readonly Parameter[], until?: Until): Row
  /** Every row, whole numbers as bigint; of a statement that returns no columns, one row with how many rows it changed, if any. */
  all(text: string, parameters: readonly Parameter[], until?: number): readonly Cells[]
  execute(text: string): void
  /**
   * Begins a transaction that writes, in turn with other processes.
   * @param until as of `elapsed()`: another process that writes is waited for no longer
   */
  begin(until: number): void
  /** Whether another process waits until it may write. */
  isAwaited(): boolean
  /** The result is correct whether or not it succeeds. */
  attempt(text: "BEGIN" | "COMMIT" | "ROLLBACK"): void
  close(): void
}

/**
 * Throws what the driver throws.
 * @param patience milliseconds to wait for another process that writes
 */
export function connectSqlite(
  path: string,
  access: "read" | "write" = "read",
  patience = readerPatience,
  baton: WriteBaton = createWriteBaton(path),
): SqliteConnection {
  const bigints = access === "write"
  const watch = createTimeWatch()
  const open = () => openDatabase(path, access, patience, watch.look)
  let current = open()
  let closed = false
  let meanings: MeaningWatch | undefined
  const reopen = (): void => {
    if (closed) return
    if (current.database.isOpen) current.database.close()
    current = open()
  }
  const prepared = (text: string): Compiled => {
    // A file that could not be opened again before is tried once more.
    if (!current.database.isOpen || current.isOutdated?.()) reopen()
    return prepare(current, text, bigints)
  }
  const run = (text: string): void => void prepared(text).statement.run()
  return {
    get database() {
      return current.database
    },
    reopen,
    expect(given) {
      const version = (): unknown => {
        const [now] = prepared("PRAGMA schema_version").statement.get() as unknown as readonly unknown[]
        return now
      }
      meanings = watchMeanings(() => current.database, version, given)
    },
    read(text, parameters, until = Number.POSITIVE_INFINITY) {
      watch.until = until
      const { statement, tables } = prepared(text)
      const row = readRow(statement, parameters)
      if (!meanings) return row
      // Afterwards: a version is never taken back, so that the statement was of the one that is found.
      if (current.compiled.some()) {
        meanings.look()
        current.compiled.forget()
      }
      meanings.check(tables)
      return row
    },
    all(text, parameters, until = Number.POSITIVE_INFINITY) {
      watch.until = until
      const compiled = prepared(text)
      const { statement, tables } = compiled
      meanings?.check(tables)
      compiled.returnsRows ??= statement.columns().length > 0
      if (!compiled.returnsRows) {
        const { changes } = statement.run(...parameters)
        return changes > 0 ? [[BigInt(changes)]] : []
      }
      // To the end, or what RETURNING belongs to never ends, and the file is never tidied.
      return statement.all(...parameters) as unknown as readonly Cells[]
    },
    execute: run,
    begin(until) {
      const wait = Math.min(patience, Math.max(leastPatience, until - elapsed()))
      takeTurn(baton, () => run("BEGIN IMMEDIATE"), wait)
      meanings?.look()
    },
    isAwaited: baton.isAwaited,
    attempt(text) {
      try {
        run(text)
      } catch {
        // Closed, or there is a transaction already, or none any more.
      }
    },
    close() {
      closed = true
      if (current.database.isOpen) current.database.close()
    },
  }
}

/** @param wait milliseconds. Throws what the driver says where another process takes longer. */
function takeTurn(baton: WriteBaton, begin: () => void, wait: number): void {
  let fault: unknown
  const attempt = (): boolean => {
    try {
      begin()
      return true
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown
      fault = thrown
      return false
    }
  }
  if (!baton.take(attempt, wait)) throw fault
}

/** Ends a statement of the watched dialect whose time is over. */
function createTimeWatch() {
  let looks = 0
  const isOver = (): boolean => (typeof watch.until === "number" ? elapsed() > watch.until : watch.until())
  const watch = {
    until: Number.POSITIVE_INFINITY as Until,
    look(this: void): number {
      looks += 1
      if (looks % rowsPerLook === 0 && isOver()) throw new TimeOver("The deadline has passed.")
      return 1
    },
  }
  return watch
}

function openDatabase(
  path: string,
  access: "read" | "write",
  timeout: number,
  look: () => number,
): ReadableFile & Open {
  const file =
    access === "read" ? openForReading(path, timeout) : { database: new DatabaseSync(path, { timeout }) }
  const { database } = file
  try {
    if (access === "write") makeDurable(database)
    database.exec(`PRAGMA cache_size = -${cached}`)
    registerFunctions(database)
    registerColumnTypes(database)
    database.function("bifold_watch", { deterministic: false }, look)
    const compiled = watchCompiled(database)
    const known = createRecent<string, Compiled>({ count: mostPrepared, weight: mostPrepared })
    return { ...file, compiled, known }
  } catch (fault) {
    database.close()
    throw fault
  }
}

/** The functions that expressions need. */
export function registerFunctions(database: DatabaseSync): void {
  for (const [name, { length, call }] of Object.entries(sqliteFunctions)) {
    const varargs = length === undefined
    const options = { deterministic: true, useBigIntArguments: true, varargs } as const
    // The driver takes the number of arguments from the function's own length.
    const sized = Object.defineProperty(call.bind(undefined), "length", { value: length ?? 0 })
    database.function(name, options, sized)
  }
}

/** SQLITE_BUSY (https://sqlite.org/rescode.html): another process has the lock. */
const isBusy = (fault: unknown): boolean =>
  fault instanceof Error && "errcode" in fault && (Number(fault.errcode) & 0xff) === 5

/** Commits are on disk, and readers do not wait for them (https://www.sqlite.org/wal.html). `begin` waits in SQLite's place. */
function makeDurable(database: DatabaseSync): void {
  const mode = database.prepare("PRAGMA journal_mode = WAL").get()
  if (mode?.["journal_mode"] !== "wal") throw new Error("it cannot have a write-ahead log")
  database.exec(
    "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864; PRAGMA busy_timeout = 0",
  )
}

interface Open {
  readonly compiled: CompiledWatch
  readonly known: Recent<string, Compiled>
}

function prepare({ compiled, known: all }: Open, text: string, bigints: boolean): Compiled {
  const known = all.get(text)
  if (known) return known
  const made = compiled.prepare(text)
  made.statement.setReturnArrays(true)
  if (bigints) made.statement.setReadBigInts(true)
  all.set(text, made, 1)
  return made
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

// Notices when SQLite compiles. A statement runs in the version of the schema that it was compiled for, and SQLite
// compiles it again where the file has another one. So the version is looked up only after a compilation.
interface CompiledWatch {
  prepare(text: string): Compiled
  /** Whether statements were compiled, for the first time or again, since the last `forget`. */
  some(): boolean
  forget(): void
}

interface Compiled {
  readonly statement: StatementSync
  /** Tables that it reads or writes, by their own names: not those that it gives to a part of itself. */
  readonly tables: ReadonlySet<string>
  returnsRows?: boolean
}

/** SQLite asks the authorizer whenever it compiles (https://sqlite.org/c3ref/set_authorizer.html); all is allowed. */
export function watchCompiled(database: DatabaseSync): CompiledWatch {
  let compiled = true
  let tables = new Set<string>()
  database.setAuthorizer((action, name) => {
    compiled = true
    if (name !== null && ofTables.has(action)) tables.add(name)
    return constants.SQLITE_OK
  })
  return {
    prepare(text) {
      const own = new Set<string>()
      tables = own
      const statement = database.prepare(text)
      tables = new Set()
      return { statement, tables: own }
    },
    some: () => compiled,
    forget() {
      compiled = false
    },
  }
}

/** Actions whose first name is a table's. */
const ofTables: ReadonlySet<number> = new Set([
  constants.SQLITE_READ,
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
])

// A function for statements: whether columns of a STRICT table hold nothing but their types. The answer is kept for
// each version of the schema, and the statement's own snapshot gives the version.

/** Questions of one connection that are kept. */
const mostKept = 500

/** As `holdTypes` writes it. */
type Question = readonly [
  table: string,
  ...columns: readonly (readonly [name: string, type: string, notNull: 0 | 1])[],
]

/** Registers `bifold_columns(question)`, for statements only: a trigger or a view may not call it. */
export function registerColumnTypes(database: DatabaseSync): void {
  const start = () => createRecent<string, boolean>({ count: mostKept, weight: mostKept })
  let answers = start()
  let version: unknown
  let readVersion: StatementSync | undefined
  const ask = (question: unknown): bigint => {
    readVersion ??= database.prepare("PRAGMA schema_version")
    const now = readVersion.get()?.["schema_version"]
    if (now !== version) {
      answers = start()
      version = now
    }
    const text = String(question)
    const known = answers.get(text)
    if (known !== undefined) return known ? 1n : 0n
    const holds = haveTypes(database, JSON.parse(text) as Question)
    answers.set(text, holds, 1)
    return holds ? 1n : 0n
  }
  database.function("bifold_columns", { directOnly: true }, ask)
}

function haveTypes(database: DatabaseSync, [table, ...wanted]: Question): boolean {
  const strict = database
    .prepare('SELECT "strict" FROM pragma_table_list(?) WHERE "schema" = \'main\'')
    .get(table)?.["strict"]
  if (strict !== 1) return false
  const found = new Map(
    database
      .prepare('SELECT "name", "type", "notnull" FROM pragma_table_xinfo(?)')
      .all(table)
      .map((column) => [column["name"], column]),
  )
  return wanted.every(([name, type, notNull]) => {
    const column = found.get(name)
    return column !== undefined && column["type"] === type && Number(column["notnull"]) >= notNull
  })
}

// Keeps the write-ahead log small: SQLite checkpoints it, but restarts it only when no reader uses it.

/** Bytes beyond which the writer waits for readers. */
const largest = 64 * 1024 * 1024
/** Commits between two looks at the file. */
const between = 200

let commits = 0

/** To be called after a commit, which no fault of this may touch. */
export function tidy(connection: SqliteConnection, path: string): void {
  commits = (commits + 1) % between
  if (commits !== 0) return
  if (sizeOf(`${path}-wal`) > largest) moveLog(connection)
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    // Gone, or in a folder that may not be entered: the next statement says so.
    return 0
  }
}

/** Also called when this process writes nothing more. Other users of the file are waited for a second: workers end together. */
export function moveLog(connection: SqliteConnection): void {
  connection.all("PRAGMA busy_timeout = 1000", [])
  try {
    connection.all("PRAGMA wal_checkpoint(TRUNCATE)", [])
  } catch {
    // A reader still uses it: the next look tries again, or the process that closes the file last.
  }
  connection.all("PRAGMA busy_timeout = 0", [])
}
