// A model while changes of a version are undone: their names, found or reported.
import { suggest } from "../../base/suggest.ts"
import type { ApiChange, Enumeration, Field, Model, Resource } from "../model.ts"
import { apiName } from "../names.ts"

/** The model as far as changes are undone. */
export interface Undoing {
  readonly resources: Map<string, Resource>
  readonly enums: Map<string, Enumeration>
  /** The whole service of the newest version. */
  readonly newest: Pick<Model, "resources" | "enums">
  /** The version whose changes are undone. */
  readonly since: string
  /** The name since, of a member that has another one until all others of the version are undone. */
  readonly called?: string
  /** The former name is one for the time being. */
  readonly passing?: true
  /** Fields that changes of this version had removed and that are there again: by resource and name. */
  readonly restored: Set<string>
  /** Reports names of a change that the model lacks; absent for a caller's model, which lacks hidden members. */
  readonly report?: (message: string, hint?: string) => void
  /** A field of the whole service of the version, also where the caller does not see it. */
  readonly fieldOf: (resource: string, field: string) => Field | undefined
}

export type Of<Kind extends ApiChange["kind"]> = Extract<ApiChange, { readonly kind: Kind }>

/** By its name in the version. An unknown name is reported, and gives undefined. */
export function find({ resources, report }: Undoing, name: string): Resource | undefined {
  const all = [...resources.values()]
  const resource = all.find((one) => apiName(one) === name)
  if (!resource) report?.(`There is no resource "${name}".`, suggest(name, all.map(apiName)))
  return resource
}

export function lacksMember({ resources, report, newest }: Undoing, resource: Resource, name: string): void {
  const now = newest.resources.get(resource.name)
  const target = newest.resources.get(now?.relations.get(name)?.target ?? "")
  const hint =
    target && !resources.has(target.name)
      ? `Leave this change out: the relation goes with \`${apiName(target)}\`, to which it leads.`
      : now && pathNames(now).includes(name)
        ? "A later change has undone it: changes of one version are undone from the last to the first."
        : suggest(name, pathNames(resource))
  report?.(`${apiName(resource)} has no "${name}" in this version.`, hint)
}

export const taken = ({ report }: Undoing, resource: Resource, name: string): void =>
  report?.(`${apiName(resource)} has a member "${name}" in this version, too.`)

/** Whether a field of the newest version keeps the value that its record was made with. */
export const isFixed = ({ key }: Resource, { column, immutable }: Field): boolean =>
  immutable || (key?.parts.some((part) => part.column === column) ?? false)

/** Names that a path of a change may lead to. */
export const pathNames = ({
  fields,
  settable,
  relations,
  machines,
  actions,
  computed,
}: Resource): readonly string[] => [
  ...new Set([
    ...fields.keys(),
    ...(settable?.keys() ?? []),
    ...relations.keys(),
    ...[...machines.values()].flatMap(({ transitions }) => [...transitions.keys()]),
    ...(actions?.keys() ?? []),
    ...(computed?.keys() ?? []),
  ]),
]

// Where the fields of an older version stand among the others.

/** @param before the resource's fields before some of them were left out, in whose place the added ones stand */
export function withFields(resource: Resource, added: readonly Field[], before = resource.fields): Resource {
  const { fields, settable } = resource
  const left = [...before.keys()]
  const at = left.findIndex((name) => !fields.has(name))
  const names = new Set([...left.slice(0, at < 0 ? left.length : at)].filter((name) => fields.has(name)))
  const own = [...fields]
  const first = own.filter(([name]) => names.has(name))
  const last = own.filter(([name]) => !names.has(name))
  const entries = added.map((field) => [field.name, field] as const)
  return {
    ...resource,
    fields: new Map([...first, ...entries, ...last]),
    ...(settable && { settable: new Map([...settable, ...entries.filter(([, { lens }]) => lens)]) }),
  }
}
