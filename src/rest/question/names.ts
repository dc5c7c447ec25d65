// Names of a resource's members that parameters take.
import type { Resource } from "../../model/model.ts"
import { isSortable } from "../../model/operators.ts"
import { etag, hasEtag, hasTransitions, transitions } from "../../plan/member.ts"
import { isMeasurable, measures } from "../../plan/read/groups.ts"

/** Names of fields, then of the references that come with to-one relations. */
export function scalarNames(resource: Resource): readonly string[] {
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined ? [relation.reference] : [],
  )
  return [...resource.fields.keys(), ...references]
}

/** Members that answers have when `fields` names them. */
export const namedMembers = (resource: Resource): readonly string[] => [
  ...(resource.computed?.keys() ?? []),
  ...(hasEtag(resource) ? [etag] : []),
  ...(hasTransitions(resource) ? [transitions] : []),
]

/** Names that `aggregate` can have in a resource. */
export function aggregateNames({ fields }: Resource): readonly string[] {
  const measured = measures.flatMap((measure) =>
    [...fields.values()]
      .filter((field) => isMeasurable(measure, field))
      .map((field) => `${measure}.${field.name}`),
  )
  return ["count", ...measured]
}

/** Names that `sort` can have in a resource, without members of related records. */
export function sortNames({ fields, key }: Resource): readonly string[] {
  const sortable = [...fields.values()].filter(isSortable).map(({ name }) => name)
  return [...(key ? ["id"] : []), ...sortable].flatMap((name) => [name, `-${name}`])
}

/** The field that lists are sorted by in examples. */
export function exampleSort({ fields, key }: Resource): string | undefined {
  const sortable = [...fields.values()].filter(isSortable)
  const field = sortable.find(({ scalar }) => scalar === "timestamp" || scalar === "date") ?? sortable[0]
  return field ? `-${field.name}` : key ? "-id" : undefined
}
