// An event as all faces, streams and webhooks show it.
import type { JsonValue } from "../base/json.ts"
import type { EventIds } from "./event-ids.ts"
import type { SeenEvent } from "./event-reader.ts"
import { typeOf } from "./feed.ts"

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
