// Opens a SQLite file anew once it may be written again. All connections of a process to one file share the memory beside its
// log as the first of them could open it, so that writes are refused until each of them has been closed.
import type { SqliteConnection } from "./connection.ts"
import { isWritable } from "./file.ts"
import type { SqliteReaders } from "./readers.ts"

export interface Renewal {
  /** A write was refused because the file can only be read. Its connection has been closed. */
  refused(): void
  /** A promise that writes have to wait for; undefined: none. */
  due(): Promise<void> | undefined
}

/** Milliseconds from one renewal to the next, where the file is refused although it may be written. */
const apart = 500

export function createRenewal(
  path: string,
  connection: SqliteConnection,
  readers: SqliteReaders | undefined,
): Renewal {
  let isRefused = readers !== undefined && !isWritable(path)
  let renewed = Number.NEGATIVE_INFINITY
  let under: Promise<void> | undefined
  const renew = async (by: SqliteReaders): Promise<void> => {
    try {
      await by.without(() => connection.reopen())
    } finally {
      renewed = performance.now()
      under = undefined
    }
  }
  return {
    refused() {
      isRefused = true
    },
    due() {
      if (under || !isRefused || !readers) return under
      if (performance.now() - renewed < apart || !isWritable(path)) return undefined
      isRefused = false
      under = renew(readers)
      return under
    },
  }
}
