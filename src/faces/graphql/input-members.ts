// The members that an input type has: of what writes take (plan/inputs.ts) all that there is anything to say to, since
// an input type without fields is none.
import { present } from "../../base/invariant.ts"
import type { Model, Resource, ToOne } from "../../model/model.ts"
import { type Action, backOf, type InputMember, inputMembers, type Verb } from "../../plan/inputs.ts"

export interface Wanted {
  readonly action: Action
  /** The relation to the record around this one: nobody has to say where it leads. */
  readonly back?: ToOne | undefined
}

export type RelationMember = Extract<InputMember, { readonly kind: "relation" }>

/** In the order of the declaration; none when the resource has no such input. */
export function givenMembers(model: Model, resource: Resource, wanted: Wanted): readonly InputMember[] {
  return allMembers(model, resource, wanted).filter(
    (member) => member.kind !== "relation" || takesAnything(model, resource, member),
  )
}

/** The relation that leads back from what is nested in `relation`, when it is the target that holds the foreign key. */
export function backFrom(model: Model, resource: Resource, { relation }: RelationMember): ToOne | undefined {
  const own = relation.kind === "one" ? relation.reference !== undefined : relation.through !== undefined
  return own ? undefined : backOf(model, resource, relation)
}

function allMembers(model: Model, resource: Resource, { action, back }: Wanted): readonly InputMember[] {
  const members = [...(inputMembers(model, resource, action)?.values() ?? [])]
  return members.filter((member) => member.kind === "field" || member.relation.name !== back?.name)
}

function takesAnything(model: Model, resource: Resource, member: RelationMember): boolean {
  return member.verbs.some((verb) => takesVerb(model, resource, member, verb))
}

/** It ends, since only keys that hold keys keep it going. */
function takesVerb(model: Model, resource: Resource, member: RelationMember, verb: Verb): boolean {
  if (verb !== "create" && verb !== "update") return true
  const target = present(model.resources.get(member.relation.target), `no resource ${member.relation.target}`)
  const back = verb === "create" ? backFrom(model, resource, member) : undefined
  const members = allMembers(model, target, { action: verb, back })
  return members.some((inner) => inner.kind !== "relation" || takesAnything(model, target, inner))
}
