// The request behind a piece of work: handed on from its face to the database, never read from the air.
import { elapsed } from "./clock.ts"
import type { RequestRecord } from "./telemetry.ts"

/** The account of one request: every plan is charged to it before it runs. */
export interface Meter {
  /** Throws, or rejects with, a Refusal if the caller has fewer points left. */
  charge(points: number): void | Promise<void>
  /** As `charge`, for work that is done: a caller that has less left loses all of it. */
  spend(points: number): Promise<void>
  /** Points of those charged that the plan did not need. */
  refund(points: number): void
  /** Points that the request was charged, and how many of them it needed. */
  readonly cost: Cost
  /** The caller's limits, as JSON values by their names. */
  allowance(): Readonly<Record<string, string | number | null>>
}

export interface Cost {
  readonly requested: number
  readonly used: number
}

/** The identity of a request that is sent again (draft-ietf-httpapi-idempotency-key-header-07). */
export interface Idempotency {
  /** As the client gave it. */
  readonly key: string
  /** A digest of everything that the outcome depends on: distinguishes requests with one key. */
  readonly fingerprint: string
}

/** Names of the resources that an answer was read from; undefined where it may depend on changes outside the log. */
export type Reads = ReadonlySet<string> | undefined

export interface Request {
  /** The same for all requests of one credential's owner, or of one address without credentials. */
  readonly client: string
  /** When the whole request was there, as of `elapsed()`: deadlines count from it. */
  readonly since: number
  /** Shared by all copies of the request. */
  readonly marks: {
    /** Set once the answer shows a secret that was made for it. */
    isSecret?: true
    /** Set once another request waits for a read of this one, which then goes on without its client. */
    shared?: true
    /** Set once its client is gone and its reads are being ended: no other request joins them. */
    gone?: true
  }
  /** Calls back when the client is gone before its answer, unless its reads are shared. Gives the function that ends the watch. */
  readonly whenGone?: (listener: () => void) => () => void
  /** Absent without an observer. */
  readonly record?: RequestRecord | undefined
  /** Absent where callers have no limits over time, and for work that is paid for. */
  readonly meter?: Meter | undefined
  /** Its write is done once, however often it is sent. */
  readonly once?: Idempotency | undefined
  /** Receives the resources of each read of the answer: a live read asks again when one of them changes. */
  readonly note?: (reads: Reads) => void
}

export const startRequest = (client: string): Request => ({ client, since: elapsed(), marks: {} })

/** The same request for work that it has paid for. */
export const alreadyPaid = (request: Request | undefined): Request | undefined =>
  request?.meter ? { ...request, meter: undefined } : request
