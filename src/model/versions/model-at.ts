// A version of a service is a Model: the newest one with the changes since then undone. Plans of it are answered as any.
import type { Model } from "../model.ts"
import { undoChange } from "./undo.ts"

const known = new WeakMap<Model, Map<string, Model>>()

/**
 * @param model of the newest version: a whole service, or what a caller may see
 * @param version one of its names; the newest gives the model itself
 */
export function modelAt(model: Model, version: string): Model {
  const [newest] = model.versions ?? []
  if (!newest || newest.name === version) return model
  const made = known.get(model) ?? new Map<string, Model>()
  known.set(model, made)
  const found = made.get(version) ?? makeModelAt(model, version)
  made.set(version, found)
  return found
}

type Report = (version: string, change: number, message: string, hint?: string) => void

/** @param report told of each mistake in the changes */
export function makeModelAt(model: Model, version: string, report?: Report): Model {
  const resources = new Map(model.resources)
  const enums = new Map(model.enums)
  for (const { name, changes } of model.versions ?? []) {
    if (name <= version) break
    for (const [index, change] of [...changes.entries()].reverse())
      undoChange(
        {
          resources,
          enums,
          since: name,
          ...(report && { report: (message, hint) => report(name, index, message, hint) }),
        },
        change,
      )
  }
  return { ...model, resources, enums, version, newest: model }
}
