// Traits of PostgreSQL tables, from its catalogs (PostgreSQL documentation, chapter "System Catalogs").
import type { TableName } from "../../model/model.ts"
import type { Dialect, TableTraits } from "../../sql/dialect.ts"
import { captureTrigger } from "../../sql/log/capture.ts"

export interface TraitRow {
  readonly schema: string
  readonly name: string
  readonly visible: boolean
  readonly triggered: boolean
  readonly bare: boolean
  readonly deferred: boolean
}

/**
 * Triggers and rules of people, not those that capture changes for the log; those of the parts of a table are its own. A foreign key that follows changes of what is no
 * primary key does so when the statement that changes it has answered; no primary key is ever changed here. Tables that lie in
 * parts do not give system columns of what is written, nor any that the role may read by their columns only; views and
 * foreign tables have none.
 */
export const traitsQuery = `
  WITH RECURSIVE triggered AS (
    SELECT tgrelid AS oid FROM pg_trigger
    WHERE NOT tgisinternal AND tgenabled <> 'D' AND NOT starts_with(tgname, '${captureTrigger}')
    UNION
    SELECT ev_class FROM pg_rewrite WHERE rulename <> '_RETURN' AND ev_enabled <> 'D'
    UNION
    SELECT confrelid FROM pg_constraint AS k
    WHERE contype = 'f' AND confupdtype IN ('c', 'n', 'd') AND NOT EXISTS (
      SELECT FROM pg_index AS i WHERE i.indexrelid = k.conindid AND i.indisprimary)
    UNION
    SELECT i.inhparent FROM pg_inherits AS i JOIN triggered AS part ON part.oid = i.inhrelid
  )
  SELECT * FROM (
    SELECT n.nspname AS schema, c.relname AS name, pg_table_is_visible(c.oid) AS visible,
      c.oid IN (SELECT oid FROM triggered) AS triggered, c.relkind <> 'r' OR NOT has_table_privilege(c.oid, 'SELECT') AS bare,
      c.oid IN (SELECT indrelid FROM pg_index WHERE indisunique AND NOT indimmediate) AS deferred
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f')
      AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')
  ) AS found WHERE triggered OR bare OR deferred ORDER BY schema, name`

/** The dialect, with what is odd about tables; the same where nothing is. */
export function withTraits(dialect: Dialect, rows: readonly TraitRow[]): Dialect {
  if (rows.length === 0) return dialect
  const known = new Map(
    rows.flatMap(({ schema, name, visible, triggered, bare, deferred }) => {
      const found: TableTraits = {
        ...(triggered && { triggered }),
        ...(bare && { bare }),
        ...(deferred && { deferred }),
      }
      const named: readonly [string, TableTraits] = [placeOf({ schema, name }), found]
      return visible ? [named, [placeOf({ name }), found] as const] : [named]
    }),
  )
  return { ...dialect, writes: { ...dialect.writes, oddities: (table) => known.get(placeOf(table)) } }
}

const placeOf = ({ schema, name }: TableName): string => JSON.stringify([schema ?? null, name])
