// A follower of the log: a handler of the service, an endpoint of webhooks, a sink.
import { namesOfType } from "../../model/event-types.ts"
import type { Handler, Model } from "../../model/model.ts"
import type { LogFilter } from "../../sql/log/log-read.ts"
import type { LogRow } from "../../storage/log-types.ts"

/**
 * Rejects where the event has to be tried again: with what was thrown, or when the time is over.
 * @param isRetry the last try of the event failed
 */
export type CallFollowed = (row: LogRow, stop: AbortSignal, isRetry?: boolean) => Promise<void>

/**
 * Milliseconds until the next try of a failed event. `people`: a person decides, and the later events of the
 * record wait. `passed`: the follower gives the event up, and the record goes on.
 */
export type Retry = number | "people" | "passed"

export interface Followed {
  /** Under which its position is kept; no other has it. */
  readonly name: string
  readonly filter: LogFilter
  /** The position from which it goes on, asked where it is new. */
  readonly from: () => Promise<bigint>
  readonly call: CallFollowed
  /** @param attempts how often it has been tried, from 1 on @param thrown by the last of them */
  readonly retry: (attempts: number, thrown: unknown) => Retry
  /** Milliseconds that `retry` gives at the most. */
  readonly longestPause: number
  /** Failures that other records show, so that no observation reports them; failures of handlers are all reported. */
  readonly quiet?: (thrown: unknown) => boolean
  /** The last position that it wants. The follower reports the end in the order of the record's events. */
  readonly ends?: { readonly position: bigint; readonly record: string }
}

/** Events of a handler, under all names that the log may have for them. @param model of the whole service */
export function handlerFilter({ resources }: Model, { resource, types }: Handler): LogFilter {
  const own = resources.get(resource)
  return { resource, ...(types && { types: types.flatMap((type) => (own ? namesOfType(own, type) : type)) }) }
}

/** Prefixes of subscribers' names, which distinguish them from handlers. */
export const subscriberPrefix = "subscriber:"
export const webhookPrefix = `${subscriberPrefix}webhook:`
export const sinkName = (broker: string, stream: string): string => `${subscriberPrefix}${broker}:${stream}`
export const isWebhook = (name: string): boolean => name.startsWith(webhookPrefix)
export const isSink = (name: string): boolean => name.startsWith(subscriberPrefix) && !isWebhook(name)

/** Those who follow the log beside the handlers of the service: they come and go. */
export interface Subscribers {
  /** Those among the names that will not follow again: nothing of them need be kept. */
  gone(names: readonly string[]): Promise<readonly string[]>
  /** All of them as they are now; asked again and again. */
  followed(): Promise<readonly Followed[]>
  /** One with an end has come to it, in all processes. Nothing of it is kept once this has resolved. */
  ended?(name: string): Promise<void>
}

// Observations of handlers: one union, rendered elsewhere (the command line writes it to stderr).
export interface FailedEvent {
  /** The name under which its position is kept: a handler's, or an endpoint's id behind the prefix of subscribers. */
  readonly handler: string
  readonly event: string
  /** The record's public id. */
  readonly record: string
  readonly error: unknown
  /** How often it has been tried. */
  readonly attempts: number
  /** Milliseconds since 1970; null without another automatic try. */
  readonly due: number | null
  /** The number of failures of one cause, reported together with the last; 1 when absent. */
  readonly count?: number
}

export type HandlerObservation =
  /** An event could not be handled. The later events of its record wait for it. */
  | ({ readonly kind: "unhandled" } & FailedEvent)
  /** A fault of Bifold or of the database kept an event from being made into a message of an endpoint. */
  | ({ readonly kind: "undelivered" } & FailedEvent)
  /** No handler runs for now, because the database cannot be asked; it is tried again until it can. */
  | { readonly kind: "halted"; readonly error: unknown }
  /** They run again. */
  | { readonly kind: "resumed" }
  /** The log was emptied or replaced, and the positions of these were not: they go back to its start. By the names of the positions. */
  | { readonly kind: "replaced"; readonly handlers: readonly string[] }
  /** Events that need not be kept stay in the log, because a handler has not come to them. `since`: the first event, in milliseconds since 1970. */
  | { readonly kind: "held"; readonly handler: string; readonly since: number }
  /** Events that need not be kept could not be removed; it is tried again. */
  | { readonly kind: "unforgotten"; readonly error: unknown }

export type TellHandlers = (told: HandlerObservation) => void

// How long an event that failed waits before it is tried again.

/** Milliseconds. */
const first = 1_000
const longest = 3_600_000

export const longestPause = 1.2 * longest

/**
 * Milliseconds: twice as long each time, and a fifth more or less, so that what failed together is not tried together.
 * @param attempts how often it has been tried, from 1 on
 * @param chance from 0 to 1
 */
export const pauseAfter = (attempts: number, chance: number): number =>
  Math.round(Math.min(first * 2 ** (attempts - 1), longest) * (0.8 + 0.4 * chance))
