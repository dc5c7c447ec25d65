// Whether an answer reads the table of its record only in the record's own row. If so, a statement that writes the row can
// answer for it. A statement does not see its own effect on the table (PostgreSQL documentation, section 7.8.4).
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import { isFormerRelation } from "../../model/former-fields.ts"
import type { Model, Resource, TableName } from "../../model/model.ts"
import {
  type PlacedFilter,
  partsIn,
  placedParts,
  type Selected,
  selectedIn,
  withoutObjects,
} from "../../plan/fold.ts"
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
import type { Filter, List, Member, RecordRoot } from "../../plan/read-plan.ts"

/** No relation is followed, and no rule looks anywhere. */
export const isOfRowAlone = (
  model: Model,
  { resource, members }: Pick<RecordRoot, "resource" | "members">,
): boolean =>
  withoutObjects(members).every((member) => {
    switch (member.kind) {
      case "one":
      case "many":
      case "transitions":
        return false
      case "reference":
        return !isFormerRelation(relationNamed(resourceNamed(model, resource), member.relation))
      case "field":
        return relationsOf(model, resource, member.field).length === 0
      case "computed":
        return needsRelations(model, resource, member.field).length === 0
      default:
        return true
    }
  })

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

export function readsSeparately(model: Model, record: RecordRoot): boolean {
  const own = resourceNamed(model, record.resource)
  const written = { model, table: own.table }
  return rulesStay(written, own) && selectedIn(model, [record]).every((one) => stays(written, one))
}

interface Written {
  readonly model: Model
  readonly table: TableName
}

const stays = (written: Written, one: Selected): boolean =>
  match(one, {
    constant: () => true,
    record: () => true,
    list: ({ resource, list }) =>
      (!list.where || partsIn(list.where).every((part) => filterStays(resource, part))) &&
      !hasRelationsBehind(written.model, resource) &&
      list.order.every(({ path, subject }) => path.length === 0 && isOwn(resource, subject)),
    member: ({ resource, member }) => memberStays(written, resource, member),
    listMember: ({ resource, member }) =>
      member.kind !== "groups" || member.groups.by.every((subject) => isOwn(resource, subject)),
    aggregate: () => true,
  })

function memberStays(written: Written, resource: Resource, member: Member): boolean {
  switch (member.kind) {
    case "one":
    case "many":
      return isReached(written, resource, member.relation)
    case "reference":
      return (
        !isFormerRelation(relationNamed(resource, member.relation)) ||
        isReached(written, resource, member.relation)
      )
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

/** Neither the way, nor a rule on it, leads into the table that is written. */
function isReached({ model, table }: Written, resource: Resource, name: string): boolean {
  const relation = relationNamed(resource, name)
  // The same statement logs the write.
  if (relation.kind === "many" && relation.history) return false
  const target = resourceNamed(model, relation.target)
  // An expression that orders the rows may count or sum the written ones.
  if (isFormerRelation(relation) && hasRelationsBehind(model, target)) return false
  return !isSameTable(target.table, table) && rulesStay({ model, table }, target)
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
  return rules.every(
    (rule) =>
      !rule || placedParts(whole, resourceNamed(whole, name), rule).every((part) => ruleStays(looking, part)),
  )
}

interface Looking {
  readonly whole: Model
  readonly table: TableName
  /** The viewer's record is in the table. */
  readonly viewer: boolean
}

function ruleStays(looking: Looking, { filter, resource }: PlacedFilter): boolean {
  const { whole, table, viewer } = looking
  const leadsElsewhere = ({ relation }: { readonly relation: string }): boolean =>
    !isSameTable(targetOf(whole, resource, relation).table, table)
  return match(filter, {
    ...{ and: () => true, or: () => true, not: () => true, together: () => true, settled: () => true },
    compare: ({ subject, operand }) =>
      (operand.viewer === undefined || !viewer) && subjectStays(looking, resource, subject),
    isNull: ({ subject }) => subjectStays(looking, resource, subject),
    related: leadsElsewhere,
    quantified: leadsElsewhere,
  })
}

const subjectStays = ({ whole, table }: Looking, resource: Resource, subject: Subject): boolean =>
  subject.kind !== "field" ||
  relationsBehind(whole, resource, fieldNamed(resource, subject.field)).every(
    (one) => !isSameTable(targetOf(whole, one.resource, one.relation).table, table),
  )

const isOwn = (resource: Resource, subject: List["order"][number]["subject"]): boolean =>
  subject.kind !== "reference" || !isFormerRelation(relationNamed(resource, subject.relation))

/** A field that counts or sums may depend on the written rows. */
const hasRelationsBehind = (model: Model, { name, fields }: Resource): boolean =>
  [...fields.values()].some(
    ({ name: field, computed }) => computed && relationsOf(model, name, field).length > 0,
  )

/** Conditions on relations are taken to lead anywhere. */
const filterStays = (resource: Resource, filter: Filter): boolean =>
  match(filter, {
    ...{ and: () => true, or: () => true, not: () => true, together: () => true, settled: () => true },
    compare: ({ subject }) => isOwn(resource, subject),
    isNull: ({ subject }) => isOwn(resource, subject),
    related: () => false,
    quantified: () => false,
  })
