// Types of events, as those who see a resource know them.

import { showsHistory } from "./build/history.ts"
import type { Resource } from "./model.ts"
import { apiName } from "./names.ts"

/** `order.paid` and its like; of a visible model those that its audience may be told of. None without a readable history. */
export function eventTypesOf(resource: Resource): readonly string[] {
  if (!showsHistory(resource)) return []
  const { name, fields, machines, events } = resource
  const called = apiName(resource)
  // A caller to whom a state is hidden is told of an update.
  const shown = [...machines.values()].filter((machine) => fields.has(machine.name))
  return [
    ...["created", "updated", "deleted", "left"].map((kind) => `${called}.${kind}`),
    ...shown.flatMap(({ states }) => [...states.keys()].map((state) => `${called}.${state}`)),
    ...[...(events?.values() ?? [])].map(({ type }) => `${called}${type.slice(name.length)}`),
  ]
}

/** Whether types that somebody asks for, such as `order.paid` or `order.*`, name that of an event of the resource. */
export const namesType = (types: readonly string[], resource: string, type: string): boolean =>
  types.includes(type) || types.includes(`${resource}.*`)
