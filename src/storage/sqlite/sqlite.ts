// A SQLite file: the main thread does prompt reads, reader threads do slow ones.
import { statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { createRecent } from "../../base/caches.ts"
import { elapsed } from "../../base/clock.ts"
import { refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { Statistics } from "../../plan/cost/access-paths.ts"
import { withStatistics } from "../../sql/dialect.ts"
import { sqlite, sqliteWatched } from "../../sql/dialects/sqlite.ts"
import { asBytes } from "../../sql/dialects/sqlite-bytes.ts"
import { quoted } from "../../sql/fragment.ts"
import { isMoved, isUnwritable, movedFault, readFault, tooSlow, watchFile } from "../faults.ts"
import { createLog, observedTransact } from "../log.ts"
import { createSlowStatements } from "../slow-statements.ts"
import {
  defaultStorageOptions,
  type Read,
  type Row,
  type Storage,
  type StorageOptions,
  unremarkable,
} from "../storage.ts"
import type { Outcome, TransactOptions, Use, Work } from "../write-request.ts"
import { hasGrown, readSqliteStatistics } from "./catalog.ts"
import { readMeanings } from "./column-meanings.ts"
import { connectSqlite, type SqliteConnection, TimeOver } from "./connection.ts"
import { isWritable } from "./file.ts"
import { SqliteReaders } from "./readers.ts"
import { SqliteWriter } from "./writer.ts"

/** Milliseconds after which the tables are looked at again. */
const refreshed = 60_000
/** Commands of writes after which it is looked whether tables have grown. A transaction of user code counts as all of them. */
const writtenALook = 500
/** Milliseconds after which it is looked whether the file is still where it was. */
const placed = 1_000
/** Milliseconds that reads may hold the process one after the other: then it looks at what else there is to do. */
const longestTurn = 10

/** Opens an existing file. Throws a Refusal when there is no database at the path, or it cannot be written and should be. */
export async function openSqlite(
  path: string,
  options: StorageOptions = defaultStorageOptions,
): Promise<Storage> {
  checkFile(path)
  const writer = options.writes === "none" ? undefined : await SqliteWriter.open(path, options)
  const parts = openParts(path, options)
  const { connection, readers, sizes, place, sent } = parts
  const readNow = createReadNow(parts, options)
  const renewal = createRenewal(path, connection, readers)
  const unwritten = (fault: unknown): never => {
    if (isUnwritable(fault)) renewal.refused()
    place.isLost = isMoved(fault)
    throw fault
  }
  const done = <Result>(outcome: Result, commands: number): Result => {
    place.isLost = false
    sizes.written(commands)
    return outcome
  }
  const write = (work: Work, request?: Request): Promise<Outcome> => {
    const { length } = work.shape.commands
    sent.statements += length
    if (!writer) return Promise.reject(new Error("nothing can be written"))
    const renewed = renewal.due()
    const outcome = renewed ? renewed.then(() => writer.write(work, request)) : writer.write(work, request)
    return outcome.then((result) => done(result, length), unwritten)
  }
  const prompt = withStatistics(sqlite, () => sizes.latest)
  const watched = withStatistics(sqliteWatched, () => sizes.latest)
  const read: Storage["read"] = async (statement, parameters, outlook, request) =>
    readNow({ statement, parameters, outlook, request })
  return {
    // The search of a write may take long: then it can be ended.
    dialects: { prompt, usual: prompt, slow: watched, write: watched },
    get statistics() {
      return sizes.current()
    },
    lanes: () => [...(readers ? [readers.use] : []), ...(writer?.use ?? [])],
    get sent() {
      return sent.statements
    },
    read,
    readTogether(reads, { isSeveral }) {
      if (isSeveral) connection.attempt("BEGIN")
      const end = elapsed() + longestTurn
      const rows: (Row | Promise<Row>)[] = []
      for (const read of reads) {
        rows.push(readNow(read))
        if (elapsed() > end) break
      }
      if (isSeveral) connection.attempt("COMMIT")
      return rows
    },
    ...(writer && {
      write,
      log: createLog(sqlite, read, write),
      transact: observedTransact(options.telemetry, async (use: Use, given: TransactOptions) => {
        await renewal.due()
        return writer.transact(use, given).then((outcome) => done(outcome, writtenALook), unwritten)
      }),
    }),
    async close() {
      sizes.close()
      place.close()
      await writer?.drain()
      await readers?.close()
      connection.close()
      // The last connection, so that no reader keeps the log from being moved into the file.
      await writer?.close()
    },
  }
}

function openParts(path: string, options: StorageOptions) {
  const connection = connect(path)
  const meanings = readMeanings(connection.database)
  connection.expect(meanings)
  // Another connection would open another database in memory.
  const readers = path === ":memory:" ? undefined : new SqliteReaders(path, { ...options, meanings })
  const sizes = followSizes(connection)
  const place = followPlace(path, () => sizes.written(writtenALook))
  return { connection, readers, sizes, place, sent: { statements: 0 } }
}

function createReadNow(
  { connection, readers, sizes, place, sent }: ReturnType<typeof openParts>,
  { telemetry, deadline }: StorageOptions,
) {
  const slow = createSlowStatements()
  const sortsMany = createSortsMany(() => connection.database)
  return ({ statement, parameters, outlook = unremarkable, request }: Read): Row | Promise<Row> => {
    sent.statements++
    if (place.isElsewhere || place.isLost) return Promise.reject(readFault(movedFault()))
    try {
      const text = outlook.long ? asBytes(statement) : statement.text
      if (readers && (outlook.pace === "slow" || slow.has(text) || sortsMany(text, sizes.latest)))
        return readers.read(text, parameters, request)
      const until = (request?.since ?? elapsed()) + deadline
      // The read has waited for others.
      if (elapsed() > until) throw tooSlow()
      const read = (): Row => slow.timed(text, () => connection.read(text, parameters, until))
      return telemetry
        ? telemetry.timed({ kind: "read", commands: [statement], record: request?.record }, read)
        : read()
    } catch (fault) {
      return Promise.reject(fault instanceof TimeOver ? tooSlow() : readFault(fault))
    }
  }
}

/** The statistics of the tables, looked up again now and then, and when much was written. */
function followSizes(connection: SqliteConnection) {
  /** Commands of writes since tables were looked at. */
  let commands = 0
  const look = (): void => {
    sizes.latest = refreshedStatistics(connection, sizes.latest)
  }
  const refresh = setInterval(look, refreshed).unref()
  const sizes = {
    latest: readSqliteStatistics(connection.database),
    current(): Statistics {
      if (commands < writtenALook) return sizes.latest
      commands = 0
      if (connection.database.isOpen && hasGrown(connection.database, sizes.latest)) look()
      return sizes.latest
    },
    written(more: number) {
      commands += more
    },
    close: () => clearInterval(refresh),
  }
  return sizes
}

/** @param look each time that it is looked where the file is */
function followPlace(path: string, look: () => void) {
  const file = path === ":memory:" ? undefined : watchFile(path, false)
  const watch = setInterval(() => {
    place.isElsewhere = file?.isInPlace() === false
    // Other processes may have written.
    look()
  }, placed).unref()
  const place = {
    isElsewhere: false,
    /** The writer could not find the file or its log when it last wrote. */
    isLost: false,
    close: () => clearInterval(watch),
  }
  return place
}

/** The last statistics stay when the file cannot be read right now. */
function refreshedStatistics({ database }: SqliteConnection, before: Statistics): Statistics {
  try {
    return readSqliteStatistics(database)
  } catch {
    return before
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

function connect(path: string): SqliteConnection {
  try {
    return connectSqlite(path)
  } catch (fault) {
    throw unopened(path, fault)
  }
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

// Reads whose index gives a part of their order only: SQLite sorts all rows that are equal in that part before it gives the first.
// With few distinct values these are most of the table, however short the page. The query plan says so
// (https://www.sqlite.org/eqp.html section 1.1.2), and the groups of some rows say how many there are, with or without ANALYZE.

/** Whether the statement may sort more rows than a prompt read looks at. */
export type SortsMany = (text: string, statistics: Statistics) => boolean

interface Step {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

/** Rows up to which sorting is prompt, as in plan/cost/cost.ts. */
const mostPrompt = 5_000
/** Rows whose groups are counted: a large group has many rows, so that one of them is probably its. */
const samples = 8
/** Texts whose plan is kept in mind. */
const most = 500

const sorted = /^USE TEMP B-TREE FOR (?:LAST|RIGHT PART) .*ORDER BY$/
const byIndex = /^(?:SCAN|SEARCH) .*USING (?:COVERING )?INDEX (\S+)/

/** @param database as it is open now */
export function createSortsMany(database: () => DatabaseSync): SortsMany {
  let known = createRecent<string, boolean>({ count: most, weight: most })
  let groups = new Map<string, boolean>()
  let of: Statistics | undefined
  return (text, statistics) => {
    // There may be other rows, or another index.
    if (of !== statistics) {
      known = createRecent({ count: most, weight: most })
      groups = new Map()
    }
    of = statistics
    const found = known.get(text)
    if (found !== undefined) return found
    const isLarge = (index: string): boolean => {
      const large = groups.get(index) ?? hasLargeGroups(database(), index, statistics)
      groups.set(index, large)
      return large
    }
    const sorts = text.includes("ORDER BY") && sortingIndexes(database(), text).some(isLarge)
    known.set(text, sorts, 1)
    return sorts
  }
}

/** Indexes that give a part of an order. */
function sortingIndexes(database: DatabaseSync, text: string): readonly string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as unknown as readonly Step[]
  return steps
    .filter(({ detail }) => sorted.test(detail))
    .flatMap(({ parent }) => {
      // The outermost loop gives the order.
      const loop = steps.find((step) => step.parent === parent && byIndex.test(step.detail))
      return byIndex.exec(loop?.detail ?? "")?.[1] ?? []
    })
}

/** Whether many rows are equal in the first column of the index. */
function hasLargeGroups(database: DatabaseSync, index: string, statistics: Statistics): boolean {
  const found = database
    .prepare(
      `SELECT s.tbl_name AS "table", i.name AS "column" FROM sqlite_schema AS s, pragma_index_info(s.name) AS i
       WHERE s.type = 'index' AND s.name = ? AND i.seqno = 0`,
    )
    .get(index)
  const { table, column } = found ?? {}
  if (typeof table !== "string") return true
  const rows = statistics.get(table)?.rows ?? Number.POSITIVE_INFINITY
  if (rows <= mostPrompt || typeof column !== "string") return rows > mostPrompt
  const [from, by, of] = [quoted(table), quoted(index), quoted(column)]
  const group = (row: string): string =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${from} INDEXED BY ${by} WHERE ${of} IS (${row}) LIMIT ${mostPrompt + 1}))`
  const ends = ["min", "max"].map((end) => `SELECT ${end}(${of}) FROM ${from}`)
  const between = Array.from(
    { length: samples },
    (_, at) =>
      `SELECT ${of} FROM ${from} WHERE rowid >= (SELECT max(rowid) FROM ${from}) / ${samples} * ${at} ORDER BY rowid LIMIT 1`,
  )
  try {
    const largest = database
      .prepare(`SELECT max(${[...ends, ...between].map(group).join(", ")}) AS largest`)
      .get()
    return Number(largest?.["largest"]) > mostPrompt
  } catch {
    // Rows without a number, or an index that is not for equal values.
    return true
  }
}

// Opens a SQLite file anew once it may be written again. All connections of a process share the memory beside its log
// as the first of them could open it. So writes are refused until each of them has been closed.
export interface Renewal {
  /** A write was refused because the file can only be read. Its connection has been closed. */
  refused(): void
  /** A promise that writes have to wait for; undefined: none. */
  due(): Promise<void> | undefined
}

/** Milliseconds from one renewal to the next, where the file is refused although it may be written. */
const apart = 500

export function createRenewal(
  path: string,
  connection: SqliteConnection,
  readers: SqliteReaders | undefined,
): Renewal {
  let isRefused = readers !== undefined && !isWritable(path)
  let renewed = Number.NEGATIVE_INFINITY
  let under: Promise<void> | undefined
  const renew = async (by: SqliteReaders): Promise<void> => {
    try {
      await by.without(() => connection.reopen())
    } finally {
      renewed = elapsed()
      under = undefined
    }
  }
  return {
    refused() {
      isRefused = true
    },
    due() {
      if (under || !isRefused || !readers) return under
      if (elapsed() - renewed < apart || !isWritable(path)) return undefined
      isRefused = false
      under = renew(readers)
      return under
    },
  }
}
