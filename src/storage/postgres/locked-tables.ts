// Tables that keep writers waiting. While another session has one locked, few connections wait for it, and the others
// write to other tables. While transactions meet in one again and again, they are done one after the other. Clients
// take turns. The time of a lock is not known before, so only the deadline refuses a write that waits for one.
import { elapsed } from "../../base/clock.ts"
import { FairQueue } from "../../base/fair-queue.ts"
import { Lanes } from "../fair-slots.ts"
import { tooLate, waitsTooLong } from "../faults.ts"

/** Connections that may wait for one table. */
const share = 4
/** Writes that may wait for one of those; more are refused. */
const waiting = 10_000
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

interface Turn {
  readonly client: string
  /** As of `elapsed()`. */
  readonly until: number
}

interface Waiting {
  readonly tables: Names
  readonly begin: () => void
}

export class Tables {
  /** Other sessions have them locked, or many of their rows. */
  readonly #locked = new Set<string>()
  readonly #few = new Map<string, Lanes>()
  readonly #meetings = new Map<string, Meeting>()
  readonly #line = new FairQueue<Waiting>()
  /** Tables of those whose turn it is. */
  readonly #busy = new Set<string>()

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
  async amongFew<Result>(
    tables: Names,
    { client, until }: Turn,
    use: () => Promise<Result>,
  ): Promise<Result> {
    const leaves: (() => void)[] = []
    try {
      // In one order, so that no two wait for each other.
      for (const table of [...tables].sort()) leaves.push(await this.#lanesOf(table).take({ client }, until))
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
   */
  async inLine<Result>(tables: Names, { client, until }: Turn, use: () => Promise<Result>): Promise<Result> {
    if (this.#line.length >= mostInLine) throw waitsTooLong()
    const turn = Promise.withResolvers<void>()
    const one: Waiting = { tables, begin: turn.resolve }
    const late = setTimeout(
      () => {
        this.#line.remove(client, one)
        turn.reject(tooLate())
        this.#pass()
      },
      Math.max(until - elapsed(), 0),
    )
    this.#line.push(client, one)
    this.#pass()
    await turn.promise
    clearTimeout(late)
    try {
      return await use()
    } finally {
      for (const table of tables) this.#busy.delete(table)
      this.#pass()
    }
  }

  /** One that waits for its tables keeps them from those behind it. */
  #pass(): void {
    const wanted = new Set(this.#busy)
    const mayBegin = ({ tables }: Waiting): boolean => {
      const isFree = tables.every((table) => !wanted.has(table))
      for (const table of tables) wanted.add(table)
      return isFree
    }
    for (let next = this.#line.shift(mayBegin); next; next = this.#line.shift(mayBegin)) {
      for (const table of next.tables) this.#busy.add(table)
      next.begin()
    }
  }
}
