// The client of the request under way, and its start: known to all work for the request, without being handed on.
import { AsyncLocalStorage } from "node:async_hooks"
import type { RequestRecord } from "./telemetry.ts"

/** The account of one request: every plan is charged to it before it runs. */
export interface Meter {
  /** Throws, or rejects with, a Refusal where the caller has not so many points left. */
  charge(points: number): void | Promise<void>
  /** As `charge`, for work that is done: a caller that has less left loses all of it. */
  spend(points: number): Promise<void>
  /** Points of those charged that the plan did not need. */
  refund(points: number): void
  /** Points that the request was charged, and those of them that it needed. */
  readonly cost: Cost
  /** The caller's limits, as JSON values by their names. */
  allowance(): Readonly<Record<string, string | number | null>>
}

export interface Cost {
  readonly requested: number
  readonly used: number
}

export interface Asker {
  /** The same for all requests of one credential's owner, or of one address without credentials. */
  readonly client: string
  /** When the whole request was there, as of `elapsed()`. */
  readonly since: number
  /** Set once the answer shows a secret that was made for it. */
  isSecret?: true
  /** Set once another request waits for a read of this one, which then goes on without its client. */
  shared?: true
  /** Calls back when the client is gone before its answer, unless its reads are shared. Gives what ends the watch. */
  readonly whenGone?: (listener: () => void) => () => void
  /** Absent without an observer. */
  readonly record?: RequestRecord | undefined
  /** Absent where callers have no limits over time. */
  readonly meter?: Meter | undefined
}

const asking = new AsyncLocalStorage<Asker>()

/** Undefined for what no request has asked for. */
export const currentAsker = (): Asker | undefined => asking.getStore()

/** Undefined without an observer, and for work that no request has asked for. */
export const currentRecord = (): RequestRecord | undefined => asking.getStore()?.record

const paid = new AsyncLocalStorage<true>()

/** Work for which the request under way has been charged already. */
export const alreadyPaid = <Result>(work: () => Result): Result => paid.run(true, work)

/** Undefined also for work that has been paid for. */
export const currentMeter = (): Meter | undefined => (paid.getStore() ? undefined : asking.getStore()?.meter)

/** The answer to the request under way shows a secret. */
export function markSecret(): void {
  const asker = asking.getStore()
  if (asker) asker.isSecret = true
}

export const answering = <Result>(asker: Asker, answer: () => Result): Result => asking.run(asker, answer)

// Which resources the plans of an answer read, for what has to know when to ask for it again.

/** Names of resources; undefined where the answer may depend on what no log tells of. */
export type Reads = ReadonlySet<string> | undefined

const noting = new AsyncLocalStorage<(reads: Reads) => void>()

/** Undefined where nobody wants to know. */
export const currentNote = (): ((reads: Reads) => void) | undefined => noting.getStore()

/** Tells of each plan that is read for the answer. */
export const noteReads = <Result>(note: (reads: Reads) => void, answer: () => Result): Result =>
  noting.run(note, answer)
