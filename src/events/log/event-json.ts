// An event as all faces, streams and webhooks show it.
import type { JsonValue } from "../../base/json.ts"
import type { EventsPage, EventsQuestion } from "../../http/changes.ts"
import type { LogPlace } from "../../sql/log/epochs.ts"
import type { EventIds } from "./event-ids.ts"
import type { SeenEvent } from "./event-reader.ts"
import { type Feed, type Subscription, typeOf } from "./feed.ts"

/** An event about a record that is not visible any more has its id and the time alone. */
export function eventJson(
  ids: Pick<EventIds, "idOf">,
  event: SeenEvent,
): Readonly<Record<string, JsonValue>> {
  const { row, resource, kind, entry } = event
  const { record: recordId, at } = row
  const common = { id: ids.idOf(row), kind, type: typeOf(event), resource, recordId }
  if (!entry) return { ...common, at }
  const { version, actor, transition, from, to, input, payload, changes } = entry
  return {
    ...common,
    version,
    at: entry.at,
    actor,
    ...{ transition, from, to, input, changes },
    ...(payload !== undefined && { payload }),
  }
}

// Pages of events, as faces ask for them.

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
