// Reads the tables of a PostgreSQL database from its catalogs (PostgreSQL documentation, chapter "System Catalogs"), by
// one connection in one read-only transaction.
import { present } from "../../base/invariant.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import type {
  Catalog,
  CatalogColumn,
  CatalogForeignKey,
  CatalogTable,
  Note,
} from "../../model/introspection/catalog.ts"
import { unreachable, withClient } from "../postgres/client.ts"
import * as queries from "./inspect-postgres-queries.ts"
import { type TypeRow, typeReader } from "./inspect-postgres-types.ts"
import { readViewKeys } from "./inspect-postgres-views.ts"

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
  const all = await ask<queries.TableRow>(queries.tables, [schemas])
  const rows = all.filter((row) => isServed(row, notes))
  const oids = [rows.map(({ oid }) => oid)]
  const enums = await ask<queries.EnumRow>(queries.enums)
  const readType = typeReader(await ask<TypeRow>(queries.types))
  const columns = Map.groupBy(await ask<queries.ColumnRow>(queries.columns, oids), ({ table }) => table)
  const constraints = Map.groupBy(
    await ask<queries.ConstraintRow>(queries.constraints, oids),
    ({ table }) => table,
  )
  const indexes = Map.groupBy(await ask<queries.IndexRow>(queries.indexes, oids), ({ table }) => table)
  const viewKeys = await askKeys(rows.filter(({ kind }) => kind === "v").map(({ oid }) => oid))
  const tables = rows.map((row): CatalogTable => {
    const place = [row.schema, row.name]
    const own = constraints.get(row.oid) ?? []
    const ways = indexes.get(row.oid) ?? []
    const primary = ways.find((way) => way.primary)
    const all = columns.get(row.oid) ?? []
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
      checks: own.filter(({ kind, valid }) => kind === "c" && valid).map(({ condition }) => condition),
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
