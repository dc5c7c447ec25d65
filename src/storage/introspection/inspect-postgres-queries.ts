// The queries of inspect-postgres.ts on PostgreSQL's system catalogs, each with the type of its rows.

/** Schemas of people, `public` first. */
export const schemas = `
SELECT nspname::text AS name, has_schema_privilege(oid, 'USAGE') AS usable
FROM pg_namespace
WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
ORDER BY nspname <> 'public', nspname COLLATE "C"`

export interface TableRow {
  readonly oid: string
  readonly schema: string
  readonly name: string
  /** `r` table, `p` partitioned, `v` view, `m` materialised view, `f` foreign table. */
  readonly kind: "r" | "p" | "v" | "m" | "f"
  readonly visible: boolean
  readonly filled: boolean
  readonly readable: boolean
  /** All of it, system columns included. */
  readonly whole: boolean
  /** Privileges of the role, on some columns at least. */
  readonly inserts: boolean
  readonly updates: boolean
  readonly deletes: boolean
  /** Commands that a rule replaces: `2` update, `3` insert, `4` delete. */
  readonly instead: readonly string[]
  /** Other tables inherit from it: reading it reads them too. */
  readonly parent: boolean
  readonly extension: string | null
  readonly comment: string | null
}

/** Tables of the schemas in $1; a partition is read through its table. */
export const tables = `
SELECT c.oid::text, n.nspname::text AS schema, c.relname::text AS name, c.relkind::text AS kind,
  pg_table_is_visible(c.oid) AS visible, c.relispopulated AS filled,
  has_any_column_privilege(c.oid, 'SELECT') AS readable, has_table_privilege(c.oid, 'SELECT') AS whole,
  has_any_column_privilege(c.oid, 'INSERT') AS inserts, has_any_column_privilege(c.oid, 'UPDATE') AS updates,
  has_table_privilege(c.oid, 'DELETE') AS deletes,
  (SELECT coalesce(json_agg(r.ev_type::text), '[]') FROM pg_rewrite r
   WHERE r.ev_class = c.oid AND r.is_instead AND r.ev_enabled <> 'D') AS instead,
  EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid) AS parent,
  (SELECT e.extname::text FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
   WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e' LIMIT 1) AS extension,
  obj_description(c.oid, 'pg_class') AS comment
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname = ANY ($1::text[])
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`

export interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly modifier: number
  readonly dimensions: number
  /** As PostgreSQL writes the type: `character varying(20)[]`. */
  readonly shown: string
  /** Its collation takes texts for equal that have other characters. */
  readonly folded: boolean
  readonly nullable: boolean
  readonly generated: string
  readonly identity: string
  readonly defaulted: boolean
  readonly expression: string | null
  readonly readable: boolean
  readonly insertable: boolean
  readonly updatable: boolean
  readonly comment: string | null
}

/** Columns of the tables in $1. A domain's NOT NULL holds for stored values; a view may give NULL all the same, by an outer join. */
export const columns = `
SELECT a.attrelid::text AS table, a.attname::text AS name, a.atttypid::text AS type, a.atttypmod AS modifier,
  a.attndims AS dimensions, format_type(a.atttypid, a.atttypmod) AS shown,
  EXISTS (SELECT FROM pg_collation k WHERE k.oid = a.attcollation AND NOT k.collisdeterministic) AS folded, NOT (a.attnotnull OR t.typnotnull AND c.relkind IN ('r', 'p')) AS nullable, a.attgenerated::text AS generated,
  a.attidentity::text AS identity, coalesce(pg_get_expr(d.adbin, d.adrelid) !~ '^NULL(::|$)', t.typdefault IS NOT NULL) AS defaulted,
  coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0)) AS expression,
  has_column_privilege(a.attrelid, a.attnum, 'SELECT') AS readable,
  has_column_privilege(a.attrelid, a.attnum, 'INSERT') AS insertable,
  has_column_privilege(a.attrelid, a.attnum, 'UPDATE') AS updatable, col_description(a.attrelid, a.attnum) AS comment
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attrelid, a.attnum`

/** All types, so that domains and arrays can be followed to what they are made of. */
export const types = `
SELECT t.oid::text, t.typname::text AS name, n.nspname::text AS schema, t.typtype::text AS kind,
  CASE WHEN t.typlen = -1 AND t.typarray = 0 AND t.typelem <> 0 THEN t.typelem::text END AS element,
  CASE WHEN t.typtype = 'd' THEN t.typbasetype::text END AS base, t.typtypmod AS modifier, t.typndims AS dimensions,
  (SELECT coalesce(json_agg(pg_get_expr(k.conbin, 0)), '[]') FROM pg_constraint k
   WHERE k.contypid = t.oid AND k.contype = 'c' AND k.convalidated) AS checks
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace`

/** An expression: the names of the columns of `table` with these numbers, in their order, as a JSON array. */
export const names = (numbers: string, table: string): string => `
  (SELECT coalesce(json_agg(own.attname ORDER BY part.position), '[]')
   FROM unnest(${numbers}) WITH ORDINALITY AS part(number, position)
   JOIN pg_attribute own ON own.attrelid = ${table} AND own.attnum = part.number)`

export interface ConstraintRow {
  readonly table: string
  /** `f` foreign key, `c` check. */
  readonly kind: "f" | "c"
  readonly valid: boolean
  readonly columns: readonly string[]
  readonly target: { readonly schema: string; readonly name: string } | null
  readonly targetColumns: readonly string[]
  /** The condition of a check. */
  readonly condition: string
  readonly definition: string
  readonly comment: string | null
}

/** Foreign keys and checks of the tables in $1; those that a partition repeats are left out. */
export const constraints = `
SELECT k.conrelid::text AS table, k.contype::text AS kind, k.convalidated AS valid,
  ${names("k.conkey", "k.conrelid")} AS columns,
  (SELECT json_build_object('schema', n.nspname, 'name', c.relname)
   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = k.confrelid) AS target,
  ${names("k.confkey", "k.confrelid")} AS "targetColumns",
  coalesce(pg_get_expr(k.conbin, k.conrelid), '') AS condition, pg_get_constraintdef(k.oid) AS definition,
  obj_description(k.oid, 'pg_constraint') AS comment
FROM pg_constraint k
WHERE k.conrelid = ANY ($1::oid[]) AND k.contype IN ('f', 'c') AND k.conparentid = 0
ORDER BY k.conrelid, k.conkey, k.conname COLLATE "C"`

export interface IndexRow {
  readonly table: string
  readonly unique: boolean
  readonly primary: boolean
  readonly columns: readonly string[]
}

/** Indexes of the tables in $1 over whole columns and all rows. */
export const indexes = `
SELECT i.indrelid::text AS table, i.indisunique AS unique, i.indisprimary AS primary,
  ${names("(i.indkey::int2[])[0:i.indnkeyatts - 1]", "i.indrelid")} AS columns
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = ANY ($1::oid[]) AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
ORDER BY i.indrelid, c.relname COLLATE "C"`

export interface EnumRow {
  readonly schema: string
  readonly name: string
  readonly values: readonly string[]
  readonly comment: string | null
}

export const enums = `
SELECT n.nspname::text AS schema, t.typname::text AS name,
  (SELECT coalesce(json_agg(e.enumlabel ORDER BY e.enumsortorder), '[]') FROM pg_enum e WHERE e.enumtypid = t.oid) AS values,
  obj_description(t.oid, 'pg_type') AS comment
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typtype = 'e'
ORDER BY n.nspname COLLATE "C", t.typname COLLATE "C"`
