// Notices that a SQLite file, or its write-ahead log, has been removed or replaced while it is open. SQLite goes on with the
// files that it has open, so that what it commits is nowhere: https://www.sqlite.org/howtocorrupt.html section 2.4.
import { type BigIntStats, statSync } from "node:fs"

export interface OpenFile {
  /** Whether the names still lead to the files that are open; true again when these are put back. */
  isInPlace(): boolean
}

/** @param withLog after a commit there is a write-ahead log, for as long as anybody has the file open */
export function watchFile(path: string, withLog: boolean): OpenFile {
  const file = identityOf(path)
  let log: string | undefined
  return {
    isInPlace() {
      if (identityOf(path) !== file) return false
      if (!withLog) return true
      const now = identityOf(`${path}-wal`)
      log ??= now
      return now === log
    },
  }
}

/** Undefined where there is no such file. */
function identityOf(path: string): string | undefined {
  try {
    const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && `${found.dev}:${found.ino}`
  } catch {
    // A part of the path is no folder any more, or may not be searched.
    return undefined
  }
}

/** SQLITE_READONLY_DBMOVED (https://sqlite.org/rescode.html#readonly_dbmoved), which SQLite itself does not look for with a log. */
const moved = 1032

export const movedFault = (): Error =>
  Object.assign(
    new Error(
      "the file has been moved, removed or replaced since it was opened, or its folder may not be searched",
    ),
    {
      errcode: moved,
    },
  )

/** The driver's error, or `movedFault`. */
export const isMoved = (fault: unknown): boolean =>
  fault instanceof Error && (("errcode" in fault && Number(fault.errcode) === moved) || isMoved(fault.cause))
