// A version of a service is a Model: the newest one with the changes since then undone. Plans of it are answered as any.

import { perObject } from "../../base/caches.ts"
import { entryDescription } from "../build/history.ts"
import type { ApiChange, Field, Model, Resource } from "../model.ts"
import { apiName, pascalCase } from "../names.ts"
import { undoChange } from "./undo.ts"
import type { Undoing } from "./undoing.ts"
import { uniquesOf, watchUniques } from "./uniques.ts"

const madeOf = perObject((_: Model) => new Map<string, Model>())

/**
 * @param model of the newest version: a whole service, or one audience's
 * @param version one of its names; the newest gives the model itself
 */
export function modelAt(model: Model, version: string): Model {
  const [newest] = model.versions ?? []
  if (!newest || newest.name === version) return model
  const made = madeOf(model)
  const found = made.get(version) ?? makeModelAt(model, version)
  made.set(version, found)
  return found
}

type Report = (version: string, change: number, message: string, hint?: string) => void

interface Turn {
  /** The place of the change in its version. */
  readonly index: number
  readonly change: ApiChange
  /** The name since, where `change` has another one for the time being. */
  readonly called?: string
  /** The former name is one for the time being. */
  readonly passing?: true
}

/**
 * The last change is undone first. A change that takes a name still in use waits until the end, so that names can be
 * swapped in one version.
 */
function inTurn(changes: readonly ApiChange[]): readonly Turn[] {
  const all = [...changes.entries()].map(([index, change]): Turn => ({ index, change })).reverse()
  const last: Turn[] = []
  const first = all.map((turn, at): Turn => {
    const { index, change } = turn
    if (change.kind !== "renamed" && change.kind !== "renamedValue") return turn
    const waits = all.slice(at + 1).some(({ change: other }) => frees(other, change))
    if (!waits) return turn
    const between = `becoming${pascalCase(change.before)}`
    last.push({ index, change: { ...change, now: between }, called: change.now })
    return { index, change: { ...change, before: between }, passing: true }
  })
  return [...first, ...last]
}

type Renaming = Extract<ApiChange, { readonly kind: "renamed" | "renamedValue" }>

const frees = (other: ApiChange, change: Renaming): boolean =>
  other.kind === change.kind &&
  other.resource === change.resource &&
  other.now === change.before &&
  (other.kind !== "renamedValue" || change.kind !== "renamedValue" || other.field === change.field)

/** @param report receives each mistake in the changes */
export function makeModelAt(model: Model, version: string, report?: Report): Model {
  const resources = new Map(model.resources)
  const enums = new Map(model.enums)
  for (const { name, changes } of model.versions ?? []) {
    if (name <= version) break
    const restored = new Set<string>()
    for (const { index, change, called, passing } of inTurn(changes)) {
      const undoing: Undoing = {
        resources,
        enums,
        newest: model.audience?.whole ?? model,
        since: name,
        restored,
        ...(called !== undefined && { called }),
        ...(passing && { passing }),
        fieldOf: (resource, field) => fieldIn(model, { version: name, resource, field }),
        ...(report && { report: (message, hint) => report(name, index, message, hint) }),
      }
      const tellLost =
        report && change.kind === "changed" ? watchUniques(undoing, change, changes) : undefined
      undoChange(undoing, change)
      tellLost?.()
    }
  }
  const [newest] = model.versions ?? []
  const keyed = withUniques(model, version, resources)
  const pinned = newest ? withOwnPins(keyed, newest.name, version) : keyed
  return { ...model, ...withAliases(model, pinned), enums, version, newest: model }
}

/** A caller has the unique keys of the whole service whose members are all visible. */
function withUniques(
  model: Model,
  version: string,
  resources: ReadonlyMap<string, Resource>,
): ReadonlyMap<string, Resource> {
  const whole = model.audience && modelAt(model.audience.whole, version)
  return new Map(
    [...resources].map(([name, resource]) => {
      const { fields, relations } = resource
      const uniques = whole
        ? (whole.resources.get(name)?.uniques ?? []).filter(({ members }) =>
            members.every((member) =>
              member.kind === "field" ? fields.has(member.field) : relations.has(member.relation),
            ),
          )
        : uniquesOf(model, resource)
      return [name, { ...resource, uniques }]
    }),
  )
}

/**
 * A record with types of events and their version is made for the version of its request. The client knows the types of
 * no other.
 */
function withOwnPins(
  resources: ReadonlyMap<string, Resource>,
  newest: string,
  version: string,
): ReadonlyMap<string, Resource> {
  const pin = (fields: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...fields].map(([name, field]) => [
        name,
        field.default?.kind === "value" && field.default.value === newest
          ? { ...field, default: { kind: "value", value: version } as const }
          : field,
      ]),
    )
  return new Map(
    [...resources].map(([name, resource]) => {
      const { fields, settable } = resource
      const keeps = [...fields.values()].some(({ constraints }) => constraints.items?.eventTypes)
      return [
        name,
        keeps ? { ...resource, fields: pin(fields), ...(settable && { settable: pin(settable) }) } : resource,
      ] as const
    }),
  )
}

/** Names of the resource and types of its events that differ in the version, with the version's own. */
function typesThen(resource: Resource): readonly (readonly [string, string])[] {
  const { name, alias, machines } = resource
  const states = [...machines.values()].flatMap((machine) => [...machine.states.values()])
  return [
    ...(alias === undefined ? [] : [[name, alias] as const]),
    ...states.flatMap(({ name: state, current }) =>
      current === undefined ? [] : [[`${name}.${current}`, `${alias ?? name}.${state}`] as const],
    ),
  ]
}

function fieldIn(
  { audience, ...own }: Model,
  { version, resource, field }: Readonly<Record<"version" | "resource" | "field", string>>,
): Field | undefined {
  const whole = audience?.whole ?? (own as Model)
  const found = [...modelAt(whole, version).resources.values()].find((one) => apiName(one) === resource)
  return found?.fields.get(field)
}

/** Histories, and lists of event types, have the names of resources in the version. */
function withAliases(
  { histories }: Model,
  resources: ReadonlyMap<string, Resource>,
): Pick<Model, "resources" | "histories"> {
  const types = new Map([...resources.values()].flatMap(typesThen))
  if (types.size === 0) return { resources, histories }
  const typeThen = (type: string): string => {
    const [name = ""] = type.split(".")
    return types.get(type) ?? `${types.get(name) ?? name}${type.slice(name.length)}`
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
