// Types of events that an endpoint wants, by the newest version's names, whichever version it took them from.
import { eventTypesOf, formerlyHappened } from "../model/event-types.ts"
import type { Model, Resource } from "../model/model.ts"
import { apiName } from "../model/names.ts"
import { modelAt } from "../model/versions/model-at.ts"

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
    // What a name stands for in some version goes before what was called so before.
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
export function newestType(resource: Resource, type: string): string {
  const happened = type.slice(apiName(resource).length + 1)
  const states = [...resource.machines.values()].map(({ states: all }) => all.get(happened))
  const current = states.find((state) => state !== undefined)?.current
  return `${resource.name}.${current ?? happened}`
}
