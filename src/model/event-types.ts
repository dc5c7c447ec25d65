// Types of events, under the names that callers know and the names in the log.

import { showsHistory } from "./build/history.ts"
import type { Field, Machine, Model, Resource } from "./model.ts"
import { apiName } from "./names.ts"

/** `order.paid` and its like; in a visible model the types that its audience may see. None without a readable history. */
export function eventTypesOf(resource: Resource): readonly string[] {
  if (!showsHistory(resource)) return []
  const { name, fields, machines, events } = resource
  const called = apiName(resource)
  // A caller to whom a state is hidden receives an update instead.
  const shown = [...machines.values()].filter((machine) => fields.has(machine.name))
  return [
    ...["created", "updated", "deleted", "left"].map((kind) => `${called}.${kind}`),
    ...shown.flatMap(({ states }) => [...states.keys()].map((state) => `${called}.${state}`)),
    ...[...(events?.values() ?? [])].map(({ type }) => `${called}${type.slice(name.length)}`),
  ]
}

/** Whether requested types, such as `order.paid` or `order.*`, include this type of the resource. */
export const namesType = (types: readonly string[], resource: string, type: string): boolean =>
  types.includes(type) || types.includes(`${resource}.*`)

/** Former names of the machine's states with the newest version's names. */
export const formerStates = ({ states }: Pick<Machine, "states">): ReadonlyMap<string, string> =>
  new Map(
    [...states.values()].flatMap(({ name, current = name, was = [] }) =>
      was.map((former) => [former, current] as const),
    ),
  )

/** Events of records with and without states. */
const otherKinds = ["created", "updated", "deleted", "left"] as const

/**
 * Former names of the resource's states, by which its events were called, with the newest version's names. Names that another
 * event has are left out: a text that became a state may have had any value.
 */
export function formerlyHappened({ name, machines, events }: Resource): ReadonlyMap<string, string> {
  const taken = new Set<string>([
    ...otherKinds,
    ...[...machines.values()].flatMap(({ states }) => [...states.keys()]),
    ...[...(events?.values() ?? [])].map(({ type }) => type.slice(name.length + 1)),
  ])
  const all = [...machines.values()].flatMap((machine) => [...formerStates(machine)])
  const isOne = (former: string): boolean => all.filter(([other]) => other === former).length === 1
  return new Map(all.filter(([former]) => !taken.has(former) && isOne(former)))
}

/** All names under which the log may have events of a type. @param type by the newest version's names */
export function namesOfType(resource: Resource, type: string): readonly string[] {
  const happened = type.slice(resource.name.length + 1)
  const former = [...formerlyHappened(resource)].filter(([, now]) => now === happened)
  return [type, ...former.map(([before]) => `${resource.name}.${before}`)]
}

/** Former values of an enumeration, which the log may have, with the newest version's. Those in lists stay as they were. */
export const formerValues = (
  { enums }: Pick<Model, "enums">,
  { enumeration = "", list }: Pick<Field, "enumeration" | "list">,
): ReadonlyMap<string, string> => (list ? undefined : enums.get(enumeration)?.was) ?? new Map()

/** Former values of a resource's field, or former names of its states, with the newest version's values. */
export function formerValuesOf(
  model: Model,
  { machines }: Resource,
  field: Field,
): ReadonlyMap<string, string> {
  const machine = machines.get(field.name)
  return machine ? formerStates(machine) : formerValues(model, field)
}

/** The newest version's value in place of a former one that the log has in a member; any other as it is. */
export function valueNow<Value>(
  model: Model,
  resource: Resource,
  name: string,
  value: Value,
): Value | string {
  const field = resource.fields.get(name)
  return (field && formerValuesOf(model, resource, field).get(String(value))) ?? value
}
