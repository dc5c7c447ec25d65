// The catalog of a SQLite file, by its schema and pragmas (https://www.sqlite.org/pragma.html): tables, columns, indexes, foreign keys.
import type { DatabaseSync, StatementSync } from "node:sqlite"

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

interface IndexFound {
  readonly name: string
  readonly unique: boolean
  /** The index belongs to a UNIQUE constraint of the table. */
  readonly constraint: boolean
  /** One of its columns at least is in descending order. */
  readonly descending: boolean
  readonly columns: readonly string[]
}

/** Indexes over whole columns and all rows, without that of the primary key. */
export function readIndexes(ask: Ask, table: string): readonly IndexFound[] {
  const listed = ask("SELECT * FROM pragma_index_list(?) WHERE origin <> 'pk' AND partial = 0", table)
  return listed.flatMap((index): readonly IndexFound[] => {
    const name = text(index["name"])
    const parts = ask('SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno', name)
    if (parts.some((part) => part["name"] === null)) return []
    return [
      {
        name,
        unique: index["unique"] === 1,
        constraint: index["origin"] === "u",
        descending: parts.some((part) => part["desc"] === 1),
        columns: parts.map((part) => text(part["name"])),
      },
    ]
  })
}

/** One list of rows for each foreign key, with the columns in their order. */
export function foreignKeyRows(ask: Ask, table: string): readonly (readonly Row[])[] {
  const rows = ask("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq", table)
  return [...Map.groupBy(rows, ({ id }) => id).values()]
}
