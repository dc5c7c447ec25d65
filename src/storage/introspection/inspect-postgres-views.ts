// Keys of views: each row of a view that reads one table by itself is a row of that table (PostgreSQL documentation,
// CREATE VIEW, "Updatable Views"), so the table's key is the view's where the view shows it.
import type pg from "pg"

/** Numbers of the columns of each key without NULL, shortest first; the primary one before others. */
type Keys = readonly (readonly number[])[]

/**
 * For each view the numbers of the columns that tell its rows apart; views without any are left out.
 * @param client in a transaction
 * @param views oids
 */
export async function readViewKeys(
  client: pg.Client,
  views: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, readonly number[]>()
  for (const view of views) {
    const [key] = await keysOfView(client, view)
    if (key) found.set(view, key)
  }
  return found
}

/** For a view that can be updated because it reads one table or such a view, and not by a rule. */
const definition = `
SELECT pg_get_viewdef(c.oid) AS definition FROM pg_class c
WHERE c.oid = $1 AND c.relkind = 'v' AND pg_relation_is_updatable(c.oid, false) <> 0 AND NOT EXISTS (
  SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.ev_type <> '1')`

/** A table that others inherit from has their rows too, and its key says nothing of those. */
const tableKeys = `
SELECT (i.indkey::int2[])[0:i.indnkeyatts - 1]::int4[] AS key
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE c.oid = $1 AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
  AND (c.relkind = 'p' OR c.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid))
  AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attnotnull
    AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1]))
ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid`

async function keysOfView(client: pg.Client, view: string): Promise<Keys> {
  const { rows } = await client.query<{ readonly definition: string }>(definition, [view])
  const text = rows[0]?.definition
  if (text === undefined) return []
  const columns = await readOrigins(client, text)
  const base = columns.find(({ table }) => table !== undefined)?.table
  if (base === undefined) return []
  const shown = new Map(columns.flatMap(({ column }, at) => (column === undefined ? [] : [[column, at + 1]])))
  return (await keysOf(client, base)).flatMap((key) => {
    const numbers = key.flatMap((column) => shown.get(column) ?? [])
    return numbers.length === key.length ? [numbers] : []
  })
}

async function keysOf(client: pg.Client, relation: string): Promise<Keys> {
  const { rows } = await client.query<{ readonly key: readonly number[] }>(tableKeys, [relation])
  return rows.length > 0 ? rows.map(({ key }) => key) : keysOfView(client, relation)
}

interface Origin {
  readonly table?: string
  readonly column?: number
}

/** Where each column of a question comes from (PostgreSQL documentation, "Message Formats", RowDescription). */
async function readOrigins(client: pg.Client, question: string): Promise<readonly Origin[]> {
  await client.query("SAVEPOINT origins")
  try {
    const { fields } = await client.query(`SELECT * FROM (${question.replace(/;\s*$/, "")}) AS asked LIMIT 0`)
    return fields.map(({ tableID, columnID }) =>
      columnID === 0 ? {} : { table: String(tableID), column: columnID },
    )
  } catch {
    // The role may read the view, and not what it reads.
    return []
  } finally {
    await client.query("ROLLBACK TO SAVEPOINT origins")
  }
}
