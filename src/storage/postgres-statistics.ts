// What a PostgreSQL database says of its tables: how many rows there are about, and which indexes.
import type { Statistics, TableStatistics } from "../plan/access.ts"

interface TableRow {
  readonly name: string
  readonly rows: number
  readonly visible: boolean
  readonly schema: string
  readonly indexes: readonly { readonly columns: readonly string[]; readonly unique: boolean }[]
}

/** Tables never analysed say -1. An index on an expression serves up to it; a partial one is left out. */
export const statisticsQuery = `
  SELECT c.relname AS name, n.nspname AS schema, c.reltuples::float8 AS rows, pg_table_is_visible(c.oid) AS visible,
    coalesce((
      SELECT json_agg(json_build_object('unique', i.indisunique AND NOT 0 = ANY (i.indkey::int2[]), 'columns', (
        SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]')
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number
        WHERE k.place <= i.indnkeyatts AND k.place < coalesce(array_position(i.indkey::int2[], 0::int2) + 1, 100))))
      FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL), '[]') AS indexes
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND NOT starts_with(n.nspname, 'pg_')`

/** By the name with its schema, and by the bare one where that finds the table. */
export function readPostgresStatistics(rows: readonly TableRow[]): Statistics {
  return new Map(
    rows.flatMap(({ name, schema, rows: count, visible, indexes }) => {
      const table: TableStatistics = { ...(count < 0 ? {} : { rows: count }), indexes }
      const named: [string, TableStatistics] = [`${schema}.${name}`, table]
      return visible ? [named, [name, table] as [string, TableStatistics]] : [named]
    }),
  )
}
