// The members of an input type: the members that a write takes (plan/write/inputs.ts). Relations whose inputs would have no
// fields are left out, since GraphQL allows no such type.
import { present } from "../../base/invariant.ts"
import type { Model, Resource, ToOne } from "../../model/model.ts"
import { type Action, backOf, type InputMember, inputMembers, type Verb } from "../../plan/write/inputs.ts"

export interface Wanted {
  readonly action: Action
  /** The relation to the enclosing record, which needs no input. */
  readonly back?: ToOne | undefined
}

export type RelationMember = Extract<InputMember, { readonly kind: "relation" }>

/** In the order of the declaration; none when the resource has no such input. */
export function inputMembersOf(model: Model, resource: Resource, wanted: Wanted): readonly InputMember[] {
  return allMembers(model, resource, wanted).filter(
    (member) => member.kind !== "relation" || takesAnything({ model, resource, member, path: [] }),
  )
}

/** The relation that leads back from records nested in `relation`, when the target holds the foreign key. */
export function backFrom(model: Model, resource: Resource, { relation }: RelationMember): ToOne | undefined {
  const own = relation.kind === "one" ? relation.reference !== undefined : relation.through !== undefined
  return own ? undefined : backOf(model, resource, relation)
}

function allMembers(model: Model, resource: Resource, { action, back }: Wanted): readonly InputMember[] {
  const members = [...(inputMembers(model, resource, action)?.values() ?? [])]
  return members.filter((member) => !("relation" in member) || member.relation.name !== back?.name)
}

interface RelationSpot {
  readonly model: Model
  readonly resource: Resource
  readonly member: RelationMember
  /** Inputs that this one is asked for. */
  readonly path: readonly string[]
}

const takesAnything = (spot: RelationSpot): boolean => spot.member.verbs.some((verb) => takesVerb(spot, verb))

/** A relation back to the same record is left out. */
function takesVerb({ model, resource, member, path }: RelationSpot, verb: Verb): boolean {
  if (verb !== "create" && verb !== "update") return true
  const target = present(model.resources.get(member.relation.target), `no resource ${member.relation.target}`)
  const back = verb === "create" ? backFrom(model, resource, member) : undefined
  const input = JSON.stringify([target.name, verb, back?.name])
  if (path.includes(input)) return true
  return allMembers(model, target, { action: verb, back }).some(
    (inner) =>
      inner.kind !== "relation" ||
      takesAnything({ model, resource: target, member: inner, path: [...path, input] }),
  )
}
