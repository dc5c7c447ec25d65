// Processes that write one SQLite file take turns. SQLite has no queue at its lock. A process that waits sleeps for up
// to 100 ms, and the one that has just committed takes the lock again meanwhile. So a waiting process makes a mark, a
// file beside the database, and others begin nothing while it is there. SQLite's lock alone guards the data: a lost
// mark costs a turn, nothing else.
import { closeSync, openSync, statSync, unlinkSync, writeSync } from "node:fs"
import { elapsed } from "../../base/clock.ts"

export interface WriteBaton {
  /** Whether another process waits. */
  isAwaited(): boolean
  /**
   * Calls `attempt` in turn with other processes until it gives true, and gives whether it did.
   * @param patience milliseconds, after which it is called once more in any case
   */
  take(attempt: () => boolean, patience: number): boolean
}

/** Milliseconds between two looks of a process that waits. */
const pause = 1
/** Milliseconds after which a mark that has not changed counts for nothing: its process was killed or stopped. */
const lease = 500
/** Milliseconds after which a process that waits changes its mark. */
const renewal = 100

export const markOf = (path: string): string => `${path}-next`

export function createWriteBaton(path: string): WriteBaton {
  const name = markOf(path)
  let seen: { readonly state: string | undefined; readonly since: number } = { state: undefined, since: 0 }
  const isAwaited = (): boolean => {
    const state = stateOf(name)
    if (state !== seen.state) seen = { state, since: elapsed() }
    if (state === undefined || elapsed() - seen.since <= lease) return state !== undefined
    removeMark(name)
    return false
  }
  return {
    isAwaited,
    take(attempt, patience) {
      if (!isAwaited() && attempt()) return true
      const end = elapsed() + patience
      const mark = new Mark(name)
      try {
        while (elapsed() < end) {
          if (mark.isMade || (!isAwaited() && mark.make())) {
            if (attempt()) return true
            mark.renew()
          }
          sleep(pause)
        }
        return attempt()
      } finally {
        mark.end()
      }
    },
  }
}

/** The mark of this process. */
class Mark {
  readonly #name: string
  #file: number | undefined
  #isMade = false
  #changed = 0

  constructor(name: string) {
    this.#name = name
  }

  get isMade(): boolean {
    return this.#isMade
  }

  /** Gives false where another process was first. Where none can be made it goes without. */
  make(): boolean {
    try {
      this.#file = openSync(this.#name, "wx")
    } catch (fault) {
      if (isThere(fault)) return false
    }
    this.#isMade = true
    this.#changed = elapsed()
    return true
  }

  renew(): void {
    if (this.#file === undefined || elapsed() - this.#changed < renewal) return
    this.#changed = elapsed()
    try {
      writeSync(this.#file, ".")
    } catch {
      // A full disk: its lease ends.
    }
  }

  end(): void {
    if (this.#file === undefined) return
    closeSync(this.#file)
    removeMark(this.#name)
  }
}

/** Undefined where there is no mark. */
function stateOf(name: string): string | undefined {
  try {
    const found = statSync(name, { bigint: true, throwIfNoEntry: false })
    return found && `${found.ino} ${found.size} ${found.mtimeNs}`
  } catch {
    // A part of the path is no folder any more, or may not be searched.
    return undefined
  }
}

function removeMark(name: string): void {
  try {
    unlinkSync(name)
  } catch {
    // Another process was first, or may.
  }
}

const isThere = (fault: unknown): boolean =>
  fault instanceof Error && "code" in fault && fault.code === "EEXIST"

const clock = new Int32Array(new SharedArrayBuffer(4))

function sleep(milliseconds: number): void {
  Atomics.wait(clock, 0, 0, milliseconds)
}
