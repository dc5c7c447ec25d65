// Statistics of a PostgreSQL database's tables: estimated rows, and indexes.
import type { Frequencies, Statistics, TableStatistics } from "../../plan/cost/access-paths.ts"

interface TableRow {
  readonly name: string
  readonly rows: number
  readonly visible: boolean
  readonly schema: string
  readonly indexes: readonly { readonly columns: readonly string[]; readonly unique: boolean }[]
  readonly frequencies: readonly {
    readonly column: string
    readonly usual: Frequencies["usual"]
    readonly named: readonly string[]
  }[]
}

/** How much more or less frequent than the average a value is at most that counts as usual. */
const factor = 2
/** Columns without an index are asked for only where they have so few values. */
const fewValues = 20
/** Bytes that a column's values may have on average. */
const widest = 100

/**
 * For the table `c`, the frequencies that PostgreSQL's planner supposes for each column. There are three: for any value
 * (`var_eq_non_const` of its source), for one that its statistics name, and for one that they do not (`var_eq_const`).
 * Only for types whose values read here as they do in a plan.
 */
const frequencies = `
  SELECT json_build_object('column', k.attname, 'usual', CASE WHEN k.others THEN 'others' ELSE 'named' END, 'named', (
    SELECT coalesce(json_agg(CASE k.atttypid WHEN 'bool'::regtype THEN m.value::bool::text ELSE m.value END), '[]')
    FROM unnest(k.listed, k.shares) AS m (value, share)
    WHERE (m.share BETWEEN k.average / ${factor} AND k.average * ${factor}) <> k.others)) AS told
  FROM (
    SELECT d.*, v.average, least(
        (1 - d.null_frac - d.sum) / greatest(d.several - cardinality(d.shares), 1), d.shares[cardinality(d.shares)]
      ) BETWEEN v.average / ${factor} AND v.average * ${factor} AS others
    FROM (
      SELECT a.attname, a.atttypid, s.null_frac, s.most_common_vals::text::text[] AS listed,
        coalesce(s.most_common_freqs, '{}') AS shares,
        (SELECT coalesce(sum(share), 0) FROM unnest(s.most_common_freqs) AS share) AS sum,
        greatest(CASE WHEN s.n_distinct < 0 THEN -s.n_distinct * c.reltuples ELSE s.n_distinct END, 1) AS several
      FROM pg_stats AS s JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = s.attname
      WHERE s.schemaname = n.nspname AND s.tablename = c.relname AND s.inherited = (c.relkind = 'p')
        AND s.avg_width <= ${widest} AND a.atttypid IN ('bool'::regtype, 'int2'::regtype, 'int4'::regtype,
          'int8'::regtype, 'text'::regtype, 'varchar'::regtype, 'uuid'::regtype)
    ) AS d, LATERAL (SELECT least((1 - d.null_frac) / d.several, d.shares[1]) AS average) AS v
    WHERE d.several <= ${fewValues} OR EXISTS (
      SELECT 1 FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[])
      WHERE i.indrelid = c.oid AND a.attname = d.attname)
  ) AS k`

/**
 * Tables never analyzed say -1. An index on an expression serves up to it; a partial one is left out.
 * @param frequencies an expression for the frequencies of each column's values
 */
const queryWith = (frequencies: string): string => `
  SELECT c.relname AS name, n.nspname AS schema, c.reltuples::float8 AS rows, pg_table_is_visible(c.oid) AS visible,
    coalesce((
      SELECT json_agg(json_build_object('unique', i.indisunique AND NOT 0 = ANY (i.indkey::int2[]), 'columns', (
        SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]')
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number
        WHERE k.place <= i.indnkeyatts AND k.place < coalesce(array_position(i.indkey::int2[], 0::int2) + 1, 100))))
      FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL), '[]') AS indexes,
    ${frequencies} AS frequencies
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND NOT starts_with(n.nspname, 'pg_')`

export const statisticsQuery = queryWith(
  `coalesce((SELECT json_agg(f.told) FROM (${frequencies}) AS f), '[]')`,
)
/** Without the frequencies, which take about half a millisecond for each wide table: nothing waits for those at a start. */
export const firstStatisticsQuery = queryWith("'[]'::json")

/** By the name with its schema, and by the bare one where that finds the table. */
export function readPostgresStatistics(rows: readonly TableRow[]): Statistics {
  return new Map(
    rows.flatMap(({ name, schema, rows: count, visible, indexes, frequencies }) => {
      const known = new Map(
        frequencies.map(({ column, usual, named }) => [column, { usual, named: new Set(named) }]),
      )
      const table: TableStatistics = {
        ...(count < 0 ? {} : { rows: count }),
        indexes,
        frequencies: known,
      }
      const named: [string, TableStatistics] = [`${schema}.${name}`, table]
      return visible ? [named, [name, table] as [string, TableStatistics]] : [named]
    }),
  )
}
