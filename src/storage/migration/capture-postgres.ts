// Triggers of a PostgreSQL database that log what other programs write, and the tables that they can be on.
import type { ClientBase } from "pg"
import { captureFunctions } from "../../sql/log/capture.ts"
import type { FoundCapture } from "../../sql/migration/capture.ts"
import { systemTableNames } from "../../sql/schema/system-tables.ts"

/** A row with one JSON object. $1: how the functions' names begin; $2: the name of the log. */
const question = `
WITH log AS (SELECT to_regclass(quote_ident($2::text)) AS oid)
SELECT json_build_object(
  'schema', coalesce((SELECT n.nspname FROM log JOIN pg_class c ON c.oid = log.oid JOIN pg_namespace n ON n.oid = c.relnamespace),
    current_schema()),
  'hasLog', (SELECT oid IS NOT NULL FROM log),
  'logColumns', (SELECT coalesce(json_agg(a.attname), '[]') FROM log JOIN pg_attribute a ON a.attrelid = log.oid WHERE a.attnum > 0 AND NOT a.attisdropped),
  'tables', (SELECT coalesce(json_agg(json_build_object('schema', n.nspname, 'name', c.relname,
      'visible', pg_table_is_visible(c.oid), 'bare', c.relkind <> 'r',
      'kind', CASE WHEN c.relkind = 'v' THEN 'view' WHEN c.relkind = 'f' THEN 'foreign'
        WHEN c.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid) THEN 'parent' ELSE 'table' END)
      ORDER BY n.nspname, c.relname), '[]')
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')),
  'functions', (SELECT coalesce(json_agg(json_build_object('schema', n.nspname, 'name', p.proname, 'body', p.prosrc,
      'definer', p.prosecdef, 'settings', coalesce(to_json(p.proconfig), '[]'),
      'shared', EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a WHERE a.grantee <> p.proowner),
      'triggers', (SELECT coalesce(json_agg(json_build_object('name', t.tgname, 'schema', tn.nspname, 'table', c.relname,
          'enabled', t.tgenabled IN ('O', 'A'), 'events', t.tgtype, 'conditional', t.tgqual IS NOT NULL)), '[]')
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace tn ON tn.oid = c.relnamespace
        WHERE t.tgfoid = p.oid AND t.tgparentid = 0)) ORDER BY p.proname), '[]')
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE starts_with(p.proname, $1) AND p.prorettype = 'trigger'::regtype)) AS found`

export async function foundCapture(client: ClientBase): Promise<FoundCapture> {
  const { rows } = await client.query<{ found: FoundCapture }>(question, [
    captureFunctions,
    systemTableNames.log,
  ])
  const [row] = rows
  if (!row) throw new Error("a question about the catalog has an answer")
  return row.found
}
