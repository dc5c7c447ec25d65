// Changes of records as faces follow them.
import type { JsonValue } from "../base/json.ts"
import type { Place } from "../base/problem.ts"
import type { Request } from "../base/request.ts"
import { showsHistory } from "../model/build/history.ts"
import type { Model } from "../model/model.ts"
import type { Actor } from "../plan/access/actor.ts"

/** With `LEFT` and `DELETED` a subscriber learns only which record it was. */
export const changeKinds = ["CREATED", "UPDATED", "ENTERED", "LEFT", "DELETED"] as const

export type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  /** The event's id, after which a subscription goes on. */
  readonly cursor: string
  readonly kind: ChangeKind
  /** Such as `order.paid`. */
  readonly type: string
  /** The record's public id. */
  readonly recordId: string
  /** RFC 3339, UTC. */
  readonly at: string
  readonly changedFields: readonly string[]
  /** The values of an event that user code emitted, as far as they are shown; null of any other. */
  readonly payload: JsonValue
}

export interface FollowedChanges {
  readonly actor: Actor
  readonly request: Request | undefined
  readonly resource: string
  /** A condition on records, as JSON. */
  readonly where?: unknown
  /** A cursor; changes from now on when absent. */
  readonly after?: string
  /** Ends the changes. */
  readonly signal: AbortSignal
  /** Resolves when the points of looking for changes are paid, or the stream has ended; absent where looking is free. */
  readonly pay?: (points: number) => Promise<void>
  /** Ends the connection of the follower, whatever it has not taken. */
  readonly cut?: (() => void) | undefined
  readonly places: { readonly where: Place; readonly after: Place }
}

export type Piece = string | Buffer

/**
 * Makes a frame when there is room for it, which it has until the next one is asked for. An empty one is not sent.
 * @param expected bytes that it takes to make it; the bytes of the last frame when absent
 */
export type MakeFrame = <Made extends Piece>(
  make: () => Made | Promise<Made>,
  expected?: number,
) => AsyncGenerator<Made, void>

export interface Followed {
  readonly changes: AsyncIterable<Change>
  readonly frame: MakeFrame
}

/**
 * Changes as they happen, until the signal aborts. Rejects with a Refusal for a wrong question. Iteration throws one too,
 * `events_expired` where changes after the cursor are no longer in the log.
 */
export type FollowChanges = (followed: FollowedChanges) => Promise<Followed>

/** Writes that concern a caller, and room for the frames made of them. */
export interface Awaited {
  /** Yields after a record of a resource was written, until the signal aborts. */
  readonly writes: AsyncIterable<Written>
  readonly frame: MakeFrame
  /** Gives the function that releases the bytes; undefined where there is no room for them. */
  keep(bytes: number): (() => void) | undefined
}

interface Awaiting {
  readonly request: Request | undefined
  readonly signal: AbortSignal
  /** Is asked when something was written. */
  readonly concerns: (resource: string) => boolean
  /** Ends the connection of the caller, whatever it has not taken. */
  readonly cut?: (() => void) | undefined
}

/** Resolves once it has begun: a read before then is older than the first reported write. */
export type AwaitWrites = (awaiting: Awaiting) => Promise<Awaited>

export interface Written {
  /** Writes until now need no report: a read after it resolves is newer. */
  catchUp(): Promise<void>
}

/** A page of events that is asked for. */
export interface EventsQuestion {
  readonly actor: Actor
  readonly request: Request | undefined
  /** All that the actor sees when absent. */
  readonly resource?: string
  /** A condition on records of the resource, as JSON. */
  readonly where?: unknown
  readonly types?: readonly string[]
  /** An event's id, or the cursor of a page. */
  readonly after?: string
  readonly limit: number
  readonly places: { readonly where: Place; readonly after: Place; readonly types: Place }
}

export interface EventsPage {
  /** Oldest first. */
  readonly nodes: readonly Readonly<Record<string, JsonValue>>[]
  readonly hasMore: boolean
  /** For `after`. */
  readonly next: string
}

/** Rejects with a Refusal for a wrong question. */
export type ReadEvents = (question: EventsQuestion) => Promise<EventsPage>

/** Milliseconds between two answers of a live read; undefined unless the number of seconds is from 0.1 to an hour. */
export const readInterval = (seconds: number): number | undefined =>
  seconds >= 0.1 && seconds <= 3_600 ? Math.round(seconds * 1_000) : undefined

/** Milliseconds between two answers where the client does not say. */
export const defaultInterval = 1_000

/** Whether the audience has events of some resource. */
export const hasEvents = ({ resources }: Pick<Model, "resources">): boolean =>
  [...resources.values()].some(showsHistory)

/** Whether events of the audience are there. */
export function isFeedPath(audience: Pick<Model, "resources">, path: string): boolean {
  const own = feedPath(audience)
  return (path === own || path === `${own}/stream`) && hasEvents(audience)
}

/** The path of the events below the service: a resource may have the usual one. */
export function feedPath({ resources }: Pick<Model, "resources">): string {
  const taken = [...resources.values()].some(({ path }) => path === "events")
  return taken ? "/event-log" : "/events"
}
