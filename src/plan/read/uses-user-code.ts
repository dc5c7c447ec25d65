// Whether a plan selects a field that user code gives: a computed one, or one of an older version.
import { present } from "../../base/invariant.ts"
import type { Model, Resource } from "../../model/model.ts"
import { resourceNamed, targetOf } from "../lookup.ts"
import { answersModel, type Plan } from "../plan.ts"
import type { List, ListMember, Member, Root } from "../read-plan.ts"
import type { WritePlan } from "../write-plan.ts"

export const answersUserCode = (plan: Plan): boolean => hasMember(plan, isByCode)

const isByCode: Is = (member, { fields }) =>
  member.kind === "computed" || (member.kind === "field" && fields.get(member.field)?.byCode === true)

type Is = (member: Member, resource: Resource) => boolean

/** Whether an older version's list of written records has values of user code that must not be missing. */
export const needsFormerValues = ({ steps, ...plan }: WritePlan): boolean =>
  steps.some(
    (step) =>
      !step.nulls &&
      step.answer.kind === "list" &&
      hasMember(
        { ...plan, steps: [step] },
        (member, resource) => member.kind === "field" && isByCode(member, resource),
      ),
  )

/** Whether a plan selects the changes of a history entry, or a field with their name. */
export const tellsChanges = (plan: Plan): boolean =>
  hasMember(plan, (member) => member.kind === "field" && member.field === "changes")

function hasMember(plan: Plan, is: Is): boolean {
  const model = answersModel(plan)
  const ofRoot = (root: Root): boolean => {
    switch (root.kind) {
      case "record":
        return someMember({ model, is }, resourceNamed(model, root.resource), root.members)
      case "list":
        return someOfList({ model, is }, resourceNamed(model, root.resource), root.list.members)
      case "records":
      case "object":
        return root.of.some(ofRoot)
      case "constant":
        return false
    }
  }
  if (plan.kind === "read") return plan.roots.some(ofRoot)
  return plan.steps.some(
    ({ answer, call }) =>
      ofRoot(answer) || call?.gives.some((given) => given.kind === "record" && ofRoot(given)),
  )
}

interface Seeking {
  readonly model: Model
  readonly is: Is
}

function someMember(seeking: Seeking, resource: Resource, members: readonly Member[]): boolean {
  const { model, is } = seeking
  return members.some((member) => {
    if (is(member, resource)) return true
    switch (member.kind) {
      case "object":
        return someMember(seeking, resource, member.members)
      case "one":
        return someMember(seeking, targetOf(model, resource, member.relation), member.members)
      case "many":
        return someOfList(seeking, targetOf(model, resource, member.relation), member.list.members)
      default:
        return false
    }
  })
}

const someOfList = (seeking: Seeking, resource: Resource, members: readonly ListMember[]): boolean =>
  members.some((member) =>
    member.kind === "rows"
      ? someMember(seeking, resource, member.members)
      : member.kind === "object" && someOfList(seeking, resource, member.members),
  )

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
