// Whether a plan selects a field computed by user code.
import { present } from "../../base/invariant.ts"
import type { Model, Resource } from "../../model/model.ts"
import { targetOf } from "../lookup.ts"
import type { Plan } from "../plan.ts"
import type { List, ListMember, Member, Root } from "../read-plan.ts"

export const answersUserCode = (plan: Plan): boolean => hasMember(plan, ({ kind }) => kind === "computed")

/** Whether a plan selects the changes of a history entry, or a field with their name. */
export const tellsChanges = (plan: Plan): boolean =>
  hasMember(plan, (member) => member.kind === "field" && member.field === "changes")

function hasMember(plan: Plan, is: (member: Member) => boolean): boolean {
  const ofRoot = (root: Root): boolean => {
    switch (root.kind) {
      case "record":
        return root.members.some(ofMember)
      case "list":
        return root.list.members.some(ofListMember)
      case "records":
      case "object":
        return root.of.some(ofRoot)
      case "constant":
        return false
    }
  }
  const ofMember = (member: Member): boolean => {
    if (is(member)) return true
    if (member.kind === "one" || member.kind === "object") return member.members.some(ofMember)
    return member.kind === "many" && member.list.members.some(ofListMember)
  }
  const ofListMember = (member: ListMember): boolean =>
    member.kind === "rows"
      ? member.members.some(ofMember)
      : member.kind === "object" && member.members.some(ofListMember)
  if (plan.kind === "read") return plan.roots.some(ofRoot)
  return plan.steps.some(
    ({ answer, call }) =>
      ofRoot(answer) || call?.gives.some((given) => given.kind === "record" && ofRoot(given)),
  )
}

/** A required field computed by user code: its failure makes the whole record null. */
export function neededField(
  model: Model,
  resource: Resource,
  members: readonly Member[],
): string | undefined {
  for (const member of members) {
    const found =
      member.kind === "computed"
        ? neededName(resource, member.field)
        : member.kind === "object"
          ? neededField(model, resource, member.members)
          : member.kind === "many"
            ? neededOfList(model, targetOf(model, resource, member.relation), member.list.members)
            : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const neededName = ({ computed }: Resource, name: string): string | undefined =>
  present(computed?.get(name), `user code computes ${name}`).field.optional ? undefined : name

function neededOfList(model: Model, resource: Resource, members: List["members"]): string | undefined {
  for (const member of members) {
    const found =
      member.kind === "rows"
        ? neededField(model, resource, member.members)
        : member.kind === "object"
          ? neededOfList(model, resource, member.members)
          : undefined
    if (found !== undefined) return found
  }
  return undefined
}
