// Descriptors of the process: how many it may have, and how many of them connections may take.
import { closeSync, openSync, readFileSync } from "node:fs"

/** The most files that may be open, by the text of `/proc/self/limits`; undefined where it does not say so. */
export function openFilesIn(limits: string | undefined): number | undefined {
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits ?? "") ?? []
  if (soft === undefined) return undefined
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft)
}

/** The limit of this process, which Node itself raises as far as it may; undefined on systems that do not say it. */
function mostOpenFiles(): number | undefined {
  try {
    return openFilesIn(readFileSync("/proc/self/limits", "utf8"))
  } catch {
    return undefined
  }
}

/** Descriptors that connections leave to the rest of the process: to databases, threads, files and calls to others. */
const mostReserved = 128

export interface ConnectionFiles {
  /** The most files that the process may have open. */
  readonly most: number
  /** A connection may have a descriptor below this number. */
  readonly end: number
  /** Connections for which there is room now. */
  readonly room: number
}

/** Half of the remaining files, or, where many remain, all but a few. */
export function filesForConnections(most = mostOpenFiles() ?? Number.POSITIVE_INFINITY): ConnectionFiles {
  const free = Math.max(0, most - firstFree(most))
  const room = Math.max(Math.floor(free / 2), free - mostReserved)
  return { most, end: most - free + room, room }
}

/** The system gives the least number that is free (POSIX, open): all below it are in use. */
function firstFree(most: number): number {
  if (!Number.isFinite(most)) return 0
  try {
    const descriptor = openSync("/dev/null", "r")
    closeSync(descriptor)
    return descriptor
  } catch {
    return most
  }
}
