// Opens a SQLite file for reading: also one in a folder that may not be written, where SQLite cannot keep what readers and
// writers tell each other by. Such a file is read as it is, for as long as it is as it was.
import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"

export interface ReadableFile {
  readonly database: DatabaseSync
  /** Whether somebody has written since it was opened: then it has to be opened again. Absent where SQLite sees to it. */
  readonly isOutdated?: () => boolean
}

/** Throws what the driver throws. @param timeout milliseconds to wait for another process that writes */
export function openForReading(path: string, timeout: number): ReadableFile {
  const readOnly = path !== ":memory:"
  const database = new DatabaseSync(path, { readOnly, timeout })
  try {
    // The file is looked at only now: this is what tells a database from anything else.
    database.exec("PRAGMA schema_version")
    return { database }
  } catch (fault) {
    database.close()
    if (!readOnly || !isUnopened(fault) || hasLog(path)) throw fault
    return openAsItIs(path)
  }
}

/** https://sqlite.org/uri.html, `immutable`: no locks, no log, and no looking whether the file has changed. */
function openAsItIs(path: string): ReadableFile {
  const before = stateOf(path)
  const address = pathToFileURL(path)
  address.searchParams.set("immutable", "1")
  const database = new DatabaseSync(address, { readOnly: true })
  try {
    database.exec("PRAGMA schema_version")
    return { database, isOutdated: () => stateOf(path) !== before }
  } catch (fault) {
    database.close()
    throw fault
  }
}

/** SQLITE_CANTOPEN (https://sqlite.org/rescode.html). */
const isUnopened = (fault: unknown): boolean =>
  fault instanceof Error && "errcode" in fault && (Number(fault.errcode) & 0xff) === 14

/** What was committed and is not in the file yet. */
const hasLog = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

function stateOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, hasLog(path)].join(" ")
}
