// Changes of one resource, as the faces follow them.
import { perObject } from "../../base/caches.ts"
import { refusal } from "../../base/problem.ts"
import type { Change, FollowChanges, FollowedChanges } from "../../http/changes.ts"
import type { Gap } from "../../storage/log-types.ts"
import type { SeenEvent } from "./event-reader.ts"
import { type Feed, fromNow, gapMessage, typeOf } from "./feed.ts"
import { framesIn } from "./room.ts"

export function followChanges(feed: Feed): FollowChanges {
  /** Subscribers of equal rights are given the same change. */
  const changeOf = perObject((event: SeenEvent) => changeIn(feed, event))
  return async (followed) => {
    const { actor, request, resource, where, after, signal, places, pay, cut } = followed
    const holder = { client: request?.client ?? "", cut }
    const subscription = {
      actor,
      resource,
      ...(where !== undefined && { conditions: [{ encoding: "json" as const, value: where }] }),
      places: { resource: [], conditions: places.where },
    }
    feed.check(subscription)
    const from = await feed.after(after ?? fromNow, places.after, request)
    return { changes: changes(), frame: framesIn(feed.frames, holder) }

    async function* changes(): AsyncGenerator<Change, void> {
      for await (const item of feed.follow(subscription, from, signal, { ...holder, ...(pay && { pay }) })) {
        if (item.kind === "gap") throw expired(followed, item.gap)
        for (const event of item.events) yield changeOf(event)
      }
    }
  }
}

function changeIn(feed: Feed, event: SeenEvent): Change {
  const { row, kind, entry } = event
  return {
    cursor: feed.idOf(row),
    kind,
    type: typeOf(event),
    recordId: row.record,
    at: entry?.at ?? row.at,
    changedFields: entry?.changes.map(({ field }) => field) ?? [],
    payload: entry?.payload ?? null,
  }
}

const expired = ({ places }: FollowedChanges, gap: Gap) =>
  refusal("events_expired", gapMessage(gap), {
    place: places.after,
    hint: "Subscribe again without a cursor, then ask for the records as they are.",
  })
