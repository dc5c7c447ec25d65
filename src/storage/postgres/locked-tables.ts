// Tables that keep writers waiting. While somebody else has one locked, few connections wait for it and the others write what
// is not in it; while transactions meet in one again and again, they are done one after the other.

import { elapsed } from "../../base/clock.ts"
import { Lanes } from "../fair-slots.ts"
import { overloaded, tooSlow } from "../faults.ts"

/** Connections that may wait for one table. */
const share = 4
/** Writes that may wait for one of those; more are refused. */
const waiting = 100
/** Milliseconds in which transactions that meet twice are taken to go on meeting. */
const again = 1_000
/** Milliseconds for which they are done one after the other: twice as long when they meet again after that. */
const apart = { first: 2_000, longest: 60_000 } as const

/** Writes that may be in a line; more are refused. */
const mostInLine = 10_000

interface Meeting {
  /** As of `elapsed()`. */
  at: number
  until: number
  lasts: number
}

/** Names of resources, which stand for their tables. */
type Names = readonly string[]

export class Tables {
  /** Somebody else has them locked, or much of what is in them. */
  readonly #locked = new Set<string>()
  readonly #few = new Map<string, Lanes>()
  readonly #meetings = new Map<string, Meeting>()
  /** The last of each table's line. */
  readonly #lines = new Map<string, Promise<unknown>>()
  #inLine = 0

  /** A write of them waited for a lock for long. */
  waited(tables: Names): void {
    for (const table of tables) this.#locked.add(table)
  }

  isLocked(tables: Names): boolean {
    return this.#locked.size > 0 && tables.some((table) => this.#locked.has(table))
  }

  /** A write of them was done. */
  moved(tables: Names): void {
    if (this.#locked.size > 0) for (const table of tables) this.#locked.delete(table)
  }

  /** When it has a place among the few that may wait for the tables. Rejects as `Lanes.take` does. */
  async amongFew<Result>(tables: Names, until: number, use: () => Promise<Result>): Promise<Result> {
    const leaves: (() => void)[] = []
    try {
      // In one order, so that no two wait for each other.
      for (const table of [...tables].sort()) leaves.push(await this.#lanesOf(table).take(undefined, until))
      return await use()
    } finally {
      for (const leave of leaves) leave()
    }
  }

  #lanesOf(table: string): Lanes {
    const known = this.#few.get(table) ?? new Lanes({ lanes: share, waiting })
    this.#few.set(table, known)
    return known
  }

  /** Two transactions were in each other's way. */
  met(tables: Names): void {
    const now = elapsed()
    for (const table of tables) {
      const known = this.#meetings.get(table)
      if (!known) {
        this.#meetings.set(table, { at: now, until: 0, lasts: apart.first })
        continue
      }
      const isSoon = now - Math.max(known.at, known.until) < again
      if (now > known.until && isSoon) {
        if (known.until > 0) known.lasts = Math.min(known.lasts * 2, apart.longest)
        known.until = now + known.lasts
      } else if (!isSoon) Object.assign(known, { until: 0, lasts: apart.first })
      known.at = now
    }
  }

  /** Whether transactions of them are done one after the other. */
  isApart(tables: Names): boolean {
    if (this.#meetings.size === 0) return false
    const now = elapsed()
    return tables.some((table) => (this.#meetings.get(table)?.until ?? 0) > now)
  }

  /**
   * When no other of this process that is in the line of one of the tables is under way. Rejects with a Refusal when its turn
   * does not come before the time is over.
   * @param until as of `elapsed()`
   */
  async inLine<Result>(tables: Names, until: number, use: () => Promise<Result>): Promise<Result> {
    if (this.#inLine >= mostInLine) throw overloaded()
    this.#inLine += 1
    const before = Promise.allSettled(tables.map((table) => this.#lines.get(table)))
    const turn = Promise.withResolvers<void>()
    const late = setTimeout(() => turn.reject(tooSlow()), Math.max(until - elapsed(), 0))
    const own = turn.promise.then(use)
    const done = before.then(() => {
      clearTimeout(late)
      turn.resolve()
      return own
    })
    for (const table of tables) this.#lines.set(table, done)
    const leave = (): void => {
      this.#inLine -= 1
      for (const table of tables) if (this.#lines.get(table) === done) this.#lines.delete(table)
    }
    done.then(leave, leave)
    return own
  }
}
