// Migrates a SQLite file in one transaction; another process that migrates meanwhile waits for it.
import { DatabaseSync } from "node:sqlite"
import { setTimeout as pause } from "node:timers/promises"
import type { Problem } from "../../base/problem.ts"
import { checkConditions, readChoice } from "../../model/introspection/check-constraints.ts"
import type { Model } from "../../model/model.ts"
import { sqlite } from "../../sql/dialects/sqlite.ts"
import { quoted } from "../../sql/fragment.ts"
import { planMigration } from "../../sql/migration/migration.ts"
import { beginningsIn, readBeginning } from "../../sql/migration/renamed-log.ts"
import { type SqliteWork, sqliteWorks } from "../../sql/migration/sqlite.ts"
import type { FoundCheck, FoundTable, Step } from "../../sql/migration/steps.ts"
import { logTable, systemTablesOf } from "../../sql/schema/system-tables.ts"
import { type TableColumn, tablesOf } from "../../sql/schema/tables.ts"
import { readFile, unreadable } from "../introspection/inspect-sqlite.ts"
import {
  type Ask,
  asking,
  columnRows,
  foreignKeyRows,
  keyOf,
  type Row,
  readIndexes,
  text,
} from "../sqlite/catalog.ts"
import { registerFunctions } from "../sqlite/connection.ts"
import {
  answered,
  chooseSteps,
  failed,
  type Migrated,
  type MigrationRun,
  problemOf,
  settle,
} from "./migrate-choice.ts"

/** Milliseconds to wait for another process, and for how long before it is said. */
const patience = 600_000
const unsaid = 500

export function readSqlite(path: string): readonly FoundTable[] {
  return readFile(path, 0, foundSqlite)
}

/** Obstacles to these steps. */
export function checkSqlite(
  path: string,
  steps: readonly Step[],
  allow: readonly string[],
): readonly Problem[] {
  const { problems, asked } = chooseSteps(steps, allow)
  return readFile(path, 0, (database) => [...problems, ...ask(database, asked)])
}

export async function migrateSqlite(path: string, model: Model, run: MigrationRun): Promise<Migrated> {
  const database = open(path, { enableForeignKeyConstraints: false, timeout: unsaid })
  try {
    await begin(database, path, run)
    const migrated = migrateInside(database, model, run)
    database.exec("COMMIT")
    return migrated
  } catch (fault) {
    throw failed(path, fault)
  } finally {
    // An open transaction is rolled back.
    database.close()
  }
}

/** Asked for again and again: what makes a file one with a write-ahead log is not waited for by SQLite. */
async function begin(database: DatabaseSync, path: string, { say }: MigrationRun): Promise<void> {
  const until = performance.now() + patience
  for (let attempt = 1; ; attempt += 1)
    try {
      database.exec("PRAGMA journal_mode = WAL")
      database.exec("BEGIN IMMEDIATE")
      return
    } catch (fault) {
      if (!isBusy(fault) || performance.now() > until) throw unreadable(path, fault)
      if (attempt === 1) say?.("wait for another process that writes to this database")
      await pause(100)
    }
}

/** SQLITE_BUSY, whatever the reason (https://sqlite.org/rescode.html). */
const isBusy = (fault: unknown): boolean =>
  fault instanceof Error && "errcode" in fault && (Number(fault.errcode) & 0xff) === 5

function open(path: string, options: ConstructorParameters<typeof DatabaseSync>[1]): DatabaseSync {
  try {
    return new DatabaseSync(path, options)
  } catch (fault) {
    throw unreadable(path, fault)
  }
}

function migrateInside(database: DatabaseSync, model: Model, run: MigrationRun): Migrated {
  const found = foundSqlite(database)
  const { done, kept, problems, asked } = chooseSteps(
    planMigration(tablesOf(model, sqlite), found, sqlite, systemTablesOf(model)),
    run.allow,
  )
  settle([...problems, ...ask(database, asked)])
  for (const { says } of done) run.say?.(says)
  const works = sqliteWorks(done, found)
  for (const work of works) doWork(database, work)
  for (const work of works) if (work.kind === "rebuild") checkForeignKeys(database, work.table)
  return { done, kept }
}

function ask(database: DatabaseSync, steps: readonly Step[]): readonly Problem[] {
  registerFunctions(database)
  return steps.flatMap((step) =>
    step.questions.flatMap((question) => {
      const rows = database.prepare(question.text).all()
      return rows.length === 0 ? [] : [problemOf(step, answered(question, rows))]
    }),
  )
}

function doWork(database: DatabaseSync, work: SqliteWork): void {
  if (work.kind === "commands") {
    for (const command of work.commands) database.exec(command)
    return
  }
  const kept = database
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL",
    )
    .all(work.table)
    .filter(({ name }) => !work.made.includes(String(name)))
  // Else renaming the new table would look into views, which miss the old one at that moment.
  database.exec("PRAGMA legacy_alter_table = ON")
  for (const command of work.commands) database.exec(command)
  database.exec("PRAGMA legacy_alter_table = OFF")
  const dropped = new Set(work.dropped)
  for (const { name, sql } of kept) if (!dropped.has(String(name))) database.exec(String(sql))
}

/** For a rebuilt table; references from unmanaged tables are their own concern. */
function checkForeignKeys(database: DatabaseSync, table: string): void {
  const row = database.prepare(`PRAGMA foreign_key_check(${quoted(table)})`).get()
  if (row)
    throw new Error(`records of ${row["table"]} would lead to records of ${row["parent"]} that are not there`)
}

// The tables of a SQLite file as a migration has to know them: exactly as they were declared, with names of all indexes.
export function foundSqlite(database: DatabaseSync): readonly FoundTable[] {
  const ask = asking(database)
  return ask(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  ).map((row): FoundTable => {
    const [table, definition] = [text(row["name"]), text(row["sql"])]
    const columns = columnRows(ask, table)
    return {
      name: { name: table },
      visible: true,
      columns: columns.map((column) => readColumn(column, definition)),
      key: keyOf(columns).map(({ name }) => text(name)),
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
