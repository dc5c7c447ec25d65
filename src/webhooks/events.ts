// Reads a row of the log as an endpoint sees it: by the rules that hold for it now.
import { createRecent, type Recent } from "../base/clock-cache.ts"
import type { JsonValue } from "../base/json.ts"
import { wholeRecord } from "../engine/code/client.ts"
import type { EventIds } from "../feed/event-ids.ts"
import { eventJson } from "../feed/event-json.ts"
import type { EventReader } from "../feed/event-reader.ts"
import { feedModel } from "../feed/feed-model.ts"
import { createSight, type Sight } from "../feed/sight.ts"
import type { AnswerPlan } from "../http/face.ts"
import { showsHistory } from "../model/build/history.ts"
import type { Actor } from "../plan/access/actor.ts"
import { startDraft } from "../plan/draft/draft.ts"
import { readRecord } from "../plan/read/record.ts"
import type { LogRow } from "../storage/log-types.ts"
import { type Endpoint, wantsType } from "./endpoint.ts"
import type { EventData } from "./payload.ts"

export interface ReadingOptions {
  readonly ids: Pick<EventIds, "idOf">
  readonly reader: EventReader
  readonly answer: AnswerPlan
}

/** The part of an endpoint that says what it wants. */
type Wanting = Pick<Endpoint, "types" | "filter" | "payload">

/** Undefined for what the endpoint does not see, or does not want. Throws a Refusal for conditions that it may not ask. */
export type ReadEvent = (endpoint: Wanting, actor: Actor, row: LogRow) => Promise<EventData | undefined>

type Sights = Recent<string, ReadonlyMap<string, Sight>>

const mostKept = 1_000

export function createReadEvent({ ids, reader, answer }: ReadingOptions): ReadEvent {
  const known = new WeakMap<Actor["model"], Sights>()
  const sightsOf = ({ filter }: Wanting, { model }: Actor, name: string): ReadonlyMap<string, Sight> => {
    const ofModel = known.get(model) ?? createRecent({ count: mostKept, weight: mostKept })
    known.set(model, ofModel)
    const condition = filter?.[name]
    const key = JSON.stringify([name, condition])
    const found = ofModel.get(key)
    if (found) return found
    const resource = model.resources.get(name)
    const conditions = condition === undefined ? [] : [{ encoding: "json" as const, value: condition }]
    const made =
      resource && showsHistory(resource)
        ? new Map([[name, createSight({ model, resource: name, conditions, place: ["filter", name] })]])
        : new Map<string, Sight>()
    ofModel.set(key, made, 1)
    return made
  }
  const recordOf = async (actor: Actor, { resource: name, record }: LogRow): Promise<JsonValue> => {
    const model = feedModel(actor.model)
    const resource = model.resources.get(name)
    if (!resource) return null
    const draft = startDraft({ model, cursors: noCursors })
    const by = readRecord(draft, resource, record)
    if (by === "missing") return null
    const root = {
      kind: "record",
      key: "record",
      resource: name,
      by,
      members: wholeRecord(resource),
    } as const
    const { roots } = await answer(draft.finish([root]), { ...actor, model })
    const [json] = roots
    return json ? (JSON.parse(String(json)) as JsonValue) : null
  }
  return async (endpoint, actor, row) => {
    const [event] = await reader.read([row], actor, sightsOf(endpoint, actor, row.resource))
    if (!event) return undefined
    const data = eventJson(ids, event) as EventData
    if (!wantsType(endpoint, row.resource, data.type)) return undefined
    if (endpoint.payload === "thin" || !event.entry) return data
    return { ...data, record: await recordOf(actor, row) }
  }
}

const noCursors = { seal: () => "", open: () => undefined }
