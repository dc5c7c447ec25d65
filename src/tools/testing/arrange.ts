// Records that a test begins with, written as the service would write them: with its defaults and its checks.
import { withArticle } from "../../base/article.ts"
import type { Place } from "../../base/problem.ts"
import type { AnswerPlan } from "../../http/face.ts"
import { type CostLimits, mostOf } from "../../model/limits.ts"
import type { Model, Resource } from "../../model/model.ts"
import { everybodyOf } from "../../plan/access/actor.ts"
import { openModel } from "../../plan/access/visible-model.ts"
import { type Draft, type PlanContext, startDraft } from "../../plan/draft/draft.ts"
import { hintFor } from "../../plan/hints.ts"
import { readId } from "../../plan/values/ids.ts"
import { inputMembers } from "../../plan/write/inputs.ts"
import { type Effect, readCreate } from "../../plan/write/write.ts"
import type { Step } from "../../plan/write-plan.ts"

/**
 * Records by the names of their resources, each as the body of a POST. An `id` is allowed too, and so are fields that no
 * actor may write. Referenced records are made first.
 */
export type Records<Name extends string = string> = {
  readonly [Resource in Name]?: readonly Readonly<Record<string, unknown>>[]
}

/** Ids of the records that were made, in the order in which they were given. */
export type Ids<Name extends string = string> = { readonly [Resource in Name]?: readonly string[] }

/** The service for arranging a test: without permissions, read-only fields and limits of cost. */
export function arrangedModel(model: Model): Model {
  const settable = (resource: Resource): Resource => ({
    ...resource,
    needsVersion: false,
    fields: new Map(
      [...resource.fields].map(([name, field]) => [name, { ...field, readonly: false, immutable: false }]),
    ),
  })
  const resources = [...model.resources].map(([name, it]): [string, Resource] => [name, settable(it)])
  const limits = { ...model.limits, cost: unlimited, tiers: new Map() }
  return openModel({ ...model, limits, resources: new Map(resources) })
}

/** As much as a service may declare. */
const unlimited: CostLimits = {
  perRequest: mostOf("perRequest"),
  records: mostOf("records"),
  bytes: mostOf("bytes"),
}

/** In one transaction. Throws a Refusal with every mistake. @param context of an arranged model */
export async function addRecords(
  context: Required<PlanContext>,
  records: Records,
  answer: AnswerPlan,
): Promise<Ids> {
  const { model } = context
  const chosen = chosenIds(context)
  const draft = startDraft({ ...context, fresh: chosen.fresh })
  const resources = inOrder(draft, Object.keys(records))
  const steps = resources.flatMap((resource) =>
    (records[resource.name] ?? []).flatMap((record, index): readonly Step[] => {
      const place = [resource.name, index]
      const { id, ...others } = record
      const input = resource.key?.origin === "given" ? record : others
      chosen.next(id === undefined || input === record ? undefined : chosenKey(draft, resource, id, place))
      const effect = readCreate(draft, resource, { input, place })
      return effect ? [stepOf(resource, effect)] : []
    }),
  )
  const plan = draft.finishWrite(steps)
  const ids = steps.length === 0 ? [] : (await answer(plan, everybodyOf(model))).roots
  const made = new Map<string, string[]>(Object.keys(records).map((name) => [name, []]))
  for (const [index, { answer: root }] of steps.entries())
    if (root.kind === "record") made.get(root.resource)?.push(JSON.parse(String(ids[index])))
  return Object.fromEntries(made)
}

const stepOf = ({ name }: Resource, { writes, key }: Effect): Step => ({
  writes,
  answer: {
    kind: "record",
    key: "record",
    resource: name,
    by: [{ subject: { kind: "id" }, slot: key.slot }],
    members: [{ kind: "id", key: "id" }],
    bare: true,
  },
  reads: "after",
})

/** The first id that is made after `next` is the one that was chosen: a record's own comes before those nested in it. */
function chosenIds({ fresh }: Required<PlanContext>) {
  let chosen: string | undefined
  const take = (made: () => string): string => {
    const id = chosen ?? made()
    chosen = undefined
    return id
  }
  return {
    fresh: { ...fresh, id: () => take(fresh.id), uuid: () => take(fresh.uuid) },
    next(id: string | undefined): void {
      chosen = id
    },
  }
}

/** The part of an id that is made with the record; undefined when a problem was added. */
function chosenKey(draft: Draft, resource: Resource, id: unknown, place: Place): string | undefined {
  const [part] = (typeof id === "string" ? readId(resource, id) : undefined) ?? []
  const { key } = resource
  const made = key?.origin === "typeid" || (key?.origin === "database" && key.parts[0]?.scalar === "uuid")
  if (made && typeof part === "string" && part !== "") return part
  draft.problems.add(
    "invalid_value",
    [...place, "id"],
    `${withArticle(resource.name, "A")} cannot have the id ${JSON.stringify(id)}.`,
    made
      ? `Give one such as ${resource.prefix}_1, or none.`
      : "Leave it out: it follows from what else is in the record, or the database makes it.",
  )
  return undefined
}

/** Sorts records behind those that they refer to, else in the order in which they were given. */
function inOrder({ model, problems }: Draft, names: readonly string[]): readonly Resource[] {
  const order = new Set<Resource>()
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const resource = model.resources.get(name)
    if (!resource || !inputMembers(model, resource, "create")) {
      const hint = hintFor(name, model.resources.keys())
      const what = resource
        ? `Records of ${name} cannot be made.`
        : `There is no resource ${JSON.stringify(name)}.`
      problems.add("unknown_field", [name], what, resource ? undefined : hint)
      return
    }
    for (const relation of resource.relations.values())
      if (relation.kind === "one" && relation.reference !== undefined && names.includes(relation.target))
        visit(relation.target)
    order.add(resource)
  }
  for (const name of names) visit(name)
  return [...order]
}
