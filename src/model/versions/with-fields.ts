// Where the fields of an older version stand among the others.
import type { Field, Resource } from "../model.ts"

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
