// Bifold's own tables: what it keeps in the database of a service besides the records.

import type { Model } from "../../model/model.ts"
import { type ColumnType, plainText } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { commas, type Fragment, literal, name, render, sql } from "../fragment.ts"

// The epochs of the log: a table of Bifold's own (system-tables.ts makes it).
export const epochTable = {
  name: "bifold_epoch",
  columns: {
    /** The last position of the log when the epoch began: those behind it are given in this epoch, or in a later one. */
    begins: "begins",
    name: "name",
    /** The start of the database in which it began. */
    start: "start",
  },
} as const

/** The name of what was logged before there were epochs. */
export const firstEpoch = "6465760000"

interface BegunEpoch {
  /** Behind which it begins. */
  readonly position: Fragment
  readonly name: Fragment
  readonly start: Fragment
  readonly condition: Fragment
}

/** An epoch replaces one that begins at the same position, since no row is of that one. */
export function insertEpoch({ position, name: called, start, condition }: BegunEpoch): Fragment {
  const { columns } = epochTable
  const [begins, own, since] = [name(columns.begins), name(columns.name), name(columns.start)]
  return sql`INSERT INTO ${name(epochTable.name)} (${begins}, ${own}, ${since}) SELECT ${position}, ${called}, ${start} WHERE ${condition} ON CONFLICT (${begins}) DO UPDATE SET ${own} = excluded.${own}, ${since} = excluded.${since}`
}

/** Rows that the log has already are of the first epoch. @param log its name */
function makeEpochs(dialect: Dialect, log: string): readonly Fragment[] {
  const { made } = dialect
  const { columns } = epochTable
  const table = name(epochTable.name)
  const text = made.columnType(plainText, undefined)
  const int64 = made.columnType({ scalar: "int64", list: false, stored: "plain" }, undefined)
  return [
    sql`CREATE TABLE IF NOT EXISTS ${table} (${name(columns.begins)} ${int64} NOT NULL PRIMARY KEY, ${name(columns.name)} ${text} NOT NULL, ${name(columns.start)} ${text} NOT NULL)${made.options}`,
    insertEpoch({
      position: sql`0`,
      name: sql`CASE WHEN EXISTS (SELECT 1 FROM ${name(log)}) THEN ${literal(firstEpoch)} ELSE ${dialect.made.randomEpoch} END`,
      start: literal(""),
      condition: sql`NOT EXISTS (SELECT 1 FROM ${table})`,
    }),
  ]
}

// The tables in which handlers keep how far they are: three of Bifold's own (system-tables.ts makes them).

/**
 * Records are in partitions, so that processes share them: one process holds a partition at a time. A change of the
 * number loses the kept positions.
 */
const partitionCount = 8

export const allPartitions: readonly number[] = Array.from({ length: partitionCount }, (_, index) => index)

/** The end of a name, which says its partition. */
export const partitionMark = (partition: number): string => `/${partition}`

/** How far each handler is in the log, by partition. */
export const handlerTable = {
  name: "bifold_handler",
  columns: {
    /** The handler's, with the mark of the partition. Without it: where all partitions began, as it was kept before there were any. */
    name: "name",
    /** Every event up to this position is done, but for the records in the next table. */
    position: "position",
    /**
     * The place in the log: the epoch with the position (`epoch_position`). After a version without places has moved
     * the position, it is about another one, or empty.
     */
    place: "place",
  },
} as const

/** Records for which an event failed: a handler goes on without them, and they have a position of their own. */
export const handlerRecordTable = {
  name: "bifold_handler_record",
  columns: {
    handler: "handler",
    /** The record's public id. */
    record: "record",
    /** Where it goes on: the position of the event that failed, or behind the last that was done. */
    position: "position",
    /** How often that event has been tried. */
    attempts: "attempts",
    /** When it is tried again, in milliseconds since 1970; none where that is left to people. */
    due: "due",
    /** The last error. */
    error: "error",
    /** A pending command: `retry` or `skip`. */
    asked: "asked",
  },
} as const

/** Leases of partitions, and of processes that take part: the process, and the end of the lease. */
export const leaseTable = {
  name: "bifold_lease",
  columns: {
    name: "name",
    /** A name that the process made for itself. */
    holder: "holder",
    /** Milliseconds since 1970, of the database's clock. */
    until: "until",
  },
} as const

/** The answers to writes that came with an Idempotency-Key, so that asking again gives the same one. */
export const idempotencyTable = {
  name: "bifold_idempotency",
  columns: {
    /** The client and the service: keys of different clients are different keys. */
    scope: "scope",
    key: "key",
    /** The fingerprint of the request: another one under the same key is a mistake. */
    fingerprint: "fingerprint",
    answer: "answer",
    /** A moment, in the form that the dialect stores a `timestamp` in. */
    madeAt: "made_at",
  },
} as const

/** The log of changes of logged resources: a row for each change, written with it (docs/guide/history.md). */
export const logTable = {
  name: "bifold_log",
  columns: {
    /** Made by the database while the record is locked: per record in the order of its changes. */
    seq: "seq",
    /** On PostgreSQL: the place in the order that readers are given, once it has one. On SQLite that is `seq`. */
    position: "position",
    /** The resource's name. */
    resource: "resource",
    /** The record's public id. */
    record: "record",
    /** The record's version after the change, and as a number where Bifold counts; 0 where it does not. */
    version: "version",
    number: "number",
    /** `order.paid` */
    type: "type",
    /** The public id of the viewer's record, or the name of the credential; none for a stranger. */
    actor: "actor",
    at: "at",
    transition: "transition",
    from: "from",
    to: "to",
    /** JSON: what was given with the transition, and the members that were set as they were and as they are. */
    input: "input",
    old: "old",
    new: "new",
    /** The span that made the change, as a `traceparent`; none where there was no trace. */
    trace: "trace",
  },
} as const

/** Columns that a table of an earlier version may lack. */
const laterColumns: Readonly<Partial<Record<SystemTable, readonly string[]>>> = {
  log: [logTable.columns.trace],
  handler: [handlerTable.columns.place],
}

export type SystemTable = "idempotency" | "log" | "epoch" | "handler" | "handlerRecord" | "lease"

export const systemTableNames: Readonly<Record<SystemTable, string>> = {
  idempotency: idempotencyTable.name,
  log: logTable.name,
  epoch: epochTable.name,
  handler: handlerTable.name,
  handlerRecord: handlerRecordTable.name,
  lease: leaseTable.name,
}

export const systemTableKinds = Object.keys(systemTableNames) as readonly SystemTable[]

/** Those that a service needs. */
export const systemTablesOf = ({ resources, handlers, webhooks }: Model): readonly SystemTable[] => [
  "idempotency",
  ...([...resources.values()].some(({ logged }) => logged) ? (["log", "epoch"] as const) : []),
  ...(handlers || webhooks ? (["handler", "handlerRecord", "lease"] as const) : []),
]

/** Statements that make them where they are not there; running them again changes nothing. */
export function systemTables(dialect: Dialect, which: readonly SystemTable[]): readonly string[] {
  const all = which.flatMap((one) => making[one](dialect))
  return [...new Set(all.map((statement) => render(statement, dialect.placeholder).text))]
}

/** The columns that such a table lacks. @param found names of its columns */
export const lackedColumns = (which: SystemTable, found: readonly string[]): readonly string[] =>
  (laterColumns[which] ?? []).filter((column) => !found.includes(column))

/** Statements that add columns to a table of an earlier version. All of them are optional texts. */
export const addColumns = (
  dialect: Dialect,
  which: SystemTable,
  columns: readonly string[],
): readonly string[] =>
  columns.map((column) => {
    const table = name(systemTableNames[which])
    const { unlessThere } = dialect.made
    const added = sql`ALTER TABLE ${table} ADD COLUMN ${unlessThere}${name(column)} ${typeIn(dialect, "text")}`
    return render(added, dialect.placeholder).text
  })

/** Reads a fault: whether it says that the database has no such table, or the table no such column. */
interface Lacking {
  /** A missing log is made; its loss is an outage otherwise. */
  readonly makesLog: boolean
  readonly lacksTable: (table: string) => boolean
  readonly lacksColumn: (table: string, column: string) => boolean
}

/** Statements for a table of Bifold's own that is missing, or of an earlier version; undefined where neither is. */
export function mendingOf(
  dialect: Dialect,
  { makesLog, lacksTable, lacksColumn }: Lacking,
): readonly string[] | undefined {
  const kinds = systemTableKinds.filter((one) => makesLog || (one !== "log" && one !== "epoch"))
  const missing = kinds.find((one) => lacksTable(systemTableNames[one]))
  if (missing) return systemTables(dialect, [missing])
  for (const table of systemTableKinds) {
    const columns = lackedColumns(table, []).filter((column) => lacksColumn(systemTableNames[table], column))
    if (columns.length > 0) return addColumns(dialect, table, columns)
  }
  return undefined
}

const making: Readonly<Record<SystemTable, (dialect: Dialect) => readonly Fragment[]>> = {
  idempotency: makeIdempotency,
  // In one step: the first row of a new log is of an epoch of its own.
  log: (dialect) => [...makeLog(dialect), ...makeEpochs(dialect, logTable.name)],
  epoch: (dialect) => makeEpochs(dialect, logTable.name),
  handler: makeHandler,
  handlerRecord: makeHandlerRecord,
  lease: makeLease,
}

const typeIn = ({ made }: Dialect, scalar: ColumnType["scalar"]): Fragment =>
  made.columnType({ scalar, list: false, stored: "plain" }, undefined)

const makeTable = ({ made }: Dialect, table: string, lines: readonly Fragment[]): Fragment =>
  sql`CREATE TABLE IF NOT EXISTS ${name(table)} (${commas(lines)})${made.options}`

function makeIdempotency(dialect: Dialect): readonly Fragment[] {
  const { scope, key, fingerprint, answer, madeAt } = idempotencyTable.columns
  const table = name(idempotencyTable.name)
  const index = name(`${idempotencyTable.name}_${madeAt}_index`)
  return [
    makeTable(dialect, idempotencyTable.name, [
      ...[scope, key, fingerprint, answer].map(
        (column) => sql`${name(column)} ${typeIn(dialect, "text")} NOT NULL`,
      ),
      sql`${name(madeAt)} ${typeIn(dialect, "timestamp")} NOT NULL`,
      sql`PRIMARY KEY (${commas([scope, key].map(name))})`,
    ]),
    sql`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${name(madeAt)})`,
  ]
}

function makeLog(dialect: Dialect): readonly Fragment[] {
  const { seq, position, resource, record, version, number, type, at, ...others } = logTable.columns
  const { actor, transition, from, to, input, old, new: fresh, trace } = others
  const [text, json] = [typeIn(dialect, "text"), typeIn(dialect, "json")]
  const numbered = dialect.made.countsColumns
  const table = name(logTable.name)
  const index = (what: string, rest: Fragment, unique = sql``): Fragment =>
    sql`CREATE ${unique}INDEX IF NOT EXISTS ${name(`${logTable.name}_${what}_index`)} ON ${table} ${rest}`
  return [
    makeTable(dialect, logTable.name, [
      numbered
        ? sql`${name(seq)} bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY`
        : sql`${name(seq)} INTEGER PRIMARY KEY`,
      ...(numbered ? [sql`${name(position)} bigint`] : []),
      ...[resource, record, version, type].map((column) => sql`${name(column)} ${text} NOT NULL`),
      sql`${name(number)} ${typeIn(dialect, "int64")} NOT NULL`,
      sql`${name(at)} ${typeIn(dialect, "timestamp")} NOT NULL`,
      ...[actor, transition, from, to].map((column) => sql`${name(column)} ${text}`),
      ...[input, old, fresh].map((column) => sql`${name(column)} ${json}`),
      sql`${name(trace)} ${text}`,
    ]),
    // SQLite's indexes end with the row's number, which is `seq`.
    index("record", sql`(${commas([record, number, ...(numbered ? [seq] : [])].map(name))})`),
    ...(numbered
      ? [
          // Only of rows that have one: a row is written without.
          index("position", sql`(${name(position)}) WHERE ${name(position)} IS NOT NULL`, sql`UNIQUE `),
          index("unnumbered", sql`(${name(seq)}) WHERE ${name(position)} IS NULL`),
        ]
      : []),
  ]
}

function makeHandler(dialect: Dialect): readonly Fragment[] {
  const { columns } = handlerTable
  return [
    makeTable(dialect, handlerTable.name, [
      sql`${name(columns.name)} ${typeIn(dialect, "text")} NOT NULL PRIMARY KEY`,
      sql`${name(columns.position)} ${typeIn(dialect, "int64")} NOT NULL`,
      sql`${name(columns.place)} ${typeIn(dialect, "text")}`,
    ]),
  ]
}

function makeHandlerRecord(dialect: Dialect): readonly Fragment[] {
  const { handler, record, position, attempts, due, error, asked } = handlerRecordTable.columns
  const [text, int64] = [typeIn(dialect, "text"), typeIn(dialect, "int64")]
  return [
    makeTable(dialect, handlerRecordTable.name, [
      ...[handler, record].map((column) => sql`${name(column)} ${text} NOT NULL`),
      ...[position, attempts].map((column) => sql`${name(column)} ${int64} NOT NULL`),
      sql`${name(due)} ${int64}`,
      ...[error, asked].map((column) => sql`${name(column)} ${text}`),
      sql`PRIMARY KEY (${commas([handler, record].map(name))})`,
    ]),
  ]
}

function makeLease(dialect: Dialect): readonly Fragment[] {
  const { columns } = leaseTable
  const text = typeIn(dialect, "text")
  return [
    makeTable(dialect, leaseTable.name, [
      sql`${name(columns.name)} ${text} NOT NULL PRIMARY KEY`,
      sql`${name(columns.holder)} ${text} NOT NULL`,
      sql`${name(columns.until)} ${typeIn(dialect, "int64")} NOT NULL`,
    ]),
  ]
}
