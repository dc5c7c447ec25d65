// The catalog of a SQLite file, by its schema and pragmas (https://www.sqlite.org/pragma.html): tables, columns, indexes, foreign keys.
import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { Statistics, TableStatistics } from "../../plan/cost/access-paths.ts"
import { quoted } from "../../sql/fragment.ts"

export type Row = Readonly<Record<string, unknown>>
export type Ask = (sql: string, ...values: string[]) => readonly Row[]

/** Statements are prepared once: there are several for each table. */
export function asking(database: DatabaseSync): Ask {
  const prepared = new Map<string, StatementSync>()
  return (sql, ...values) => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement.all(...values)
  }
}

export const text = (value: unknown): string => (value === null || value === undefined ? "" : String(value))

/** Hidden and generated columns too, in the order of the declaration. */
export const columnRows = (ask: Ask, table: string): readonly Row[] =>
  ask("SELECT * FROM pragma_table_xinfo(?) ORDER BY cid", table)

/** Indexes over all rows, in the order of the database. */
const indexRows = (ask: Ask, table: string): readonly Row[] =>
  ask("SELECT * FROM pragma_index_list(?) WHERE partial = 0 ORDER BY seq", table)

/** Without a name for an expression. */
const partRows = (ask: Ask, index: Row): readonly Row[] =>
  ask('SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno', text(index["name"]))

interface IndexFound {
  readonly name: string
  readonly unique: boolean
  /** The index belongs to a UNIQUE constraint of the table. */
  readonly constraint: boolean
  /** One of its columns at least is in descending order. */
  readonly descending: boolean
  readonly columns: readonly string[]
}

/** Indexes over whole columns and all rows, without the primary key's. */
export const readIndexes = (ask: Ask, table: string): readonly IndexFound[] =>
  indexRows(ask, table).flatMap((index): readonly IndexFound[] => {
    const parts = partRows(ask, index)
    if (index["origin"] === "pk" || parts.some((part) => part["name"] === null)) return []
    return [
      {
        name: text(index["name"]),
        unique: index["unique"] === 1,
        constraint: index["origin"] === "u",
        descending: parts.some((part) => part["desc"] === 1),
        columns: parts.map((part) => text(part["name"])),
      },
    ]
  })

/** Columns of the primary key, in its order. */
export const keyOf = (columns: readonly Row[]): readonly Row[] =>
  columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a["pk"]) - Number(b["pk"]))

/** Includes SQLite's own tables. */
export const tableNames = (ask: Ask): readonly string[] =>
  ask("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => text(name))

/** One list of rows for each foreign key, with the columns in their order. */
export function foreignKeyRows(ask: Ask, table: string): readonly (readonly Row[])[] {
  const rows = ask("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq", table)
  return [...Map.groupBy(rows, ({ id }) => id).values()]
}

// Statistics of its tables: estimated rows, and indexes.

export function readSqliteStatistics(database: DatabaseSync): Statistics {
  const ask = asking(database)
  const analysed = readAnalysed(ask)
  return new Map(
    tableNames(ask).map((name): [string, TableStatistics] => {
      const count = Math.max(analysed.get(name) ?? -1, greatestRow(database, name))
      const key = keyOf(columnRows(ask, name)).map((column) => text(column["name"]))
      const indexes = indexRows(ask, name).map((index) => {
        // An index on an expression serves up to it; a partial one serves some rows only and is left out.
        const parts = partRows(ask, index).map((part) => part["name"])
        const end = parts.indexOf(null)
        const columns = (end < 0 ? parts : parts.slice(0, end)).map(text)
        return { columns, unique: index["unique"] === 1 && end < 0 }
      })
      const own = key.length > 0 ? [{ columns: key, unique: true }] : []
      return [name, { ...(count < 0 ? {} : { rows: count }), indexes: [...own, ...indexes] }]
    }),
  )
}

/** Rows that a table may grow by before it counts as another one, beside as many as it had. */
const littleGrowth = 1_000

/** Whether a table has so many more rows that a read of it is another one. Finds it out without reading tables. */
export const hasGrown = (database: DatabaseSync, known: Statistics): boolean =>
  [...known].some(([table, { rows }]) =>
    rows === undefined ? false : greatestRow(database, table) > 2 * rows + littleGrowth,
  )

/** Whether there are results of ANALYZE (https://sqlite.org/fileformat2.html section 2.6.1). */
export const isAnalysed = (ask: Ask): boolean =>
  ask("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").length > 0

/** The first number is the rows. */
function readAnalysed(ask: Ask): ReadonlyMap<string, number> {
  if (!isAnalysed(ask)) return new Map()
  const rows = ask("SELECT tbl, max(CAST(stat AS INTEGER)) AS count FROM sqlite_stat1 GROUP BY tbl")
  return new Map(rows.map((row) => [text(row["tbl"]), Number(row["count"])]))
}

/** The greatest row number, which is found without reading the table; -1 where rows have none. */
export function greatestRow(database: DatabaseSync, table: string): number {
  try {
    const statement = database.prepare(`SELECT max(rowid) AS greatest FROM ${quoted(table)}`)
    statement.setReadBigInts(true)
    const greatest = statement.get()?.["greatest"]
    return typeof greatest === "bigint" ? Math.max(0, Number(greatest)) : 0
  } catch {
    // WITHOUT ROWID, or a virtual table whose module is not there.
    return -1
  }
}
