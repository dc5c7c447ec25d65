// Bifold's own tables: what it keeps in the database of a service besides the records.
import type { Model } from "../../model/model.ts"
import type { ColumnType } from "../column-type.ts"
import type { Dialect } from "../dialect.ts"
import { commas, type Fragment, name, render, sql } from "../fragment.ts"
import { epochTable, makeEpochs } from "./epoch-table.ts"
import { handlerRecordTable, handlerTable, leaseTable } from "./handler-tables.ts"

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
