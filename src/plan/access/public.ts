// Answers that caches may keep (`cache: { public }`): every caller has to read the same, or one caller's answer would be shown to
// another. The first half looks at a service's rules when it is opened, the second at the plan of a request.
import { withArticle } from "../../base/article.ts"
import { match } from "../../base/match.ts"
import type { Problems } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import { resourceNamed, targetOf } from "../lookup.ts"
import type { Plan } from "../plan.ts"
import type {
  Filter,
  Groups,
  Keyset,
  List,
  ListMember,
  Member,
  OrderTerm,
  Page,
  RecordRoot,
  Root,
  Slot,
} from "../read-plan.ts"
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
    found.push({ why: `nobody may read ${withArticle(name)}`, hint: "say `allow: { read: anyone }`" })
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
function isSameForAll(rule: Rule): boolean {
  switch (rule.kind) {
    case "and":
    case "or":
      return rule.of.every(isSameForAll)
    case "not":
      return isSameForAll(rule.of)
    case "signedIn":
    case "role":
    case "scope":
      return false
    case "records":
      return !rule.viewer
  }
}

/** A resource of the plan, by the relations that lead to it. */
interface Spot {
  readonly model: Model
  readonly resource: Resource
  /** Told of each resource that the answer depends on. */
  readonly visit: (resource: Resource) => boolean
}

/**
 * Seconds for which a cache may show the answer to any caller: the smallest number that a resource of the plan allows.
 * Undefined unless everything that the answer depends on is the same for all callers.
 */
export function publicFor(plan: Plan): number | undefined {
  if (plan.kind === "write" || plan.roots.length === 0) return undefined
  const { model } = plan
  let seconds = Number.POSITIVE_INFINITY
  const visit = (resource: Resource): boolean => {
    seconds = Math.min(seconds, resource.publicFor ?? 0)
    return seconds > 0
  }
  return plan.roots.every((root) => isPublicRoot(model, visit, root)) ? seconds : undefined
}

function isPublicRoot(model: Model, visit: Spot["visit"], root: Root): boolean {
  return match(root, {
    record: (record) => isPublicRecord(model, visit, record),
    records: ({ of }) => of.every((one) => one.kind === "record" && isPublicRecord(model, visit, one)),
    list: ({ resource, list }) => {
      const spot = { model, visit, resource: resourceNamed(model, resource) }
      return visit(spot.resource) && isPublicList(spot, list)
    },
    // The caller.
    object: () => false,
    // A record of a type that some callers do not see, the caller, or a page of events.
    constant: () => false,
  })
}

function isPublicRecord(
  model: Model,
  visit: Spot["visit"],
  { resource, by, image, members }: RecordRoot,
): boolean {
  const spot = { model, visit, resource: resourceNamed(model, resource) }
  return (
    image === undefined &&
    visit(spot.resource) &&
    by.every((one) => isOwnSlot(model, one)) &&
    arePublic(spot, members)
  )
}

const arePublic = (spot: Spot, members: readonly Member[]): boolean =>
  members.every((member) => isPublicMember(spot, member))

function isPublicMember(spot: Spot, member: Member): boolean {
  return match(member, {
    id: () => true,
    field: () => true,
    reference: () => true,
    version: () => true,
    cursor: () => true,
    constant: () => true,
    one: ({ relation, members }) => through(spot, relation, (inner) => arePublic(inner, members)),
    many: ({ relation, list }) => through(spot, relation, (inner) => isPublicList(inner, list)),
    object: ({ members }) => arePublic(spot, members),
    // User code is given the caller.
    computed: () => false,
    transitions: () => false,
    secret: () => false,
  })
}

function through(spot: Spot, relation: string, look: (spot: Spot) => boolean): boolean {
  const resource = targetOf(spot.model, spot.resource, relation)
  return spot.visit(resource) && look({ ...spot, resource })
}

function isPublicList(spot: Spot, { where, order, page, members }: List): boolean {
  return (
    (where === undefined || isPublicFilter(spot, where)) &&
    order.every((term) => isPublicOrder(spot, term)) &&
    isPublicPage(spot.model, page) &&
    members.every((member) => isPublicListMember(spot, member))
  )
}

function isPublicListMember(spot: Spot, member: ListMember): boolean {
  return match(member, {
    rows: ({ members }) => arePublic(spot, members),
    page: () => true,
    total: () => true,
    aggregate: () => true,
    groups: ({ groups }) => isPublicGroups(spot, groups),
    object: ({ members }) => members.every((one) => isPublicListMember(spot, one)),
    constant: () => true,
  })
}

const isPublicGroups = ({ model }: Spot, { limit }: Groups): boolean => isOwnSlot(model, limit)

function isPublicOrder(spot: Spot, { path }: OrderTerm): boolean {
  const [relation, ...others] = path
  if (relation === undefined) return true
  return through(spot, relation, (inner) =>
    isPublicOrder(inner, { path: others, subject: { kind: "id" }, descending: false }),
  )
}

function isPublicPage(model: Model, { limit, after, before }: Page): boolean {
  const isOwn = (keyset: Keyset | undefined): boolean =>
    keyset === undefined || keyset.every((slot) => slot === null || isOwnSlot(model, slot))
  return isOwnSlot(model, limit) && isOwn(after) && isOwn(before)
}

function isPublicFilter(spot: Spot, filter: Filter): boolean {
  return match(filter, {
    and: ({ of }) => of.every((one) => isPublicFilter(spot, one)),
    or: ({ of }) => of.every((one) => isPublicFilter(spot, one)),
    not: ({ of }) => isPublicFilter(spot, of),
    compare: ({ operand }) => isOwnSlot(spot.model, operand),
    isNull: () => true,
    related: ({ relation, of }) => through(spot, relation, (inner) => isPublicFilter(inner, of)),
    quantified: ({ relation, of }) => through(spot, relation, (inner) => isPublicFilter(inner, of)),
    together: () => false,
    settled: () => false,
  })
}

/** A value that the request gave: the first slots are those of rules, with the key of the viewer's record. */
const isOwnSlot = ({ audience, seats }: Model, { slot, viewer }: Slot): boolean =>
  viewer === undefined && slot >= (audience?.seats ?? seats ?? []).length
