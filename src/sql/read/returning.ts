// Whether an answer reads the table of its record only in the record's own row: then a statement that writes the row can
// answer for it, although it does not see its own effect on the table (PostgreSQL documentation, section 7.8.4).
import { present } from "../../base/invariant.ts"
import type { Subject } from "../../model/condition.ts"
import { isFormerRelation } from "../../model/former-fields.ts"
import type { Model, Resource, TableName } from "../../model/model.ts"
import {
  fieldNamed,
  isSameTable,
  relationNamed,
  resourceNamed,
  targetOf,
  transitionsOf,
  wholeField,
  wholeOf,
} from "../../plan/lookup.ts"
import { relationsBehind } from "../../plan/read/computed.ts"
import type { Filter, List, ListMember, Member, RecordRoot } from "../../plan/read-plan.ts"

/** No relation is followed, and no rule looks anywhere. */
export function isOfRowAlone(model: Model, { resource, members }: Answered): boolean {
  return members.every((member) => {
    switch (member.kind) {
      case "one":
      case "many":
      case "transitions":
        return false
      case "reference":
        return !isFormerRelation(relationNamed(resourceNamed(model, resource), member.relation))
      case "object":
        return isOfRowAlone(model, { resource, members: member.members })
      case "field":
        return relationsOf(model, resource, member.field).length === 0
      case "computed":
        return needsRelations(model, resource, member.field).length === 0
      default:
        return true
    }
  })
}

type Answered = Pick<RecordRoot, "resource" | "members">

function relationsOf(model: Model, resource: string, field: string): ReturnType<typeof relationsBehind> {
  const whole = wholeOf(model)
  const own = resourceNamed(whole, resource)
  return relationsBehind(whole, own, wholeField(model, own, field))
}

/** For members that user code needs. */
function needsRelations(model: Model, resource: string, name: string): ReturnType<typeof relationsBehind> {
  const { needs } = present(resourceNamed(model, resource).computed?.get(name), `user code computes ${name}`)
  const whole = wholeOf(model)
  const { fields } = resourceNamed(whole, resource)
  return needs.filter((need) => fields.has(need)).flatMap((need) => relationsOf(whole, resource, need))
}

export function readsSeparately(model: Model, { resource: name, members }: RecordRoot): boolean {
  const own = present(model.resources.get(name), `the model has the resource ${name}`)
  const written = { model, table: own.table }
  return rulesStay(written, own) && members.every((member) => memberStays(written, own, member))
}

interface Written {
  readonly model: Model
  readonly table: TableName
}

function memberStays(written: Written, resource: Resource, member: Member): boolean {
  switch (member.kind) {
    case "object":
      return member.members.every((inner) => memberStays(written, resource, inner))
    case "one": {
      const target = reached(written, resource, member.relation)
      return target !== undefined && member.members.every((inner) => memberStays(written, target, inner))
    }
    case "reference":
      return (
        !isFormerRelation(relationNamed(resource, member.relation)) ||
        reached(written, resource, member.relation) !== undefined
      )
    case "many": {
      const target = reached(written, resource, member.relation)
      return target !== undefined && listStays(written, target, member.list)
    }
    case "transitions": {
      const asked = transitionsOf(resource).flatMap(({ access }) => [access?.allow, access?.when])
      return rulesStay(written, resource, asked)
    }
    case "field":
      return relationsOf(written.model, resource.name, member.field).length === 0
    case "computed":
      return needsRelations(written.model, resource.name, member.field).length === 0
    default:
      return true
  }
}

/** Undefined when the way, or a rule on it, leads into the table that is written. */
function reached(written: Written, resource: Resource, name: string): Resource | undefined {
  const { model, table } = written
  const relation = present(resource.relations.get(name), `${resource.name} has the relation ${name}`)
  // The same statement logs the write.
  if (relation.kind === "many" && relation.history) return undefined
  const target = present(model.resources.get(relation.target), `the model has ${relation.target}`)
  // What is ordered by may count or sum the written rows.
  if (isFormerRelation(relation) && hasRelationsBehind(model, target)) return undefined
  return isSameTable(target.table, table) || !rulesStay(written, target) ? undefined : target
}

/** Rules that read the written table would see it as it was. */
function rulesStay(
  { model, table }: Written,
  { name, access, fields }: Resource,
  rules = [access?.read, ...[...fields.values()].map(({ seen }) => seen)],
): boolean {
  const whole = wholeOf(model)
  const viewer = whole.viewer === undefined ? undefined : whole.resources.get(whole.viewer)
  const looking = { whole, table, viewer: viewer !== undefined && isSameTable(viewer.table, table) }
  return rules.every((rule) => !rule || ruleStays(looking, resourceNamed(whole, name), rule))
}

interface Looking {
  readonly whole: Model
  readonly table: TableName
  /** The viewer's record is in the table. */
  readonly viewer: boolean
}

function ruleStays(looking: Looking, resource: Resource, rule: Filter): boolean {
  switch (rule.kind) {
    case "and":
    case "or":
      return rule.of.every((part) => ruleStays(looking, resource, part))
    case "not":
      return ruleStays(looking, resource, rule.of)
    case "compare":
      return (rule.operand.viewer === undefined || !looking.viewer) && subjectStays(looking, resource, rule)
    case "isNull":
      return subjectStays(looking, resource, rule)
    case "related":
    case "quantified": {
      const target = targetOf(looking.whole, resource, rule.relation)
      return !isSameTable(target.table, looking.table) && ruleStays(looking, target, rule.of)
    }
    case "together":
    case "settled":
      return true
  }
}

const subjectStays = (
  { whole, table }: Looking,
  resource: Resource,
  { subject }: { readonly subject: Subject },
): boolean =>
  subject.kind !== "field" ||
  relationsBehind(whole, resource, fieldNamed(resource, subject.field)).every(
    (one) => !isSameTable(targetOf(whole, one.resource, one.relation).table, table),
  )

function listStays(written: Written, resource: Resource, { where, order, members }: List): boolean {
  return (
    (!where || filterStays(resource, where)) &&
    !hasRelationsBehind(written.model, resource) &&
    order.every(({ path, subject }) => path.length === 0 && isOwn(resource, subject)) &&
    members.every((member) => listMemberStays(written, resource, member))
  )
}

const isOwn = (resource: Resource, subject: List["order"][number]["subject"]): boolean =>
  subject.kind !== "reference" || !isFormerRelation(relationNamed(resource, subject.relation))

/** A field that counts or sums may depend on the written rows. */
const hasRelationsBehind = (model: Model, { name, fields }: Resource): boolean =>
  [...fields.values()].some(
    ({ name: field, computed }) => computed && relationsOf(model, name, field).length > 0,
  )

/** Conditions on relations are taken to lead anywhere. */
function filterStays(resource: Resource, filter: Filter): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.every((part) => filterStays(resource, part))
    case "not":
      return filterStays(resource, filter.of)
    case "related":
    case "quantified":
      return false
    case "compare":
    case "isNull":
      return isOwn(resource, filter.subject)
    case "together":
    case "settled":
      return true
  }
}

function listMemberStays(written: Written, resource: Resource, member: ListMember): boolean {
  if (member.kind === "rows") return member.members.every((inner) => memberStays(written, resource, inner))
  if (member.kind === "object")
    return member.members.every((inner) => listMemberStays(written, resource, inner))
  if (member.kind === "groups") return member.groups.by.every((subject) => isOwn(resource, subject))
  return true
}
