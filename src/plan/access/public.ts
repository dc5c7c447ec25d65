// Answers that caches may keep (`cache: { public }`): every caller has to read the same, or one caller's answer would be shown to
// another. The first half looks at a service's rules when it is opened, the second at the plan of a request.
import { withArticle } from "../../base/article.ts"
import { match } from "../../base/match.ts"
import type { Problems } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import { partsIn, placedParts, type Selected, selectedIn } from "../fold.ts"
import { endOf, targetOf } from "../lookup.ts"
import type { Plan } from "../plan.ts"
import type { Filter, Member, Slot } from "../read-plan.ts"
import type { Grant, ResourceRules, Rule } from "./policy-types.ts"

/** Adds a mistake for each thing that one caller sees of a public resource and another does not. */
export function refusePrivate(
  model: Model,
  rules: ReadonlyMap<string, ResourceRules>,
  problems: Problems,
): void {
  for (const resource of model.resources.values()) {
    const own = rules.get(resource.name)
    if (resource.publicFor === undefined || !own) continue
    for (const { why, hint } of differences(resource, own, rules))
      problems.add(
        "invalid_declaration",
        ["resources", resource.name, "cache"],
        `Caches would show one caller's answer to another: ${why}.`,
        `Leave out \`cache\`, or ${hint}.`,
      )
  }
}

interface Difference {
  readonly why: string
  readonly hint: string
}

function differences(
  { name, relations }: Resource,
  { actions: { read }, fields }: ResourceRules,
  rules: ReadonlyMap<string, ResourceRules>,
): readonly Difference[] {
  const found: Difference[] = []
  if (read.length === 0)
    found.push({ why: `no caller may read ${withArticle(name)}`, hint: "say `allow: { read: anyone }`" })
  else if (!read.some(isGrantForAll) && !read.every(({ rule }) => isSameForAll(rule)))
    found.push({
      why: `which records of ${name} are read depends on the caller`,
      hint: "give `allow.read` no role, no scope, no `signedIn` and no `viewer`",
    })
  for (const [field, { read: rule }] of fields)
    if (rule && !isSameForAll(rule))
      found.push({
        why: `whether \`${field}\` of ${name} is shown depends on the caller`,
        hint: `give \`read\` of \`${field}\` no role, no scope, no \`signedIn\` and no \`viewer\``,
      })
  for (const relation of relations.values()) {
    if (relation.kind !== "one" || relation.reference === undefined) continue
    // The id of the target comes with the record, for callers that may see some target at all.
    const target = rules.get(relation.target)?.actions.read ?? []
    if (!target.some(({ rule }) => isSameForAll(rule)))
      found.push({
        why: `\`${relation.reference}\` comes with ${withArticle(name)}, and some callers read no ${relation.target}`,
        hint: `let anyone read some records of ${relation.target}`,
      })
  }
  return found
}

const isGrantForAll = ({ rule, fields }: Grant): boolean =>
  fields === undefined && rule.kind === "and" && rule.of.length === 0

/** A rule about records alone: it holds, or does not, for all callers alike. */
const isSameForAll = (rule: Rule): boolean =>
  partsIn(rule).every((part) =>
    part.kind === "records" ? !part.viewer : part.kind === "and" || part.kind === "or" || part.kind === "not",
  )

/**
 * Seconds for which a cache may show the answer to any caller: the smallest number that a resource of the plan allows.
 * Undefined unless everything that the answer depends on is known to be the same for all callers.
 */
export function publicFor(plan: Plan): number | undefined {
  if (plan.kind === "write" || plan.roots.length === 0) return undefined
  const { model, roots } = plan
  // The caller.
  if (roots.some(({ kind }) => kind === "object")) return undefined
  let seconds = Number.POSITIVE_INFINITY
  const visit = (resource: Resource): boolean => {
    seconds = Math.min(seconds, resource.publicFor ?? 0)
    return seconds > 0
  }
  return selectedIn(model, roots).every((one) => isPublic(model, visit, one)) ? seconds : undefined
}

/** Told of each resource that the answer depends on. */
type Visit = (resource: Resource) => boolean

const isPublic = (model: Model, visit: Visit, selected: Selected): boolean =>
  match(selected, {
    // A record of a type that some callers do not see, the caller, or a page of events.
    constant: () => false,
    record: ({ record: { by, image }, resource }) =>
      image === undefined && visit(resource) && by.every((one) => isOwnSlot(model, one)),
    list: ({ resource, list: { where, order, page } }) =>
      visit(resource) &&
      (where === undefined || isPublicFilter(model, visit, resource, where)) &&
      order.every(({ path }) =>
        path.every((_, at) => visit(endOf(model, resource, path.slice(0, at + 1)))),
      ) &&
      [page.limit, ...(page.after ?? []), ...(page.before ?? [])].every(
        (slot) => slot === null || isOwnSlot(model, slot),
      ),
    member: ({ resource, member }) => isPublicMember(model, visit, resource, member),
    listMember: ({ member }) =>
      match(member, {
        ...{ rows: () => true, page: () => true, total: () => true, aggregate: () => true },
        ...{ object: () => true, constant: () => true },
        groups: ({ groups }) => isOwnSlot(model, groups.limit),
      }),
    aggregate: () => true,
  })

function isPublicMember(model: Model, visit: Visit, resource: Resource, member: Member): boolean {
  return match(member, {
    ...{ id: () => true, field: () => true, reference: () => true, version: () => true },
    ...{ cursor: () => true, constant: () => true, many: () => true, object: () => true },
    one: ({ relation }) => visit(targetOf(model, resource, relation)),
    // User code is given the caller.
    computed: () => false,
    transitions: () => false,
    secret: () => false,
  })
}

function isPublicFilter(model: Model, visit: Visit, of: Resource, where: Filter): boolean {
  return placedParts(model, of, where).every(({ filter, resource }) =>
    match(filter, {
      ...{ and: () => true, or: () => true, not: () => true, isNull: () => true },
      compare: ({ operand }) => isOwnSlot(model, operand),
      related: ({ relation }) => visit(targetOf(model, resource, relation)),
      quantified: ({ relation }) => visit(targetOf(model, resource, relation)),
      together: () => false,
      settled: () => false,
    }),
  )
}

/** A value that the request gave: the first slots belong to rules, with the key of the viewer's record. */
const isOwnSlot = ({ audience, seats }: Model, { slot, viewer }: Slot): boolean =>
  viewer === undefined && slot >= (audience?.seats ?? seats ?? []).length
