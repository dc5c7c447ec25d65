// The catalog of a PostgreSQL database, for introspection and migrations. Each question on the system tables (PostgreSQL
// documentation, chapter "System Catalogs") has the type of its rows.
import { present } from "../../base/invariant.ts"
import type { PostgresType } from "../../model/introspection/catalog.ts"

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
  /** `r` table, `p` partitioned, `v` view, `m` materialized view, `f` foreign table. */
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
  /** In their order. */
  readonly columns: readonly ColumnRow[]
  /** Over whole columns and all rows. */
  readonly indexes: readonly IndexRow[]
  readonly constraints: readonly ConstraintRow[]
}

export interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly modifier: number
  readonly dimensions: number
  /** As PostgreSQL writes the type: `character varying(20)[]`. */
  readonly shown: string
  /** Its collation takes texts for equal that have other characters. */
  readonly folded: boolean
  /** Null for the usual one of its type. */
  readonly collation: string | null
  readonly required: boolean
  /** A domain's NOT NULL holds for stored values; a view may give NULL all the same, by an outer join. */
  readonly nullable: boolean
  readonly generated: string
  readonly identity: string
  readonly defaulted: boolean
  /** The column's own default, or the expression of a generated one. */
  readonly default: string | null
  readonly expression: string | null
  readonly readable: boolean
  readonly insertable: boolean
  readonly updatable: boolean
  readonly comment: string | null
}

interface IndexRow {
  readonly name: string
  readonly unique: boolean
  readonly primary: boolean
  /** False for an index whose making was cut short. */
  readonly valid: boolean
  /** The index belongs to a constraint of the table. */
  readonly constraint: boolean
  /** One of its columns at least is in descending order, without values first. */
  readonly descending: boolean
  readonly columns: readonly string[]
}

export interface ConstraintRow {
  readonly name: string
  /** `f` foreign key, `c` check. */
  readonly kind: "f" | "c"
  readonly valid: boolean
  readonly columns: readonly string[]
  readonly target: { readonly schema: string; readonly name: string } | null
  readonly targetColumns: readonly string[]
  /** The condition of a check. */
  readonly condition: string | null
  readonly definition: string
  readonly comment: string | null
}

/** An expression: the names of the columns of `table` with these numbers, in their order, as a JSON array. */
const names = (numbers: string, table: string): string => `
  (SELECT coalesce(json_agg(own.attname ORDER BY part.position), '[]')
   FROM unnest(${numbers}) WITH ORDINALITY AS part(number, position)
   JOIN pg_attribute own ON own.attrelid = ${table} AND own.attnum = part.number)`

/** An expression: a JSON array of the rows of `from`, each an object of these members. */
const rowsOf = (members: Readonly<Record<string, string>>, from: string, order: string): string => `
  (SELECT coalesce(json_agg(json_build_object(${Object.entries(members)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(", ")}) ORDER BY ${order}), '[]') FROM ${from})`

const columns = rowsOf(
  {
    name: "a.attname",
    type: "a.atttypid::text",
    modifier: "a.atttypmod",
    dimensions: "a.attndims",
    shown: "format_type(a.atttypid, a.atttypmod)",
    folded: "NOT coalesce(l.collisdeterministic, true)",
    collation: "CASE WHEN a.attcollation NOT IN (0, 100) THEN l.collname END",
    required: "a.attnotnull",
    nullable: "NOT (a.attnotnull OR t.typnotnull AND c.relkind IN ('r', 'p'))",
    generated: "a.attgenerated",
    identity: "a.attidentity",
    defaulted: "coalesce(pg_get_expr(d.adbin, d.adrelid) !~ '^NULL(::|$)', t.typdefault IS NOT NULL)",
    default: "pg_get_expr(d.adbin, d.adrelid)",
    expression: "coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0))",
    readable: "has_column_privilege(a.attrelid, a.attnum, 'SELECT')",
    insertable: "has_column_privilege(a.attrelid, a.attnum, 'INSERT')",
    updatable: "has_column_privilege(a.attrelid, a.attnum, 'UPDATE')",
    comment: "col_description(a.attrelid, a.attnum)",
  },
  `pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`,
  "a.attnum",
)

const indexes = rowsOf(
  {
    name: "x.relname",
    unique: "i.indisunique",
    primary: "i.indisprimary",
    valid: "i.indisvalid",
    constraint:
      "EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))",
    descending: "3 = ANY (i.indoption::int2[])",
    columns: names("(i.indkey::int2[])[0:i.indnkeyatts - 1]", "i.indrelid"),
  },
  `pg_index i JOIN pg_class x ON x.oid = i.indexrelid
    WHERE i.indrelid = c.oid AND i.indpred IS NULL AND i.indexprs IS NULL`,
  "x.relname",
)

/** Those that a partition repeats are left out. */
const constraints = rowsOf(
  {
    name: "k.conname",
    kind: "k.contype",
    valid: "k.convalidated",
    columns: names("k.conkey", "k.conrelid"),
    target: `(SELECT json_build_object('schema', tn.nspname, 'name', o.relname)
      FROM pg_class o JOIN pg_namespace tn ON tn.oid = o.relnamespace WHERE o.oid = k.confrelid)`,
    targetColumns: names("k.confkey", "k.confrelid"),
    condition: "pg_get_expr(k.conbin, k.conrelid)",
    definition: "pg_get_constraintdef(k.oid)",
    comment: "obj_description(k.oid, 'pg_constraint')",
  },
  "pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('f', 'c') AND k.conparentid = 0",
  "k.conkey, k.conname",
)

/** Tables of the schemas in $1, and with $2 of the schema for bare names. A partition is read through its table. */
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
  obj_description(c.oid, 'pg_class') AS comment,
  ${columns} AS columns, ${indexes} AS indexes, ${constraints} AS constraints
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND (n.nspname = ANY ($1::text[]) OR $2 AND n.nspname = current_schema())
ORDER BY n.nspname, c.relname`

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

/** All types, so that domains and arrays can be followed to what they are made of. */
export const types = `
SELECT t.oid::text, t.typname::text AS name, n.nspname::text AS schema, t.typtype::text AS kind,
  CASE WHEN t.typlen = -1 AND t.typarray = 0 AND t.typelem <> 0 THEN t.typelem::text END AS element,
  CASE WHEN t.typtype = 'd' THEN t.typbasetype::text END AS base, t.typtypmod AS modifier, t.typndims AS dimensions,
  (SELECT coalesce(json_agg(pg_get_expr(k.conbin, 0)), '[]') FROM pg_constraint k
   WHERE k.contypid = t.oid AND k.contype = 'c' AND k.convalidated) AS checks
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace`

/** A row of pg_type. */
export interface TypeRow {
  readonly oid: string
  readonly name: string
  readonly schema: string
  /** `b` base, `c` composite, `d` domain, `e` enum, `p` pseudo, `r` range, `m` multirange. */
  readonly kind: string
  /** For arrays: the element's type. */
  readonly element: string | null
  /** For domains: the type below. */
  readonly base: string | null
  readonly modifier: number
  readonly dimensions: number
  readonly checks: readonly string[]
}

const formOf: Readonly<Record<string, PostgresType["form"]>> = {
  e: "enum",
  r: "range",
  m: "range",
  c: "composite",
  p: "pseudo",
}

/** The type of a column in a row of pg_attribute. */
interface TypeUse {
  readonly type: string
  readonly modifier: number
  readonly dimensions: number
  readonly shown: string
  readonly folded: boolean
}

/** From the type of a column to what it is made of. */
export function typeReader(rows: readonly TypeRow[]): (use: TypeUse) => PostgresType {
  const byOid = new Map(rows.map((row) => [row.oid, row]))
  const at = (oid: string): TypeRow => present(byOid.get(oid), `pg_type has no row ${oid}`)
  return ({ type: oid, modifier, dimensions, shown, folded }) => {
    let row = at(oid)
    const domain = row.base !== null && ({ domain: true } as const)
    let [length, depth] = [modifier, dimensions]
    const checks: string[] = []
    for (let below = row.base ?? row.element; below !== null; below = row.base ?? row.element) {
      if (row.base !== null) {
        checks.push(...row.checks)
        if (length < 0) length = row.modifier
        depth = Math.max(depth, row.dimensions)
      } else depth = Math.max(depth, 1)
      row = at(below)
    }
    const form = formOf[row.kind] ?? "base"
    const { name, schema } = row
    return {
      kind: "postgres",
      name,
      schema,
      form,
      shown,
      ...domain,
      dimensions: depth,
      ...readModifier(name, length),
      ...(folded || name === "citext" ? { folded: true } : {}),
      checks,
    }
  }
}

/** Their modifier is the number of digits of a second's fraction (PostgreSQL source, `anytime_typmod_check`). */
const fractions: ReadonlySet<string> = new Set(["time", "timetz", "timestamp", "timestamptz"])

/** PostgreSQL source, `numeric_typmod_*` and `VARHDRSZ`: other modifiers carry four bytes of header. */
function readModifier(name: string, modifier: number): Pick<PostgresType, "length" | "precision" | "scale"> {
  if (modifier < 0) return {}
  if (name === "varchar" || name === "bpchar") return { length: modifier - 4 }
  if (fractions.has(name)) return { precision: modifier }
  if (name !== "numeric") return {}
  const packed = modifier - 4
  const scale = ((packed & 0x7ff) ^ 1024) - 1024 // eleven bits with a sign
  return { precision: (packed >> 16) & 0xffff, scale }
}
