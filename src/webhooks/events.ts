// Reads a row of the log as an endpoint sees it: by the rules that hold for it now.

import { createRecent, type Recent } from "../base/clock-cache.ts"
import { wholeRecord } from "../engine/code/client.ts"
import type { EventIds } from "../feed/event-ids.ts"
import { eventJson } from "../feed/event-json.ts"
import type { EventReader } from "../feed/event-reader.ts"
import { createSight, type Sight } from "../feed/sight.ts"
import { showsHistory } from "../model/build/history.ts"
import { apiName } from "../model/names.ts"
import type { Actor } from "../plan/access/actor.ts"
import type { LogRow } from "../storage/log-types.ts"
import { type Endpoint, wantsType } from "./endpoint.ts"
import type { EventData } from "./payload.ts"

export interface ReadingOptions {
  readonly ids: Pick<EventIds, "idOf">
  readonly reader: EventReader
}

/** The part of an endpoint that says what it wants. */
type Wanting = Pick<Endpoint, "types" | "filter" | "payload">

/** Undefined for what the endpoint does not see, or does not want. Throws a Refusal for conditions that it may not ask. */
export type ReadEvent = (endpoint: Wanting, actor: Actor, row: LogRow) => Promise<EventData | undefined>

type Sights = Recent<string, ReadonlyMap<string, Sight>>

const mostKept = 1_000

export function createReadEvent({ ids, reader }: ReadingOptions): ReadEvent {
  const known = new WeakMap<Actor["model"], Sights>()
  const sightsOf = (
    { filter, payload }: Wanting,
    { model }: Actor,
    name: string,
  ): ReadonlyMap<string, Sight> => {
    const ofModel = known.get(model) ?? createRecent({ count: mostKept, weight: mostKept })
    known.set(model, ofModel)
    const resource = model.resources.get(name)
    const called = resource ? apiName(resource) : name
    // Conditions of an endpoint have the names that there were when they were written.
    const condition = filter?.[called] ?? filter?.[name]
    const key = JSON.stringify([name, condition, payload])
    const found = ofModel.get(key)
    if (found) return found
    const conditions = condition === undefined ? [] : [{ encoding: "json" as const, value: condition }]
    const made =
      resource && showsHistory(resource)
        ? new Map([
            [
              name,
              createSight({
                model,
                resource: name,
                conditions,
                place: ["filter", called],
                ...(payload !== "thin" && { record: wholeRecord }),
              }),
            ],
          ])
        : new Map<string, Sight>()
    ofModel.set(key, made, 1)
    return made
  }
  return async (endpoint, actor, row) => {
    const [event] = await reader.read([row], actor, sightsOf(endpoint, actor, row.resource))
    if (!event) return undefined
    const data = eventJson(ids, event) as EventData
    const newestType = `${row.resource}${data.type.slice(data.resource.length)}`
    const wants =
      wantsType(endpoint, data.resource, data.type) || wantsType(endpoint, row.resource, newestType)
    if (!wants) return undefined
    if (endpoint.payload === "thin" || !event.entry) return data
    return { ...data, record: event.record ?? null }
  }
}
