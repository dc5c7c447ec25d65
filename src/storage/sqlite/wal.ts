// Keeps the write-ahead log small: SQLite tidies it by itself, but only begins it anew when nobody reads what is in it.
import { statSync } from "node:fs"
import type { SqliteConnection } from "./connection.ts"

/** Bytes beyond which the writer waits for readers. */
const largest = 64 * 1024 * 1024
/** Commits between two looks at the file. */
const between = 200

let commits = 0

/** To be called after a commit, which no fault of this may touch. */
export function tidy(connection: SqliteConnection, path: string): void {
  commits = (commits + 1) % between
  if (commits !== 0) return
  if (sizeOf(`${path}-wal`) > largest) moveLog(connection)
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    // Gone, or in a folder that may not be entered: the next statement says so.
    return 0
  }
}

/** Also called when this process writes nothing more. Other users of the file are waited for a second: workers end together. */
export function moveLog(connection: SqliteConnection): void {
  connection.all("PRAGMA busy_timeout = 1000", [])
  try {
    connection.all("PRAGMA wal_checkpoint(TRUNCATE)", [])
  } catch {
    // Somebody still reads from it: the next look tries again, or who closes the file last.
  }
  connection.all("PRAGMA busy_timeout = 0", [])
}
