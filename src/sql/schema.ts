// The tables of a declared service, for a database that has none of them yet; and the clauses that migrations make them of.
import type { Model, TableName } from "../model/model.ts"
import type { Dialect } from "./dialect.ts"
import { type Fragment, literal, name, render } from "./fragment.ts"
import { ownTables } from "./own-tables.ts"
import {
  type Table,
  type TableCheck,
  type TableColumn,
  type TableForeignKey,
  type TableIndex,
  tablesOf,
} from "./tables.ts"

/** Statements in the order in which they can run. */
export function createSchema(model: Model, dialect: Dialect): readonly string[] {
  const tables = tablesOf(model, dialect)
  const indexes = (unique: boolean): readonly string[] =>
    tables.flatMap((table) =>
      table.indexes.filter((index) => index.unique === unique).map((index) => createIndex(table.name, index)),
    )
  // SQLite checks foreign keys only when rows are written, PostgreSQL wants the other table to be there first.
  const apart = dialect.name === "postgres"
  return [
    ...schemasOf(tables).map((schema) => `CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`),
    ...tables.map((table) => createTable(dialect, table)),
    ...indexes(true),
    ...(apart
      ? tables.flatMap((table) => table.foreignKeys.map((key) => addForeignKey(table.name, key)))
      : []),
    ...indexes(false),
    ...(model.managed ? ownTables(dialect) : []),
  ]
}

export const schemasOf = (tables: readonly Table[]): readonly string[] => [
  ...new Set(tables.flatMap(({ name: { schema } }) => (schema === undefined ? [] : [schema]))),
]

/** A quoted name (SQL:2016 delimited identifier; the same in both dialects). */
export const quoted = (text: string): string => plain(name(text))
const plain = (fragment: Fragment): string => render(fragment, () => "?").text
export const listed = (columns: readonly string[]): string => columns.map(quoted).join(", ")

export const tableText = ({ schema, name: table }: TableName): string =>
  schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`

/** With foreign keys on SQLite, which cannot add them later. */
export function createTable(dialect: Dialect, table: Table, as: TableName = table.name): string {
  const inside = dialect.name === "sqlite"
  const lines = [
    ...table.columns.map((column) => columnText(dialect, table, column)),
    ...(table.key.length > 0 ? [`PRIMARY KEY (${listed(table.key)})`] : []),
    ...(inside ? table.foreignKeys.map(foreignKeyText) : []),
  ]
  return `CREATE TABLE ${tableText(as)} (\n  ${lines.join(",\n  ")}\n)${inside ? " STRICT" : ""}`
}

export function columnText(
  dialect: Dialect,
  { checks }: Pick<Table, "checks">,
  { name: column, type, nullable, default: usual }: TableColumn,
): string {
  const own = checks.filter((check) => check.column === column)
  return [
    quoted(column),
    type,
    ...(nullable ? [] : ["NOT NULL"]),
    ...(usual === undefined ? [] : [`DEFAULT ${usual}`]),
    ...own.map((check) =>
      dialect.name === "sqlite" ? checkText(check) : `CONSTRAINT ${quoted(check.name)} ${checkText(check)}`,
    ),
  ].join(" ")
}

/** Holds also where there is no value. */
export function checkText({ column, of }: TableCheck): string {
  if (of === "json") return `CHECK (json_valid(${quoted(column)}))`
  const values = of === "bits" ? "0, 1" : of.map((value) => plain(literal(value))).join(", ")
  return `CHECK (${quoted(column)} IN (${values}))`
}

const foreignKeyText = ({ columns, target, targetColumns }: TableForeignKey): string =>
  `FOREIGN KEY (${listed(columns)}) REFERENCES ${tableText(target)} (${listed(targetColumns)})`

export const addForeignKey = (table: TableName, key: TableForeignKey): string =>
  `ALTER TABLE ${tableText(table)} ADD CONSTRAINT ${quoted(key.name)} ${foreignKeyText(key)}`

export const createIndex = (table: TableName, index: TableIndex, how = ""): string =>
  `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${how}${quoted(index.name)} ON ${tableText(table)} (${listed(index.columns)})`
