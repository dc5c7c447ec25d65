// Whether a plan selects a field that user code gives: a computed one, or one of an older version.
import { randomUUID } from "node:crypto"
import { present } from "../../base/invariant.ts"
import { textOf } from "../../base/json.ts"
import type { Place, Problem } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import { selectedIn } from "../fold.ts"
import { resourceNamed, targetOf } from "../lookup.ts"
import { isObject } from "../pending-key.ts"
import { markedJson } from "../placeholders.ts"
import { answersModel, answersOf, type Plan } from "../plan.ts"
import type { Answer, ListMember, Member } from "../read-plan.ts"
import type { Step, WritePlan } from "../write-plan.ts"

export const answersUserCode = (plan: Plan): boolean => hasMember(plan, isByCode)

const isByCode: Is = (member, { fields }) =>
  member.kind === "computed" || (member.kind === "field" && fields.get(member.field)?.byCode === true)

type Is = (member: Member, resource: Resource) => boolean

/**
 * Values of an older version in a step's answer that user code gives and that must not be missing. A null there would
 * replace the list of written records, and then the whole answer.
 */
export const neededFormerValues = (plan: WritePlan, { nulls, answer }: Step): readonly Needed[] =>
  nulls || answer.kind !== "list"
    ? []
    : neededOfList(
        {
          model: answersModel(plan),
          is: (member, { fields }) => {
            const field = member.kind === "field" ? fields.get(member.field) : undefined
            return field?.byCode === true && !field.optional
          },
        },
        resourceNamed(answersModel(plan), answer.resource),
        answer.list.members,
      )

/** Whether a plan selects the changes of a history entry, or a field with their name. */
export const tellsChanges = (plan: Plan): boolean =>
  hasMember(plan, (member) => member.kind === "field" && member.field === "changes")

const hasMember = (plan: Plan, is: Is): boolean =>
  selectedIn(answersModel(plan), answersOf(plan)).some(
    (one) => one.kind === "member" && is(one.member, one.resource),
  )

interface Seeking {
  readonly model: Model
  readonly is: Is
}

/** A value that must not be missing. */
interface Needed {
  readonly field: string
  /** Keys of the answer that lead to it; null for each element of a list. */
  readonly path: readonly (string | null)[]
}

/** A required field computed by user code: its failure makes the whole record null. */
export const neededField = (
  model: Model,
  resource: Resource,
  members: readonly Member[],
): string | undefined =>
  neededOf(
    {
      model,
      is: (member, { computed }) =>
        member.kind === "computed" &&
        !present(computed?.get(member.field), `user code computes ${member.field}`).field.optional,
    },
    resource,
    members,
  )[0]?.field

/** A related record may be null: a null does not pass beyond it. */
function neededOf(seeking: Seeking, resource: Resource, members: readonly Member[]): readonly Needed[] {
  return members.flatMap((member): readonly Needed[] => {
    if ("field" in member && seeking.is(member, resource))
      return [{ field: member.field, path: [member.key] }]
    if (member.kind === "object") return within([member.key], neededOf(seeking, resource, member.members))
    if (member.kind !== "many") return []
    const target = targetOf(seeking.model, resource, member.relation)
    return within([member.key], neededOfList(seeking, target, member.list.members))
  })
}

const neededOfList = (
  seeking: Seeking,
  resource: Resource,
  members: readonly ListMember[],
): readonly Needed[] =>
  members.flatMap((member): readonly Needed[] =>
    member.kind === "rows"
      ? within([member.key, null], neededOf(seeking, resource, member.members))
      : member.kind === "object"
        ? within([member.key], neededOfList(seeking, resource, member.members))
        : [],
  )

const within = (around: Needed["path"], needed: readonly Needed[]): readonly Needed[] =>
  needed.map(({ field, path }) => ({ field, path: [...around, ...path] }))

/** Failures of needed values in an answer, each with its place there. */
export function neededFailures(
  plan: WritePlan,
  { roots, failures = [] }: Pick<Answer, "roots" | "failures">,
): readonly Problem[] {
  if (failures.length === 0) return []
  const stand = randomUUID()
  return plan.steps.flatMap((step, at): readonly Problem[] => {
    const needed = neededFormerValues(plan, step)
    const root = roots[at] ?? null
    if (needed.length === 0 || root === null) return []
    const value: unknown = JSON.parse(markedJson(textOf(root), stand))
    return needed
      .flatMap(({ path }) => textsAt(value, path, [step.answer.key]))
      .filter(({ text }) => text.startsWith(stand))
      .map(({ text, place }) => {
        const { missing: _, ...problem } = present(
          failures[Number(text.slice(stand.length))],
          "a failure is told",
        )
        return { ...problem, place }
      })
  })
}

interface TextAt {
  readonly text: string
  readonly place: Place
}

function textsAt(value: unknown, [key, ...rest]: Needed["path"], place: Place): readonly TextAt[] {
  if (key === undefined) return typeof value === "string" ? [{ text: value, place }] : []
  if (key !== null) return isObject(value) ? textsAt(value[key], rest, [...place, key]) : []
  return Array.isArray(value) ? value.flatMap((one: unknown, at) => textsAt(one, rest, [...place, at])) : []
}
