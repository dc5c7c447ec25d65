// Statistics of a SQLite file's tables: estimated rows, and indexes.
import type { DatabaseSync } from "node:sqlite"
import type { Statistics, TableStatistics } from "../../plan/cost/access-paths.ts"
import { quoted } from "../../sql/fragment.ts"

interface IndexRow {
  readonly table: string
  readonly index: string
  readonly unique: number
  readonly column: string | null
}

/** An index on an expression serves up to it; a partial one serves some rows only and is left out. */
const indexColumns = `
  SELECT t.name AS "table", i.name AS "index", i."unique" AS "unique", c.name AS "column"
  FROM sqlite_schema AS t, pragma_index_list(t.name) AS i, pragma_index_info(i.name) AS c
  WHERE t.type = 'table' AND NOT i.partial
  ORDER BY t.name, i.seq, c.seqno`

const keyColumns = `
  SELECT t.name AS "table", '' AS "index", 1 AS "unique", c.name AS "column"
  FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
  WHERE t.type = 'table' AND c.pk > 0
  ORDER BY t.name, c.pk`

export function readSqliteStatistics(database: DatabaseSync): Statistics {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const indexes = new Map<string, Map<string, { columns: string[]; unique: boolean; ended: boolean }>>()
  const rows = [...database.prepare(keyColumns).all(), ...database.prepare(indexColumns).all()]
  for (const { table, index, unique, column } of rows as unknown as readonly IndexRow[]) {
    const found = indexes.get(table) ?? new Map()
    indexes.set(table, found)
    const known = found.get(index) ?? { columns: [], unique: unique === 1, ended: false }
    found.set(index, known)
    if (column === null) Object.assign(known, { ended: true, unique: false })
    else if (!known.ended) known.columns.push(column)
  }
  const analysed = readAnalysed(database)
  return new Map(
    tables.map((row): [string, TableStatistics] => {
      const name = String(row["name"])
      const count = Math.max(analysed.get(name) ?? -1, greatestRow(database, name))
      return [
        name,
        { ...(count < 0 ? {} : { rows: count }), indexes: [...(indexes.get(name)?.values() ?? [])] },
      ]
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

/** Results of ANALYZE (https://sqlite.org/fileformat2.html section 2.6.1): the first number is the rows. */
function readAnalysed(database: DatabaseSync): ReadonlyMap<string, number> {
  const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get()
  if (!known) return new Map()
  const rows = database
    .prepare("SELECT tbl, max(CAST(stat AS INTEGER)) AS count FROM sqlite_stat1 GROUP BY tbl")
    .all()
  return new Map(rows.map((row) => [String(row["tbl"]), Number(row["count"])]))
}

/** The greatest row number, which is found without reading the table; -1 where rows have none. */
function greatestRow(database: DatabaseSync, table: string): number {
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
