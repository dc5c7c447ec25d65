// Opens a SQLite file for reading, also in a read-only folder. SQLite cannot keep the shared memory of readers and
// writers there. Such a file is read as it is, for as long as it does not change.
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"

export interface ReadableFile {
  readonly database: DatabaseSync
  /** Whether another process has written since it was opened: then it has to be opened again. Absent where SQLite sees to it. */
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

/** Whether this user may write the file, its log, and the folder they are in. */
export function isWritable(path: string): boolean {
  const all = [
    dirname(path),
    path,
    ...["-wal", "-shm"].map((end) => path + end).filter((one) => existsSync(one)),
  ]
  try {
    for (const one of all) accessSync(one, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** SQLITE_READONLY and SQLITE_CANTOPEN (https://sqlite.org/rescode.html). */
const isUnopened = (fault: unknown): boolean =>
  fault instanceof Error && "errcode" in fault && [8, 14].includes(Number(fault.errcode) & 0xff)

/** Commits that are not in the file yet. */
const hasLog = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

function stateOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, hasLog(path)].join(" ")
}
