// Reads the tables of a PostgreSQL database from its catalogs (PostgreSQL documentation, chapter "System Catalogs"), by
// one connection in one read-only transaction.

import type pg from "pg"
import { present } from "../../base/invariant.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type {
  Catalog,
  CatalogColumn,
  CatalogForeignKey,
  CatalogTable,
  Note,
} from "../../model/introspection/catalog.ts"
import * as queries from "../postgres/catalog.ts"
import { unreachable, withClient } from "../postgres/client.ts"

interface Wanted {
  readonly shown: string
  readonly schemas: readonly string[]
}

type Ask = <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** For each of these views the numbers of the columns that tell its rows apart. */
type AskKeys = (views: readonly string[]) => ReturnType<typeof readViewKeys>

export async function inspectPostgres(url: string, wanted: Wanted): Promise<Catalog> {
  try {
    return await withClient({ connectionString: url }, async (client) => {
      await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
      const ask: Ask = async (sql, values = []) => (await client.query(sql, [...values])).rows
      return readCatalog(ask, (views) => readViewKeys(client, views), wanted)
    })
  } catch (fault) {
    throw isOurs(fault) ? fault : unreachable(wanted.shown, fault)
  }
}

/** A Refusal, or a question that PostgreSQL refuses to answer (SQLSTATE class 42): our own bug. */
function isOurs(fault: unknown): boolean {
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : ""
  return fault instanceof Refusal || (code.startsWith("42") && code !== "42501")
}

async function readCatalog(ask: Ask, askKeys: AskKeys, wanted: Wanted): Promise<Catalog> {
  const schemas = await readSchemas(ask, wanted)
  const notes: Note[] = []
  const all = await ask<queries.TableRow>(queries.tables, [schemas, false])
  const rows = all.filter((row) => isServed(row, notes))
  const enums = await ask<queries.EnumRow>(queries.enums)
  const readType = queries.typeReader(await ask<queries.TypeRow>(queries.types))
  const viewKeys = await askKeys(rows.filter(({ kind }) => kind === "v").map(({ oid }) => oid))
  const tables = rows.map((row): CatalogTable => {
    const place = [row.schema, row.name]
    const { columns: all, constraints: own } = row
    const ways = row.indexes.filter(({ valid }) => valid)
    const primary = ways.find((way) => way.primary)
    const viewKey = viewKeys
      .get(row.oid)
      ?.map((number) => present(all[number - 1], "a view has its columns").name)
    return {
      schema: row.schema,
      name: row.name,
      visible: row.visible,
      kind: row.kind === "v" || row.kind === "m" ? "view" : "table",
      rows: row.kind === "r" && !row.parent && row.whole,
      writable: isTable(row),
      ...(isTable(row) && readWithheld(row, notes)),
      ...(row.comment === null ? {} : { comment: row.comment }),
      columns: all
        .filter((column) => isReadable(column, place, notes))
        .map((column) => ({
          ...readColumn(column, row),
          ...(viewKey?.includes(column.name) && { nullable: false }),
          type: readType(column),
        })),
      ...(primary ? { primaryKey: primary.columns } : {}),
      uniques: [
        ...ways.filter((way) => way.unique && !way.primary).map((way) => way.columns),
        ...(viewKey ? [viewKey] : []),
      ],
      indexes: ways.filter((way) => !way.unique).map((way) => way.columns),
      foreignKeys: own.flatMap((constraint) => readForeignKey(constraint, place, notes)),
      checks: own.flatMap(({ kind, valid, condition }) => (kind === "c" && valid ? (condition ?? []) : [])),
    }
  })
  return {
    dialect: "postgres",
    schemas,
    tables,
    enums: enums.filter(({ values }) => values.length > 0).map(readEnum),
    notes,
  }
}

async function readSchemas(ask: Ask, { schemas, shown }: Wanted): Promise<readonly string[]> {
  const rows = await ask<{ readonly name: string; readonly usable: boolean }>(queries.schemas)
  if (schemas.length === 0) return rows.filter(({ usable }) => usable).map(({ name }) => name)
  const known = rows.filter(({ usable }) => usable).map(({ name }) => name)
  const unknown = schemas.filter((name) => !known.includes(name))
  if (unknown.length === 0) return schemas
  throw refusal(
    "storage_unavailable",
    `No schema that this role may use is called "${unknown.join('", "')}" in ${shown}.`,
    {
      hint: `Known here: ${known.join(", ")}.`,
      place: ["schemas"],
    },
  )
}

function isServed(row: queries.TableRow, notes: Note[]): boolean {
  const place = [row.schema, row.name]
  if (row.extension !== null) {
    notes.push({ place, what: "not served", reason: `it belongs to the extension ${row.extension}` })
    return false
  }
  if (row.kind === "m" && !row.filled) {
    const hint = `Run REFRESH MATERIALIZED VIEW on it.`
    notes.push({ place, what: "not served", reason: "the materialised view has not been filled yet", hint })
    return false
  }
  if (!row.readable) {
    const hint = "GRANT SELECT on it to the role."
    notes.push({ place, what: "not served", reason: "the role may not read it", hint })
  }
  return row.readable
}

function isReadable(row: queries.ColumnRow, table: readonly string[], notes: Note[]): boolean {
  if (!row.readable) {
    const hint = "GRANT SELECT on the column to the role."
    notes.push({ place: [...table, row.name], what: "not served", reason: "the role may not read it", hint })
  }
  return row.readable
}

const isTable = ({ kind }: queries.TableRow): boolean => kind === "r" || kind === "p"

/** Writes that only some tables allow, by the database's names. */
const writes = [
  { action: "create", done: "created", privilege: "INSERT", may: "inserts", event: "3" },
  { action: "update", done: "changed", privilege: "UPDATE", may: "updates", event: "2" },
  { action: "delete", done: "deleted", privilege: "DELETE", may: "deletes", event: "4" },
] as const

function readWithheld(row: queries.TableRow, notes: Note[]): Pick<CatalogTable, "withheld"> {
  const place = [row.schema, row.name]
  const denied = writes.filter(({ may }) => !row[may])
  const ruled = writes.filter(({ may, event }) => row[may] && row.instead.includes(event))
  const what = (some: readonly (typeof writes)[number][]): string =>
    `its records cannot be ${some.map(({ done }) => done).join(", ")}`
  const named = (some: readonly (typeof writes)[number][]): string =>
    some.map(({ privilege }) => privilege).join(", ")
  if (denied.length > 0) {
    const hint = `GRANT ${named(denied)} on it to the role.`
    notes.push({ place, what: what(denied), reason: "the role may not write so", hint })
  }
  if (ruled.length > 0) {
    const reason = `rules of the database do something else in place of ${named(ruled)}`
    notes.push({ place, what: what(ruled), reason })
  }
  const withheld = [...denied, ...ruled].map(({ action }) => action)
  return withheld.length > 0 ? { withheld } : {}
}

/** A table that is only read says so itself. */
const readColumn = (row: queries.ColumnRow, table: queries.TableRow): Omit<CatalogColumn, "type"> => ({
  name: row.name,
  nullable: row.nullable,
  generated: row.generated !== "",
  always: row.identity === "a" || (!row.insertable && (table.inserts || (table.updates && !row.updatable))),
  ...(row.insertable && table.updates && !row.updatable && { immutable: true }),
  defaulted: row.generated === "" && (row.defaulted || row.identity !== ""),
  ...(row.expression === null ? {} : { expression: row.expression }),
  ...(row.comment === null ? {} : { comment: row.comment }),
})

function readForeignKey(
  row: queries.ConstraintRow,
  table: readonly string[],
  notes: Note[],
): readonly CatalogForeignKey[] {
  if (row.kind !== "f" || row.target === null) return []
  if (/\bPERIOD\b/.test(row.definition)) {
    const reason = "a foreign key over periods of time leads to no single record"
    notes.push({ place: [...table, row.columns.join(", ")], what: "no relation", reason })
    return []
  }
  return [
    {
      columns: row.columns,
      target: row.target,
      targetColumns: row.targetColumns,
      dangling: !row.valid,
      ...(row.comment === null ? {} : { comment: row.comment }),
    },
  ]
}

const readEnum = ({ comment, ...row }: queries.EnumRow) => ({
  ...row,
  ...(comment === null ? {} : { comment }),
})

// Keys of views. Each row of a view that reads only one table is a row of that table (PostgreSQL documentation, CREATE
// VIEW, "Updatable Views"). So the table's key is the view's where the view shows it.

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
