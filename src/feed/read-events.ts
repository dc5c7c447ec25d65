// Pages of events, as faces ask for them.
import type { EventsPage, EventsQuestion } from "../http/changes.ts"
import type { LogPlace } from "../sql/log/epochs.ts"
import { eventJson } from "./event-json.ts"
import type { Feed, Subscription } from "./feed.ts"

/** Rejects with a Refusal for what cannot be asked. */
export async function readEvents(
  feed: Feed,
  { actor, request, resource, where, types, after, limit, places }: EventsQuestion,
): Promise<EventsPage> {
  const subscription: Subscription = {
    actor,
    request,
    ...(resource !== undefined && { resource }),
    ...(where !== undefined && { conditions: [{ encoding: "json", value: where }] }),
    ...(types && { types }),
    places: { resource: places.where, conditions: places.where, types: places.types },
  }
  return pageOf(feed, subscription, {
    limit,
    ...(after !== undefined && { after: await feed.after(after, places.after, request) }),
  })
}

/** @param after a place */
export async function pageOf(
  feed: Feed,
  subscription: Subscription,
  { limit, after }: { readonly limit: number; readonly after?: LogPlace },
): Promise<EventsPage> {
  const { events, hasMore, through } = await feed.page(subscription, after, limit)
  return { nodes: events.map((event) => eventJson(feed, event)), hasMore, next: feed.cursorOf(through) }
}
