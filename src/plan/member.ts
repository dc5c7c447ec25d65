// Members: the meaning of a name inside a resource.
import type { Subject } from "../model/condition.ts"
import type { Field, Relation, Resource, ToOne } from "../model/model.ts"

export type ResourceMember =
  | { readonly kind: "id" }
  | { readonly kind: "field"; readonly field: Field }
  /** The scalar that comes with a to-one relation, such as `customerId`. */
  | { readonly kind: "reference"; readonly relation: ToOne }
  | { readonly kind: "relation"; readonly relation: Relation }

export type ScalarMember = Exclude<ResourceMember, { readonly kind: "relation" }>

export function memberOf(resource: Resource, name: string): ResourceMember | undefined {
  if (name === "id" && resource.key) return { kind: "id" }
  const field = resource.fields.get(name)
  if (field) return { kind: "field", field }
  const relation = resource.relations.get(name)
  if (relation) return { kind: "relation", relation }
  for (const one of resource.relations.values()) {
    if (one.kind === "one" && one.reference === name) return { kind: "reference", relation: one }
  }
  return undefined
}

/** Every name that memberOf knows: `id`, then fields, then each relation after its reference. */
export function memberNames(resource: Resource): readonly string[] {
  const relations = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined
      ? [relation.reference, relation.name]
      : [relation.name],
  )
  return [...(resource.key ? ["id"] : []), ...resource.fields.keys(), ...relations]
}

/** The version that `ifMatch` compares: a member of every record that has an id, unless a member of its own has the name. */
export const etag = "etag"

export const hasEtag = (resource: Resource): boolean =>
  resource.key !== undefined && memberOf(resource, etag) === undefined

export function subjectOf(member: ScalarMember): Subject {
  switch (member.kind) {
    case "id":
      return { kind: "id" }
    case "field":
      return { kind: "field", field: member.field.name }
    case "reference":
      return { kind: "reference", relation: member.relation.name }
  }
}

/** A hint for questions about a field that is computed only when selected. */
export const aboutComputed = (resource: Resource, name: string): string | undefined =>
  resource.computed?.has(name)
    ? `${name} is computed by user code when it is selected: no list can be filtered, ordered or grouped by it.`
    : undefined

/** The member of a record with its transitions; no other member of a resource with states has this name. */
export const transitions = "transitions"

/** Whether records have the member: also where none of their transitions is left for the caller. */
export const hasTransitions = ({ key, machines }: Resource): boolean => key !== undefined && machines.size > 0
