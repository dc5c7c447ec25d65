// Admission of requests while there is more to do than the server can: a few are refused at once, so that the others are
// answered soon. The number of requests under way is bounded, and the bound follows the time that requests take: AIMD, with
// the least time of an interval as its signal, as in CoDel (RFC 8289 section 3.2).
import { performance } from "node:perf_hooks"
import { createRecent } from "../base/clock-cache.ts"

export interface AdmissionOptions {
  /** Requests that may be under way, at the most. */
  readonly most: number
  /** Milliseconds; the process's own clock when absent. */
  readonly now?: () => number
}

/** The caller of a request, as far as is known before anything of it is read. */
export interface Arrival {
  readonly client: string
  /** Whether its credentials were accepted lately: they are not checked again yet. */
  readonly isSignedIn: boolean
}

/** Values of `Authorization` that callers were signed in by lately. */
export interface Accepted {
  has(authorization: string): boolean
  note(authorization: string, isSignedIn: boolean): void
}

/** Values that are kept, and their characters together. */
const mostAccepted = { count: 4_096, weight: 2 ** 22 } as const

export function createAccepted(): Accepted {
  const known = createRecent<string, boolean>(mostAccepted)
  const has = (authorization: string): boolean => known.get(authorization) === true
  return {
    has,
    note(authorization, isSignedIn) {
      // Most of what is refused comes once, and takes no room.
      if (has(authorization) !== isSignedIn) known.set(authorization, isSignedIn, authorization.length)
    },
  }
}

/** @param isSlow the request waited for what may take long, so that its time tells nothing about others */
export type Leave = (isSlow?: boolean) => void

/** Milliseconds for which times are collected before the bound is set anew. */
const interval = 100
/** Milliseconds that a request may take beyond its own time, at the least. */
const patience = 100
/** Times the time of a server that has little to do. */
const stretch = 4
/** Milliseconds after which that time is measured anew: the records may have grown meanwhile. */
const memory = 30_000
/** Requests that may be under way, at the least: one client has the half of them, as many as a pool of connections holds. */
const least = 64
/** The part of the places that requests may take whose credentials are absent, or not known to be good. */
const anonymousPart = 0.8
/** The part of the places that one client may take. */
const clientPart = 0.5

export class Admission {
  readonly #most: number
  readonly #now: () => number
  readonly #underWay = new Map<string, number>()
  #count = 0
  #bound: number
  #interval: { end: number; least: number; peak: number; refused: boolean }
  /** Least times of a request, of the present and the last stretch of time. */
  #idle: { end: number; least: number; before: number }

  constructor({ most, now = () => performance.now() }: AdmissionOptions) {
    this.#most = most
    this.#now = now
    this.#bound = most
    const time = now()
    this.#interval = { end: time + interval, least: Number.POSITIVE_INFINITY, peak: 0, refused: false }
    this.#idle = {
      end: time + memory,
      least: Number.POSITIVE_INFINITY,
      before: Number.POSITIVE_INFINITY,
    }
  }

  get underWay(): number {
    return this.#count
  }

  /** Requests that may be under way now. */
  get bound(): number {
    return Math.floor(this.#bound)
  }

  /** Gives what ends the request's stay; undefined when it is refused. */
  enter({ client, isSignedIn }: Arrival): Leave | undefined {
    const since = this.#now()
    this.#settle(since)
    const places = this.#bound * (isSignedIn ? 1 : anonymousPart)
    const own = this.#underWay.get(client) ?? 0
    if (this.#count >= places || own >= Math.max(1, this.#bound * clientPart)) {
      this.#interval.refused = true
      return undefined
    }
    this.#count += 1
    this.#underWay.set(client, own + 1)
    this.#interval.peak = Math.max(this.#interval.peak, this.#count)
    let left = false
    return (isSlow = false) => {
      if (left) return
      left = true
      this.#leave(client)
      const time = this.#now()
      if (!isSlow) this.#interval.least = Math.min(this.#interval.least, time - since)
      this.#settle(time)
    }
  }

  #leave(client: string): void {
    this.#count -= 1
    const own = (this.#underWay.get(client) ?? 1) - 1
    if (own > 0) this.#underWay.set(client, own)
    else this.#underWay.delete(client)
  }

  /** At the end of an interval. */
  #settle(time: number): void {
    if (time < this.#interval.end) return
    const { least: shortest, peak, refused } = this.#interval
    this.#interval = {
      end: time + interval,
      least: Number.POSITIVE_INFINITY,
      peak: this.#count,
      refused: false,
    }
    if (shortest === Number.POSITIVE_INFINITY) return
    // Under overload requests wait for one another, and their times are no measure. As few as can be do not.
    if (!refused || this.#bound <= least) this.#remember(shortest, time)
    const { least: current, before } = this.#idle
    const allowed = Math.max(patience, stretch * Math.min(current, before))
    if (shortest > allowed) this.#bound = Math.max(least, Math.min(this.#bound, peak) * 0.7)
    else this.#bound = Math.min(this.#most, this.#bound * 1.1)
  }

  #remember(shortest: number, time: number): void {
    if (time >= this.#idle.end) this.#idle = { end: time + memory, least: shortest, before: this.#idle.least }
    else this.#idle.least = Math.min(this.#idle.least, shortest)
  }
}
