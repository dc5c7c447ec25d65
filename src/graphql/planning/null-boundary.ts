// Whether a null for a stored value that cannot be shown stays within a payload of several records. A null that reached the
// payload would make `data` null as if nothing had been done, and so the write is not done.
import { present } from "../../base/invariant.ts"
import type { Model, Resource } from "../../model/model.ts"
import { targetOf } from "../../plan/lookup.ts"
import type { ListMember, Member } from "../../plan/read-plan.ts"

interface Of {
  readonly model: Model
  readonly resource: Resource
}

/** In the schema, to-one records may be null, and lists and their records may not. */
export function isNullBoundary(of: Of, members: readonly ListMember[]): boolean {
  return members.every((member) => isHeldInList(of, member))
}

function isHeldInList(of: Of, member: ListMember): boolean {
  switch (member.kind) {
    case "rows":
      return member.members.every((inner) => isHeld(of, inner))
    case "object":
      return isNullBoundary(of, member.members)
    case "page":
    case "total":
    case "constant":
      return true
    case "aggregate":
    case "groups":
      return false
  }
}

function isHeld(of: Of, member: Member): boolean {
  const { model, resource } = of
  switch (member.kind) {
    case "field":
      return present(resource.fields.get(member.field), "a member is of its resource").optional
    case "reference":
      return isOptional(resource, member.relation)
    case "id":
      return hasPlainKey(resource)
    case "object":
      return member.members.every((inner) => isHeld(of, inner))
    case "many":
      return isNullBoundary(
        { model, resource: targetOf(model, resource, member.relation) },
        member.list.members,
      )
    case "version":
    case "one":
    case "secret":
    case "transitions":
    case "computed":
    case "cursor":
    case "constant":
      return true
  }
}

/** Its values are there and have a form, whatever is stored. */
const hasPlainKey = ({ key }: Resource): boolean =>
  key?.parts.every(({ scalar, stored }) => scalar !== "date" && stored !== "loose") ?? false

function isOptional({ relations }: Resource, name: string): boolean {
  const relation = present(relations.get(name), "a member is of its resource")
  return relation.kind === "one" && relation.optional
}
