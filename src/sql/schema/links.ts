// The pure join tables of a model, each once: both ends of a many-to-many relation may be declared.
import { present } from "../../base/invariant.ts"
import type { Model, Resource, TableName, Through } from "../../model/model.ts"

interface Link extends Through {
  readonly from: Resource
  readonly to: Resource
}

export function linksOf(model: Model): readonly Link[] {
  const resources = [...model.resources.values()]
  const called = ({ schema, name }: TableName): string => JSON.stringify([schema, name])
  const tables = new Set(resources.map(({ table }) => called(table)))
  const links = new Map<string, Link>()
  for (const from of resources)
    for (const relation of from.relations.values()) {
      if (relation.kind !== "many" || !relation.through) continue
      const name = called(relation.through.table)
      const to = present(
        model.resources.get(relation.target),
        `the model has the resource ${relation.target}`,
      )
      if (!tables.has(name) && !links.has(name)) links.set(name, { ...relation.through, from, to })
    }
  return [...links.values()]
}
