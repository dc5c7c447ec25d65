// A version of a service is a Model: the newest one with the changes since then undone. Plans of it are answered as any.
import { entryDescription } from "../build/history.ts"
import type { Field, Model, Resource } from "../model.ts"
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
  return { ...model, ...withAliases(model, resources), enums, version, newest: model }
}

/** What goes by the names of resources has those of the version. */
function withAliases(
  { histories }: Model,
  resources: ReadonlyMap<string, Resource>,
): Pick<Model, "resources" | "histories"> {
  const renamed = [...resources.values()].filter(({ alias }) => alias !== undefined)
  if (renamed.length === 0) return { resources, histories }
  const aliases = new Map(renamed.map(({ name, alias = name }) => [name, alias]))
  const typeThen = (type: string): string => {
    const [name = ""] = type.split(".")
    return `${aliases.get(name) ?? name}${type.slice(name.length)}`
  }
  const withTypes = (fields: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...fields].map(([name, field]) => {
        const { items } = field.constraints
        if (!items?.eventTypes || !items.declared) return [name, field]
        const declared = items.declared.map(typeThen)
        return [name, { ...field, constraints: { ...field.constraints, items: { ...items, declared } } }]
      }),
    )
  return {
    resources: new Map(
      [...resources].map(([name, resource]) => [
        name,
        {
          ...resource,
          fields: withTypes(resource.fields),
          ...(resource.settable && { settable: withTypes(resource.settable) }),
        },
      ]),
    ),
    histories: new Map(
      [...histories].map(([name, history]) => {
        const of = resources.get(history.historyOf?.resource ?? "")
        if (of?.alias === undefined) return [name, history]
        const { type, collection } = of
        return [name, { ...history, type: `${type}HistoryEntry`, description: entryDescription(collection) }]
      }),
    ),
  }
}
