// Reads the tables of a SQLite file by its pragmas, opened for reading only.
import type { DatabaseSync } from "node:sqlite"
import { refusal } from "../../base/problem.ts"
import type {
  Catalog,
  CatalogColumn,
  CatalogForeignKey,
  CatalogTable,
  Note,
  TableList,
} from "../../model/introspection/catalog.ts"
import { checkConditions, settlesConflicts } from "../../model/introspection/check-constraints.ts"
import { quoted } from "../../sql/fragment.ts"
import { lacksCode } from "../faults.ts"
import {
  type Ask,
  asking,
  columnRows,
  foreignKeyRows,
  keyOf,
  type Row,
  readIndexes,
  text,
} from "../sqlite/catalog.ts"
import { readMeanings } from "../sqlite/column-meanings.ts"
import { openForReading } from "../sqlite/file.ts"

export function inspectSqlite(path: string): Catalog {
  return readFile(path, patience, (database) => readCatalog(asking(database)))
}

/** The same tables, with no more than their columns' names. No row is read. */
export function listSqliteTables(path: string): TableList {
  return readFile(path, patience, (database) => {
    const ask = asking(database)
    const notes: Note[] = []
    const meanings = readMeanings(database)
    const tables = servable(ask, notes, (row) => {
      const columns = readColumnRows(ask, text(row["name"])) ?? []
      if (columns.length === 0) return undefined
      const table = text(row["name"])
      const own = meanings[table]
      const named = columns.map((column) => {
        const name = text(column["name"])
        const meaning = own && (/\/\* (.*) \*\//.exec(own[name] ?? "")?.[1] ?? "")
        return { name, ...(meaning !== undefined && { meaning }) }
      })
      return { name: table, visible: true, columns: named }
    })
    return { dialect: "sqlite", tables, notes }
  })
}

/** Milliseconds to wait for another process that writes. */
const patience = 5000

/** Opens the file, reads and closes it. @param timeout milliseconds to wait for another process that writes */
export function readFile<Found>(
  path: string,
  timeout: number,
  read: (database: DatabaseSync) => Found,
): Found {
  let database: DatabaseSync | undefined
  try {
    database = openForReading(path, timeout).database
    return read(database)
  } catch (fault) {
    throw unreadable(path, fault)
  } finally {
    database?.close()
  }
}

export function unreadable(path: string, fault: unknown): Error {
  if (!(fault instanceof Error) || !("errcode" in fault))
    return fault instanceof Error ? fault : new Error(String(fault))
  const code = Number(fault.errcode) & 0xff
  const hint = hints[code] ?? "Check it with the integrity_check pragma of SQLite."
  return refusal(
    "storage_unavailable",
    `The SQLite file ${path} cannot be ${code === 8 ? "written" : "read"}.`,
    { hint },
  )
}

/** Primary result codes (https://sqlite.org/rescode.html). */
const hints: Readonly<Record<number, string>> = {
  5: "Another program is writing to it: try again.",
  8: "This user may not write to the file, or not to its folder, where SQLite keeps its log beside it: give them the permission.",
  14: "Check that the file exists, or else its folder, and that this user may read and write there.",
  26: "The file is not a SQLite database.",
}

function readCatalog(ask: Ask): Catalog {
  const notes: Note[] = []
  const tables = servable(ask, notes, (row) => {
    const found = readTable(ask, row)
    if (found) notes.push(...unreadColumns(ask, found))
    return found
  })
  return { dialect: "sqlite", schemas: [], tables, enums: [], notes }
}

/**
 * Results of `read` for each table and view but the internal ones of SQLite and its modules; a note for each that cannot be
 * read.
 */
function servable<Found>(ask: Ask, notes: Note[], read: (row: Row) => Found | undefined): readonly Found[] {
  const listed = ask(
    `SELECT l.name, l.type, l.wr, l.strict, m.sql FROM pragma_table_list AS l JOIN sqlite_schema AS m ON m.name = l.name
     WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.name`,
  )
  return listed.flatMap((row) => {
    const [name, kind] = [text(row["name"]), text(row["type"])]
    const found = kind === "shadow" ? undefined : readUnlessLacking(() => read(row))
    if (found !== undefined) return [found]
    notes.push(kind === "shadow" ? inner(name) : broken(name, kind))
    return []
  })
}

/** Undefined where SQLite needs a function or a collation of another application, as a key may. */
function readUnlessLacking<Found>(read: () => Found): Found | undefined {
  try {
    return read()
  } catch (fault) {
    if (lacksCode(fault)) return undefined
    throw fault
  }
}

const inner = (name: string): Note => ({
  place: [name],
  what: "not served",
  reason: "it holds the inner workings of a virtual table",
  hint: "Use the virtual table.",
})

/** Undefined when SQLite itself cannot read it. */
function readTable(ask: Ask, row: Row): CatalogTable | undefined {
  const name = text(row["name"])
  const kind = text(row["type"])
  const found = readColumns(ask, row)
  if (found === undefined || found.length === 0) return undefined
  const keyed = found.filter(({ position }) => position > 0).sort((a, b) => a.position - b.position)
  const indexes = kind === "table" ? readIndexes(ask, name) : []
  const columns = found.map(({ column }) => column)
  return {
    name,
    visible: true,
    kind: kind === "view" ? "view" : "table",
    rows: kind === "table" && row["wr"] === 0 && hasRowid(columns),
    writable: kind === "table",
    ...(kind === "table" && settlesConflicts(text(row["sql"])) ? { settles: true as const } : {}),
    columns,
    ...(keyed.length > 0 ? { primaryKey: keyed.map(({ column }) => column.name) } : {}),
    uniques: indexes.filter(({ unique }) => unique).map(({ columns }) => columns),
    indexes: indexes.filter(({ unique }) => !unique).map(({ columns }) => columns),
    foreignKeys: readForeignKeys(ask, name),
    checks: kind === "table" ? checkConditions(text(row["sql"])) : [],
  }
}

/** Columns of their own can hide the three names of the rowid, in any case (https://sqlite.org/lang_createtable.html, section 5). */
function hasRowid(columns: readonly CatalogColumn[]): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()))
  return ["rowid", "_rowid_", "oid"].some((name) => !names.has(name))
}

const broken = (name: string, kind: string): Note => ({
  place: [name],
  what: "not served",
  reason: kind === "virtual" ? "its module is not part of this SQLite" : `the ${kind} cannot be read`,
  hint:
    kind === "view"
      ? "A table or column that it names may be gone: make the view anew."
      : "Nothing can be done here.",
})

interface FoundColumn {
  readonly column: CatalogColumn
  /** In the primary key, from 1; 0 outside of it. */
  readonly position: number
}

/** Undefined when SQLite itself cannot read the table. */
function readColumnRows(ask: Ask, table: string): readonly Row[] | undefined {
  try {
    const rows = columnRows(ask, table)
    const isWhole = isRead(ask, table, "*")
    const shown = rows.filter(({ hidden }) => hidden !== 1)
    const read = isWhole ? shown : shown.filter(({ name }) => isRead(ask, table, quoted(text(name))))
    return isWhole || read.length > 0 ? read : undefined
  } catch {
    return undefined
  }
}

/** A generated column may need a function that only another application has. */
function isRead(ask: Ask, table: string, columns: string): boolean {
  try {
    ask(`SELECT ${columns} FROM ${quoted(table)} LIMIT 0`)
    return true
  } catch {
    return false
  }
}

function unreadColumns(ask: Ask, { name, columns }: CatalogTable): readonly Note[] {
  const read = new Set(columns.map((column) => column.name))
  return columnRows(ask, name)
    .filter((row) => row["hidden"] !== 1 && !read.has(text(row["name"])))
    .map((row) => ({
      place: [name, text(row["name"])],
      what: "not served",
      reason: "it is computed by what this SQLite does not have",
      hint: "A function of another application, perhaps: the other columns are served.",
    }))
}

/** Undefined when SQLite itself cannot read the table. */
function readColumns(ask: Ask, table: Row): readonly FoundColumn[] | undefined {
  const name = text(table["name"])
  const found = readColumnRows(ask, name)
  if (found === undefined) return undefined
  const sampled = table["type"] === "view" ? sampleTypes(ask, name, found) : noTypes
  const rows = found.map((row): Row => ({ ...row, type: sampled.get(text(row["name"])) ?? row["type"] }))
  const parts = rows.filter(({ pk }) => Number(pk) > 0)
  const wide = findWide(ask, name, rows)
  const collations = findCollations(ask, table, rows)
  const without = findWithoutKey(ask, name, table["wr"] === 1 ? [] : parts)
  return rows.map((row) => {
    const declared = text(row["type"])
    const position = Number(row["pk"])
    const collation = collations.get(text(row["name"]))
    const rowid = position > 0 && parts.length === 1 && table["wr"] === 0 && isRowid(ask, name, declared)
    return {
      position,
      column: {
        name: text(row["name"]),
        type: {
          kind: "sqlite",
          declared,
          strict: table["strict"] === 1,
          rowid,
          wide: wide.has(text(row["name"])),
          ...(sampled.has(text(row["name"])) ? { sampled: true as const } : {}),
          ...(collation === undefined ? {} : { collation }),
        },
        nullable: row["notnull"] === 0 && (position === 0 || without.has(text(row["name"]))),
        generated: Number(row["hidden"]) >= 2,
        always: false,
        defaulted: row["dflt_value"] !== null && !/^null$/i.test(text(row["dflt_value"])),
        ...(row["dflt_value"] === null ? {} : { expression: text(row["dflt_value"]) }),
      },
    }
  })
}

const noTypes: ReadonlyMap<string, string> = new Map()

/** Types of a view's expressions, which have no declared type; nothing where values are of several kinds, or missing. */
function sampleTypes(ask: Ask, view: string, rows: readonly Row[]): ReadonlyMap<string, string> {
  const names = rows.filter(({ type }) => text(type) === "").map((row) => text(row["name"]))
  if (names.length === 0) return noTypes
  const kinds = names.map((name, index) => `group_concat(DISTINCT typeof(${quoted(name)})) AS c${index}`)
  const columns = names.map(quoted).join(", ")
  const [found] = ask(
    `SELECT ${kinds.join(", ")} FROM (SELECT ${columns} FROM ${quoted(view)} LIMIT ${sampledRows})`,
  )
  return new Map(
    names.flatMap((name, index): readonly [string, string][] => {
      const seen = text(found?.[`c${index}`])
        .split(",")
        .filter((kind) => kind !== "null")
      const type = typesOfKinds[seen.toSorted().join()]
      return type === undefined ? [] : [[name, type]]
    }),
  )
}

const typesOfKinds: Readonly<Record<string, string>> = {
  integer: "INTEGER",
  real: "REAL",
  "integer,real": "REAL",
  text: "TEXT",
  blob: "BLOB",
}

/** `INTEGER PRIMARY KEY DESC` has an index of its own and is no alias of the rowid. */
const isRowid = (ask: Ask, table: string, declared: string): boolean =>
  /^integer$/i.test(declared) &&
  ask("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", table).length === 0

/** Rows that are looked at to tell what a column holds. */
const sampledRows = 100_000

/** Columns declared as 32-bit or plain INTEGER that hold more: SQLite lets them. */
function findWide(ask: Ask, table: string, rows: readonly Row[]): ReadonlySet<string> {
  const names = rows.filter(({ type }) => /INT/i.test(text(type))).map((row) => text(row["name"]))
  if (names.length === 0) return new Set()
  const beyond = (name: string, index: number) =>
    `max(typeof(${quoted(name)}) = 'integer' AND ${quoted(name)} NOT BETWEEN -2147483648 AND 2147483647) AS c${index}`
  const columns = names.map(quoted).join(", ")
  const [found] = ask(
    `SELECT ${names.map(beyond).join(", ")} FROM (SELECT ${columns} FROM ${quoted(table)} LIMIT ${sampledRows})`,
  )
  return new Set(names.filter((_, index) => found?.[`c${index}`] === 1))
}

/** No pragma tells what a column's texts are compared by, but a comparison with one does. */
function findCollations(ask: Ask, table: Row, rows: readonly Row[]): ReadonlyMap<string, string> {
  if (table["type"] !== "table" || !/\bcollate\b/i.test(text(table["sql"]))) return new Map()
  const found = rows.flatMap((row): readonly (readonly [string, string])[] => {
    const name = text(row["name"])
    try {
      const [is] = ask(
        `SELECT CASE WHEN c = 'A' THEN 'NOCASE' WHEN c = 'a ' THEN 'RTRIM' END AS "collation"
         FROM (SELECT ${quoted(name)} AS c FROM ${quoted(text(table["name"]))} WHERE FALSE UNION ALL SELECT 'a')`,
      )
      return is?.["collation"] ? [[name, text(is["collation"])]] : []
    } catch {
      return [[name, ""]] // SQLite does not know it
    }
  })
  return new Map(found)
}

/** Columns of the primary key that are without a value: of tables with a rowid SQLite lets them be. Looks at a sample of the rows. */
function findWithoutKey(ask: Ask, table: string, parts: readonly Row[]): ReadonlySet<string> {
  const names = parts.flatMap((row) => (row["notnull"] === 0 ? [text(row["name"])] : []))
  const isMissing = (name: string) =>
    ask(
      `SELECT 1 FROM (SELECT ${quoted(name)} AS k FROM ${quoted(table)} LIMIT ${sampledRows}) WHERE k IS NULL LIMIT 1`,
    ).length > 0
  return new Set(names.filter(isMissing))
}

function readForeignKeys(ask: Ask, table: string): readonly CatalogForeignKey[] {
  return foreignKeyRows(ask, table).map((parts) => {
    const name = realName(ask, text(parts[0]?.["table"]))
    const isNamed = parts.every(({ to }) => to !== null)
    const key = isNamed ? [] : keyOf(columnRows(ask, name))
    const targetColumns = isNamed
      ? parts.map(({ to }) => realColumn(ask, name, text(to)))
      : key.map((column) => text(column["name"]))
    const columns = parts.map(({ from }) => realColumn(ask, table, text(from)))
    const found = { columns, target: { name }, targetColumns }
    return { ...found, dangling: isDangling(ask, table, found) }
  })
}

/** SQLite checks foreign keys only for who asks it to, so that rows may lead nowhere. Looks at a sample of them. */
function isDangling(ask: Ask, table: string, key: Omit<CatalogForeignKey, "dangling">): boolean {
  const here = key.columns.map((column) => `c.${quoted(column)}`)
  const met = key.targetColumns.map((column, index) => `t.${quoted(column)} = ${here[index]}`)
  try {
    const [found] = ask(
      `SELECT 1 FROM (SELECT * FROM ${quoted(table)} LIMIT ${sampledRows}) AS c
       WHERE ${here.map((column) => `${column} IS NOT NULL`).join(" AND ")}
         AND NOT EXISTS (SELECT 1 FROM ${quoted(key.target.name)} AS t WHERE ${met.join(" AND ")}) LIMIT 1`,
    )
    return found !== undefined
  } catch {
    return false // it leads to a table or a column that is not there, which foreign-keys.ts tells
  }
}

/** Foreign keys may spell names in another case than the table they mean. */
function realName(ask: Ask, given: string): string {
  const [found] = ask(
    "SELECT name FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
    given,
  )
  return found ? text(found["name"]) : given
}

function realColumn(ask: Ask, table: string, given: string): string {
  const [found] = ask("SELECT name FROM pragma_table_xinfo(?) WHERE name = ? COLLATE NOCASE", table, given)
  return found ? text(found["name"]) : given
}
