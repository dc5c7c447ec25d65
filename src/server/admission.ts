// Admission of requests. Without room, memory or time for a request, this process refuses it at once and answers the others.
// Only a lack of the process itself counts: a slow database has queues of its own, which refuse requests that they
// cannot serve in time.
import { getHeapStatistics } from "node:v8"
import { clientAddress, type Proxies } from "../access/limits/client-address.ts"
import { createRecent } from "../base/caches.ts"
import type { Wait } from "../base/fair-queue.ts"
import type { Incoming } from "./incoming.ts"

interface AdmissionOptions {
  /** Requests that may be under way, at the most. */
  readonly most: number
  /** Milliseconds that a request may wait behind other clients' requests. */
  readonly patience: number
  /** The expected wait of a request for its turn on the processor. */
  readonly waitOf?: (client: string) => Wait
  /** A request was refused. */
  readonly refused?: () => void
  /** Whether the process has hardly any memory left; its own heap is looked at when absent. */
  readonly lacksMemory?: () => boolean
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
      // Most refused credentials come once, and take no room.
      if (has(authorization) !== isSignedIn) known.set(authorization, isSignedIn, authorization.length)
    },
  }
}

export type Leave = () => void

/** Places that are kept for signed-in callers, and as many for clients that have few: this part of all, at the most so many. */
const kept = { part: 0.1, most: 100 } as const
/** Milliseconds between two looks at the memory. */
const looking = 100
/** The part of the heap from which on memory is short. */
const nearlyAll = 0.9
/** Requests that are taken while memory is short: those that are under way set it free. */
const least = 64

const isHeapFull = (): boolean => {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used > limit * nearlyAll
}

export class Admission {
  readonly #most: number
  readonly #kept: number
  readonly #patience: number
  readonly #waitOf: AdmissionOptions["waitOf"]
  readonly #refused: AdmissionOptions["refused"]
  readonly #lacksMemory: () => boolean
  readonly #now: () => number
  readonly #underWay = new Map<string, number>()
  #count = 0
  #memory = { isShort: false, until: 0 }

  constructor({
    most,
    patience,
    waitOf,
    refused,
    lacksMemory = isHeapFull,
    now = () => performance.now(),
  }: AdmissionOptions) {
    this.#most = most
    this.#kept = Math.min(kept.most, Math.ceil(most * kept.part), Math.max(0, most - 1))
    this.#patience = patience
    this.#waitOf = waitOf
    this.#refused = refused
    this.#lacksMemory = lacksMemory
    this.#now = now
  }

  get underWay(): number {
    return this.#count
  }

  /** Requests that may be under way. */
  get bound(): number {
    return this.#most
  }

  /** Gives what ends the request's stay; undefined when it is refused. */
  enter({ client, isSignedIn }: Arrival): Leave | undefined {
    const own = this.#underWay.get(client) ?? 0
    if (this.#lacks(client, this.#placesFor(own, isSignedIn))) {
      this.#refused?.()
      return undefined
    }
    this.#count += 1
    this.#underWay.set(client, own + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave(client)
    }
  }

  #lacks(client: string, places: number): boolean {
    return (
      this.#count >= places ||
      (this.#count >= least && this.#isMemoryShort()) ||
      (this.#waitOf?.(client).others ?? 0) > this.#patience
    )
  }

  /** A client may take each place that is free, but for the last few while it has an equal share of all. */
  #placesFor(own: number, isSignedIn: boolean): number {
    const hasShare = own >= this.#most / (this.#underWay.size + 1)
    return this.#most - (isSignedIn ? 0 : this.#kept) - (hasShare ? this.#kept : 0)
  }

  #isMemoryShort(): boolean {
    const now = this.#now()
    if (now >= this.#memory.until) this.#memory = { isShort: this.#lacksMemory(), until: now + looking }
    return this.#memory.isShort
  }

  #leave(client: string): void {
    this.#count -= 1
    const own = (this.#underWay.get(client) ?? 1) - 1
    if (own > 0) this.#underWay.set(client, own)
    else this.#underWay.delete(client)
  }
}

// A request before anything of it is read: who sends it, and for which face.
interface ArrivalOptions {
  readonly proxies?: Proxies | undefined
  readonly accepted: Accepted
}

/** Checking credentials takes work, too: they count once they were accepted, and until then the request is anonymous. */
export function arrivalOf(request: Incoming, { proxies = 0, accepted }: ArrivalOptions): Arrival {
  const { authorization } = request.headers
  return authorization !== undefined && accepted.has(authorization)
    ? { client: authorization, isSignedIn: true }
    : { client: clientAddress(request, proxies), isSignedIn: false }
}

export const isGraphql = ({ url = "" }: Pick<Incoming, "url">, base: string): boolean =>
  url === `${base}/graphql` || url.startsWith(`${base}/graphql?`)
