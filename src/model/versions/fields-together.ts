// Fields that some older version makes one of.
import { formerFields } from "../former-fields.ts"
import type { Model } from "../model.ts"
import { modelAt } from "./model-at.ts"

const known = new WeakMap<Model, ReadonlyMap<string, readonly (readonly string[])[]>>()

/**
 * The log keeps them with each other, so that a change of one of them tells the
 * whole. By resource. @param model the whole service
 */
export function fieldsTogether(model: Model): ReadonlyMap<string, readonly (readonly string[])[]> {
  const found = known.get(model)
  if (found) return found
  const groups = new Map<string, (readonly string[])[]>()
  for (const { name: version } of model.versions?.slice(1) ?? [])
    for (const resource of modelAt(model, version).resources.values())
      for (const { sources } of formerFields(resource))
        if (sources.length > 1) groups.set(resource.name, [...(groups.get(resource.name) ?? []), sources])
  known.set(model, groups)
  return groups
}
