// The tables of a SQLite file as a migration has to know them: exactly as they were declared, with names of all indexes.
import type { DatabaseSync } from "node:sqlite"
import { checkConditions, readChoice } from "../../model/introspection/check-constraints.ts"
import { sqlite } from "../../sql/dialects/sqlite.ts"
import { beginningsIn, readBeginning } from "../../sql/migration/renamed-log.ts"
import type { FoundCheck, FoundIndex, FoundTable } from "../../sql/migration/steps.ts"
import { logTable } from "../../sql/schema/system-tables.ts"
import type { TableColumn } from "../../sql/schema/tables.ts"

type Row = Readonly<Record<string, unknown>>

export function foundSqlite(database: DatabaseSync): readonly FoundTable[] {
  const ask = (sql: string, ...values: string[]): readonly Row[] => database.prepare(sql).all(...values)
  return ask(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  ).map((row): FoundTable => {
    const [table, definition] = [text(row["name"]), text(row["sql"])]
    const columns = ask("SELECT * FROM pragma_table_xinfo(?) ORDER BY cid", table)
    const keyed = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a["pk"]) - Number(b["pk"]))
    return {
      name: { name: table },
      visible: true,
      columns: columns.map((column) => readColumn(column, definition)),
      key: keyed.map(({ name }) => text(name)),
      indexes: ask("SELECT * FROM pragma_index_list(?) WHERE origin <> 'pk' AND partial = 0", table).flatMap(
        (index) => readIndex(ask, index),
      ),
      foreignKeys: readForeignKeys(ask, table),
      checks: checkConditions(definition).flatMap(readCheck),
      ...(table === logTable.name && { beginnings: ask(beginningsIn(sqlite)).map(readBeginning) }),
    }
  })
}

function readColumn(row: Row, definition: string): TableColumn {
  const name = text(row["name"])
  const usual = row["dflt_value"]
  return {
    name,
    type: `${text(row["type"])}${commentOf(definition, name)}`,
    nullable: row["notnull"] === 0 && row["pk"] === 0,
    // SQLite gives an expression without the brackets that it needs (https://www.sqlite.org/syntax/column-constraint.html).
    ...(usual === null ? {} : { default: `(${text(usual)})` }),
  }
}

/** The check that SQLite's type leaves open, where Bifold made the table (sql/schema/display-type.ts). */
function commentOf(definition: string, column: string): string {
  const quoted = `"${column.replaceAll('"', '""')}"`.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const name = /^[A-Za-z_]\w*$/.test(column) ? `(?:${quoted}|\\b${column})` : quoted
  return new RegExp(`${name} (?:TEXT|INTEGER|REAL|BLOB)( /\\* [^*]+ \\*/)`).exec(definition)?.[1] ?? ""
}

function readIndex(ask: (sql: string, value: string) => readonly Row[], row: Row): readonly FoundIndex[] {
  const name = text(row["name"])
  const parts = ask('SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno', name)
  if (parts.some((part) => part["name"] === null || part["desc"] === 1)) return []
  const columns = parts.map((part) => text(part["name"]))
  return [{ name, columns, unique: row["unique"] === 1, valid: true, constraint: row["origin"] === "u" }]
}

function readForeignKeys(
  ask: (sql: string, value: string) => readonly Row[],
  table: string,
): FoundTable["foreignKeys"] {
  const rows = ask("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq", table)
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((parts) => ({
    name: "",
    columns: parts.map(({ from }) => text(from)),
    target: { name: text(parts[0]?.["table"]) },
    targetColumns: parts.map(({ to }) => text(to)),
    valid: true,
  }))
}

function readCheck(condition: string): readonly FoundCheck[] {
  const check = (column: string, of: FoundCheck["of"]) => [{ name: "", column, of, valid: true }]
  const unquoted = (name: string | undefined): string => (name ?? "").replaceAll('""', '"')
  const json = /^json_valid\("((?:[^"]|"")+)"\)$/.exec(condition)
  if (json) return check(unquoted(json[1]), "json")
  const bits = /^"((?:[^"]|"")+)" IN \(0, 1\)$/.exec(condition)
  if (bits) return check(unquoted(bits[1]), "bits")
  const choice = readChoice(condition)
  return choice ? check(choice.column, choice.values) : []
}

const text = (value: unknown): string => (value === null || value === undefined ? "" : String(value))
