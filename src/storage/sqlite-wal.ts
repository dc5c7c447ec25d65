// Keeps the write-ahead log small: SQLite tidies it by itself, but only begins it anew when nobody reads what is in it.
import { statSync } from "node:fs"
import type { SqliteConnection } from "./sqlite-connection.ts"

/** Bytes beyond which the writer waits for readers. */
const largest = 64 * 1024 * 1024
/** Commits between two looks at the file. */
const between = 200

let commits = 0

/** To be called after a commit. */
export function tidy(connection: SqliteConnection, path: string): void {
  commits = (commits + 1) % between
  if (commits !== 0) return
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (!log || log.size <= largest) return
  truncate(connection)
}

/** When nothing more is written by this process. Whoever else uses the file is not waited for. */
export function moveLog(connection: SqliteConnection): void {
  connection.all("PRAGMA busy_timeout = 0", [])
  truncate(connection)
}

function truncate(connection: SqliteConnection): void {
  try {
    connection.all("PRAGMA wal_checkpoint(TRUNCATE)", [])
  } catch {
    // Somebody still reads from it: the next look tries again, or who closes the file last.
  }
}
