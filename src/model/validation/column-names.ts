// A column has one writer: two fields never share one, and a field may share one with a key or a relation only if it is
// read-only, or with a relation if it is part of a natural key: what is written of both agrees then (plan/write/shared-columns.ts).
import type { ServiceDeclaration } from "../declaration/declaration.ts"
import { defaultColumn, versionColumn } from "../declaration/default-names.ts"
import { foreignKey, isNaturalKey, keyOf } from "../declaration/keys.ts"
import { claims, type PlacedResource, type Rule, resourcesOf, spelling } from "./context.ts"

export const columnNames: Rule = (service, report) => {
  for (const placed of resourcesOf(service)) {
    const { resource, place } = placed
    const fields = claims<string>()
    const spell = spelling(resource)
    const isKey = (name: string) => isNaturalKey(resource.key) && resource.key.includes(name)
    const shared = otherColumns(service, placed)
    for (const [name, field] of Object.entries(resource.fields)) {
      const column = defaultColumn(name, field)
      const at = [...place, "fields", name]
      if (column === "") report([...at, "column"], `The column of "${name}" has no name.`)
      const first = fields.claim(spell(column), name)
      if (first !== undefined)
        report(at, `The fields "${name}" and "${first}" would have the same column, "${column}".`)
      const owner = shared.get(spell(column))
      if (owner?.startsWith(relationOwner) && isKey(name)) continue
      if (owner !== undefined && field.readonly !== true && field.generated !== true)
        report(
          at,
          `The field "${name}" would have the column "${column}", which belongs to ${owner}.`,
          "Give it another `column`, or make it `readonly`.",
        )
    }
  }
}

const relationOwner = "the relation"

/** Columns of the resource's own table that are no field's: who they belong to. */
function otherColumns(
  service: ServiceDeclaration,
  { name, resource }: PlacedResource,
): ReadonlyMap<string, string> {
  const columns = new Map<string, string>()
  const spell = spelling(resource)
  for (const [relation, it] of Object.entries(resource.relations ?? {}))
    if (it.kind === "one")
      for (const { from } of foreignKey(service, relation, it) ?? [])
        columns.set(spell(from), `${relationOwner} "${relation}"`)
  if (!isNaturalKey(resource.key))
    for (const { column } of keyOf(service, name)?.parts ?? []) columns.set(spell(column), "the key")
  if (service.managed !== false) columns.set(spell(versionColumn), "Bifold")
  return columns
}
