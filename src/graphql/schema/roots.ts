// The root fields of `Query`: the one list of what can be asked, which the schema spells and the planner follows.

import { hasEvents } from "../../http/changes.ts"
import type { Model, Resource, Unique } from "../../model/model.ts"
import { apiName, pascalCase } from "../../model/names.ts"

export type RootField =
  | { readonly kind: "viewer" }
  | { readonly kind: "node" }
  | { readonly kind: "nodes" }
  | { readonly kind: "record"; readonly resource: Resource }
  | { readonly kind: "list"; readonly resource: Resource }
  | { readonly kind: "events" }
  /** Records by the keys that other subgraphs know. */
  | { readonly kind: "entities" }
  | { readonly kind: "unique"; readonly resource: Resource; readonly unique: Unique }

/** Resources have their names first, as with the path of the events. */
function eventsRootName(resources: readonly Resource[]): string {
  const taken = new Set(resources.flatMap(({ name, collection }) => [name, collection]))
  let name = taken.has("events") ? "eventLog" : "events"
  while (taken.has(name)) name += "_"
  return name
}

/** By field name, in the model's order. */
export function rootFields(model: Model): ReadonlyMap<string, RootField> {
  const roots = new Map<string, RootField>()
  const resources = [...model.resources.values()]
  // A service without rules has no viewer.
  if (model.audience) roots.set("viewer", { kind: "viewer" })
  if (resources.some(({ key }) => key)) {
    roots.set("node", { kind: "node" })
    roots.set("nodes", { kind: "nodes" })
  }
  for (const resource of resources) {
    if (resource.key) roots.set(apiName(resource), { kind: "record", resource })
    roots.set(resource.collection, { kind: "list", resource })
    for (const unique of resource.uniques) {
      roots.set(`${apiName(resource)}By${pascalCase(unique.name)}`, { kind: "unique", resource, unique })
    }
  }
  if (hasEvents(model)) roots.set(eventsRootName(resources), { kind: "events" })
  if (model.federation && resources.some(({ key }) => key)) roots.set("_entities", { kind: "entities" })
  return roots
}
