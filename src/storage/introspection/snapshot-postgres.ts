// The tables of a PostgreSQL database as a migration has to know them: with names of all indexes and constraints, and whether
// the making of one was cut short.
import type { ClientBase } from "pg"
import { readChoice } from "../../model/introspection/check-constraints.ts"
import { postgres } from "../../sql/dialects/postgres.ts"
import { filledPrefix } from "../../sql/migration/postgres.ts"
import { beginningsIn, readBeginning } from "../../sql/migration/renamed-log.ts"
import type { FoundCheck, FoundTable } from "../../sql/migration/steps.ts"
import { logTable } from "../../sql/schema/system-tables.ts"
import { names } from "./inspect-postgres-queries.ts"

interface Row {
  readonly schema: string
  readonly name: string
  readonly visible: boolean
  readonly columns: readonly {
    readonly name: string
    readonly type: string
    readonly collation: string | null
    readonly nullable: boolean
    readonly default: string | null
    readonly counted: boolean
  }[]
  readonly indexes: readonly {
    readonly name: string
    readonly columns: readonly string[]
    readonly unique: boolean
    readonly primary: boolean
    readonly valid: boolean
    readonly constraint: boolean
  }[]
  readonly constraints: readonly {
    readonly name: string
    readonly kind: "f" | "c"
    readonly columns: readonly string[]
    readonly target: { readonly schema: string; readonly name: string } | null
    readonly targetColumns: readonly string[]
    readonly valid: boolean
    readonly condition: string | null
  }[]
}

/** Tables of the schemas in $1, and of the schema for bare names. */
const question = `
SELECT n.nspname::text AS schema, c.relname::text AS name, pg_table_is_visible(c.oid) AS visible,
  (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'collation', CASE WHEN a.attcollation NOT IN (0, 100) THEN l.collname END,
      'nullable', NOT a.attnotnull, 'counted', a.attidentity <> '', 'default', pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attnum), '[]')
   FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     LEFT JOIN pg_collation l ON l.oid = a.attcollation
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  (SELECT coalesce(json_agg(json_build_object('name', x.relname, 'unique', i.indisunique, 'primary', i.indisprimary,
      'valid', i.indisvalid, 'columns', ${names("(i.indkey::int2[])[0:i.indnkeyatts - 1]", "i.indrelid")},
      'constraint', EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u')))
      ORDER BY x.relname), '[]')
   FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
   WHERE i.indrelid = c.oid AND i.indpred IS NULL AND i.indexprs IS NULL AND NOT (3 = ANY (i.indoption::int2[]))) AS indexes,
  (SELECT coalesce(json_agg(json_build_object('name', k.conname, 'kind', k.contype, 'valid', k.convalidated,
      'columns', ${names("k.conkey", "k.conrelid")},
      'target', (SELECT json_build_object('schema', tn.nspname, 'name', t.relname)
        FROM pg_class t JOIN pg_namespace tn ON tn.oid = t.relnamespace WHERE t.oid = k.confrelid),
      'targetColumns', ${names("k.confkey", "k.confrelid")},
      'condition', pg_get_expr(k.conbin, k.conrelid)) ORDER BY k.conname), '[]')
   FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('f', 'c')) AS constraints
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND NOT c.relispartition AND n.nspname = ANY ($1::text[] || current_schema()::text)
ORDER BY n.nspname, c.relname`

export async function foundPostgres(
  client: ClientBase,
  schemas: readonly string[],
): Promise<readonly FoundTable[]> {
  const { rows } = await client.query<Row>(question, [schemas])
  const isLog = ({ name, visible }: Pick<Row, "name" | "visible">): boolean =>
    visible && name === logTable.name
  const logged = rows.some(isLog) ? (await client.query(beginningsIn(postgres))).rows : []
  return rows.map(
    ({ schema, name, visible, columns, indexes, constraints }): FoundTable => ({
      name: { schema, name },
      visible,
      columns: columns.map(({ name: column, type, collation, nullable, default: usual, counted }) => ({
        name: column,
        type: collation === null || type.endsWith("[]") ? type : `${type} COLLATE "${collation}"`,
        nullable,
        ...(usual === null ? {} : { default: usual }),
        ...(counted && { counted }),
      })),
      key: indexes.find(({ primary }) => primary)?.columns ?? [],
      indexes: indexes.filter(({ primary }) => !primary).map(({ primary: _, ...index }) => index),
      foreignKeys: constraints.flatMap(({ kind, target, name: key, columns: own, targetColumns, valid }) =>
        kind === "f" && target ? [{ name: key, columns: own, target, targetColumns, valid }] : [],
      ),
      checks: constraints.flatMap(readCheck),
      ...(isLog({ name, visible }) && { beginnings: logged.map(readBeginning) }),
    }),
  )
}

function readCheck({
  kind,
  name,
  columns,
  condition,
  valid,
}: Row["constraints"][number]): readonly FoundCheck[] {
  const [column, ...more] = columns
  if (kind !== "c" || column === undefined || more.length > 0) return []
  if (name.startsWith(filledPrefix)) return [{ name, column, of: "filled", valid }]
  const choice = readChoice(condition ?? "")
  return choice
    ? [{ name, column, of: choice.values, valid }]
    : single(condition ?? "", { name, column, valid })
}

/** PostgreSQL writes a choice of one value as an equation. */
function single(condition: string, rest: Omit<FoundCheck, "of">): readonly FoundCheck[] {
  const value = /^\(+[^=]+ = '((?:[^']|'')*)'::text\)+$/.exec(condition)?.[1]
  return value === undefined ? [] : [{ ...rest, of: [value.replaceAll("''", "'")] }]
}
