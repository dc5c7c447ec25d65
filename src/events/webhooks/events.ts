// Reads a row of the log as an endpoint sees it: by the rules that hold for it now.
import { perObject, RequestCache } from "../../base/caches.ts"
import type { JsonValue } from "../../base/json.ts"
import { wholeRecord } from "../../engine/code/client.ts"
import { showsHistory } from "../../model/build/history.ts"
import { eventTypesOf, formerlyHappened } from "../../model/event-types.ts"
import type { Model, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import { versionOf } from "../../model/versions/served.ts"
import type { Actor } from "../../plan/access/actor.ts"
import { weigh } from "../../plan/draft/plan-cache.ts"
import type { LogRow } from "../../storage/log-types.ts"
import type { EventIds } from "../log/event-ids.ts"
import { eventJson } from "../log/event-json.ts"
import type { EventReader } from "../log/event-reader.ts"
import { createSight, type Sight } from "../log/sight.ts"
import { type Endpoint, wantsType } from "./endpoint.ts"
import type { EventData } from "./payload.ts"

interface ReadingOptions {
  readonly ids: Pick<EventIds, "idOf">
  readonly reader: EventReader
  /** The whole service. */
  readonly model: Model
}

/** The part of an endpoint that says what it wants. */
type Wanting = Pick<Endpoint, "types" | "filter" | "payload">

interface EventsOfEndpoints {
  /** Undefined for events that the endpoint does not see, or does not want. */
  read(endpoint: Wanting, actor: Actor, row: LogRow): Promise<EventData | undefined>
  /** Throws a Refusal for conditions that the endpoint may not ask. */
  check(endpoint: Wanting, actor: Actor): void
}

export function createEvents({ ids, reader, model: whole }: ReadingOptions): EventsOfEndpoints {
  const newestTypes = createNewestTypes(whole)
  const sightsIn = perObject((_: Actor["model"]) =>
    new RequestCache().open<string, ReadonlyMap<string, Sight>>(),
  )
  const sightsOf = (
    { filter, payload }: Wanting,
    { model }: Actor,
    name: string,
  ): ReadonlyMap<string, Sight> => {
    const ofModel = sightsIn(model)
    const resource = model.resources.get(name)
    const called = resource ? apiName(resource) : name
    const condition = filter ? conditionOn(filter, { model, called, names: namesOf(whole, name) }) : undefined
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
    ofModel.set(key, made, weigh(key))
    return made
  }
  const read: EventsOfEndpoints["read"] = async (endpoint, actor, row) => {
    const [event] = await reader.read([row], { actor }, sightsOf(endpoint, actor, row.resource))
    if (!event) return undefined
    const data = eventJson(ids, event) as EventData
    const resource = actor.model.resources.get(row.resource)
    const type = resource ? newestType(resource, data.type) : data.type
    const wants = wantsType(newestTypes(endpoint.types, versionOf(actor.model)), row.resource, type)
    if (!wants) return undefined
    if (endpoint.payload === "thin" || !event.entry) return data
    const errors = (event.missing ?? []).map(({ code, message, place = [] }) => ({
      code,
      detail: message,
      pointer: `/${["record", ...place].join("/")}`,
    }))
    return { ...data, record: event.record ?? null, ...(errors.length > 0 && { errors }) }
  }
  return {
    read,
    check(endpoint, actor) {
      if (endpoint.filter) for (const name of whole.resources.keys()) sightsOf(endpoint, actor, name)
    },
  }
}

interface Called {
  /** The model of the endpoint. */
  readonly model: Model
  /** The resource's name in it, and its names in all versions. */
  readonly called: string
  readonly names: readonly string[]
}

/** The condition on records of a resource, which has the name of the version that it was written in. */
function conditionOn(
  filter: NonNullable<Endpoint["filter"]>,
  { model, called, names }: Called,
): JsonValue | undefined {
  const others = new Set([...model.resources.values()].map(apiName))
  const name = [called, ...names.filter((one) => !others.has(one))].find((one) => Object.hasOwn(filter, one))
  return name === undefined ? undefined : filter[name]
}

/** Names of a resource in all versions, the newest first, and those that it had. */
const namesOf = (whole: Model, name: string): readonly string[] =>
  [whole, ...(whole.versions ?? []).map((version) => modelAt(whole, version.name))]
    .flatMap(({ resources }) => {
      const resource = resources.get(name)
      return resource ? [apiName(resource)] : []
    })
    .concat(whole.resources.get(name)?.was ?? [])

// Types of events that an endpoint wants, by the newest version's names, whichever version it took them from.

/**
 * @param types by the names of the version, or of another one where the version has no such type
 * @param version of the endpoint; undefined in a service without versions
 */
type NewestTypes = (types: readonly string[], version: string | undefined) => readonly string[]

/** @param model of the whole service */
export function createNewestTypes(model: Model): NewestTypes {
  const names = (model.versions ?? []).map(({ name }) => name)
  const known = new Map<string | undefined, ReadonlyMap<string, string>>()
  const typesFor = (version: string | undefined): ReadonlyMap<string, string> => {
    const found = known.get(version)
    if (found) return found
    // Later models go before earlier ones.
    const models = [...names.toReversed().map((name) => modelAt(model, name)), model]
    if (version !== undefined) models.push(modelAt(model, version))
    const resources = models.flatMap((one) => [...one.resources.values()])
    // A version's current meaning of a name goes before former meanings.
    const made = new Map([...resources.flatMap(formerTypesOf), ...resources.flatMap(typesOf)])
    known.set(version, made)
    return made
  }
  return (types, version) => {
    const found = typesFor(version)
    return types.map((type) => found.get(type) ?? type)
  }
}

/** Each type with the newest version's name of it. */
const typesOf = (resource: Resource): readonly (readonly [string, string])[] => {
  const types = eventTypesOf(resource)
  if (types.length === 0) return []
  const all = [`${apiName(resource)}.*`, ...types]
  return all.map((type) => [type, newestType(resource, type)] as const)
}

/** Types by names that the resource and its states had, each with the newest version's name of it. */
function formerTypesOf(resource: Resource): readonly (readonly [string, string])[] {
  const types = typesOf(resource)
  const called = apiName(resource)
  const renamed = [...formerlyHappened(resource)].map(
    ([former, now]) => [`${called}.${former}`, `${resource.name}.${now}`] as const,
  )
  const own = types.length === 0 ? [] : [...types, ...renamed]
  return [called, ...(resource.was ?? [])].flatMap((name) =>
    own.map(([type, now]) => [`${name}${type.slice(called.length)}`, now] as const),
  )
}

/** @param type of an event of the resource, by the names of the resource's version */
function newestType(resource: Resource, type: string): string {
  const happened = type.slice(apiName(resource).length + 1)
  const states = [...resource.machines.values()].map(({ states: all }) => all.get(happened))
  const current = states.find((state) => state !== undefined)?.current
  return `${resource.name}.${current ?? happened}`
}
