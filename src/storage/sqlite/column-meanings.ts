// Notices when another process changes how a column's values are to be read: statements would read and write other values
// without a fault. SQLite keeps the comments behind types, which say what the values of Bifold's own tables mean.
import type { DatabaseSync } from "node:sqlite"
import { quoted } from "../../sql/fragment.ts"
import { lossless } from "../../sql/schema/conversions.ts"

/** By table and column, the type with its comment. */
export type ColumnMeanings = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface MeaningWatch {
  /** Reads the version of the schema in the current snapshot, and the tables where that is another one. */
  look(): void
  /** Throws as for a missing column where a table of the statement has changed. */
  check(tables: ReadonlySet<string>): void
}

const column = /"((?:[^"]|"")+)" ((?:TEXT|INTEGER|REAL|BLOB)(?: \/\* [^*]+ \*\/)?)/g

export function readMeanings(database: DatabaseSync): ColumnMeanings {
  const tables = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND instr(sql, ' /* ') > 0")
    .all()
  return Object.fromEntries(
    tables.map(({ name, sql }) => [
      String(name),
      Object.fromEntries(
        [...String(sql).matchAll(column)].map(([, called = "", type = ""]) => [
          called.replaceAll('""', '"'),
          type,
        ]),
      ),
    ]),
  )
}

/** @param version of the schema, as a statement reads it */
export function watchMeanings(
  database: () => DatabaseSync,
  version: () => unknown,
  meanings: ColumnMeanings,
): MeaningWatch {
  let seen: unknown
  let changed: readonly string[] = []
  return {
    look() {
      const now = version()
      if (now === seen) return
      changed = changedTables(meanings, readMeanings(database()))
      seen = now
    },
    check(tables) {
      const table = changed.find((one) => tables.has(one))
      // SQLITE_ERROR, as of a column that is not there.
      if (table !== undefined)
        throw Object.assign(new Error(`no such column: one of ${quoted(table)} has another type by now`), {
          errcode: 1,
        })
    },
  }
}

/** A column that keeps each value as it is stored is the same, and a missing one is found by SQLite. */
function changedTables(before: ColumnMeanings, now: ColumnMeanings): readonly string[] {
  const isOther = (from: string, to: string | undefined, name: string): boolean =>
    to !== undefined && to !== from && lossless(from, to, name) !== quoted(name)
  return Object.entries(before).flatMap(([table, columns]) =>
    Object.entries(columns).some(([name, type]) => isOther(type, now[table]?.[name], name)) ? [table] : [],
  )
}

// Flags of the threads that have a SQLite database.

/** Replaces the flags of the process: a thread refuses some of them, and needs none. Deno knows no flags of Node. */
export const threadFlags: string[] =
  process.versions["deno"] === undefined ? ["--disable-warning=ExperimentalWarning"] : []
