// The tables of a SQLite file as a migration has to know them: exactly as they were declared, with names of all indexes.
import type { DatabaseSync } from "node:sqlite"
import { checkConditions, readChoice } from "../../model/introspection/check-constraints.ts"
import { sqlite } from "../../sql/dialects/sqlite.ts"
import { quoted } from "../../sql/fragment.ts"
import { beginningsIn, readBeginning } from "../../sql/migration/renamed-log.ts"
import type { FoundCheck, FoundTable } from "../../sql/migration/steps.ts"
import { logTable } from "../../sql/schema/system-tables.ts"
import type { TableColumn } from "../../sql/schema/tables.ts"
import {
  type Ask,
  asking,
  columnRows,
  foreignKeyRows,
  type Row,
  readIndexes,
  text,
} from "./catalog-sqlite.ts"

export function foundSqlite(database: DatabaseSync): readonly FoundTable[] {
  const ask = asking(database)
  return ask(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  ).map((row): FoundTable => {
    const [table, definition] = [text(row["name"]), text(row["sql"])]
    const columns = columnRows(ask, table)
    const keyed = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a["pk"]) - Number(b["pk"]))
    return {
      name: { name: table },
      visible: true,
      columns: columns.map((column) => readColumn(column, definition)),
      key: keyed.map(({ name }) => text(name)),
      indexes: readIndexes(ask, table).flatMap(({ descending, ...index }) =>
        descending ? [] : [{ ...index, valid: true }],
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

/** The comment that Bifold writes behind a type for a check that SQLite's type leaves open. */
function commentOf(definition: string, column: string): string {
  if (!definition.includes(" /* ")) return ""
  const inQuotes = quoted(column).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const name = /^[A-Za-z_]\w*$/.test(column) ? `(?:${inQuotes}|\\b${column})` : inQuotes
  return new RegExp(`${name} (?:TEXT|INTEGER|REAL|BLOB)( /\\* [^*]+ \\*/)`).exec(definition)?.[1] ?? ""
}

function readForeignKeys(ask: Ask, table: string): FoundTable["foreignKeys"] {
  return foreignKeyRows(ask, table).map((parts) => ({
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
  // Files of before say the same without their first part.
  const json = /^(?:"(?:[^"]|"")+" IS NULL OR )?json_valid\("((?:[^"]|"")+)"\)$/.exec(condition)
  if (json) return check(unquoted(json[1]), "json")
  const bits = /^"((?:[^"]|"")+)" IN \(0, 1\)$/.exec(condition)
  if (bits) return check(unquoted(bits[1]), "bits")
  const choice = readChoice(condition)
  return choice ? check(choice.column, choice.values) : []
}
