// Whether what a plan compares is usual: equal to values that are about as frequent as others of their columns, so that
// the best way to the rows does not depend on them, and one that suits all values can be taken.
import type { Model, Relation, Resource } from "../../model/model.ts"
import { relationNamed, resourceNamed } from "../lookup.ts"
import type { ListMember, Member, ReadPlan, Root, Value } from "../read-plan.ts"
import { servedColumns } from "../selectivity.ts"
import {
  type Facts,
  type Frequencies,
  partsOf,
  type Statistics,
  type Subjected,
  tableKey,
  takesValues,
} from "./access-paths.ts"

/** A value, and how frequent such values are. */
interface Compared {
  readonly slot: number
  /** The column is the only part of a key. */
  readonly isKey: boolean
  readonly frequencies: Frequencies
}

/** For plans of one shape; what they compare is looked up with the first. */
export function createGenericPlan(statistics: Statistics): (plan: ReadPlan) => boolean {
  let compared: readonly Compared[] | "unknown" | undefined
  return (plan) => {
    compared ??= comparedBy(plan, statistics) ?? "unknown"
    return compared !== "unknown" && compared.every((one) => isUsual(plan, one))
  }
}

function isUsual({ values }: ReadPlan, { slot, isKey, frequencies }: Compared): boolean {
  const given = values[slot]
  const value = isKey && Array.isArray(given) ? (given as readonly Value[])[0] : given
  if (value === undefined || value === null || typeof value === "object") return false
  return frequencies.named.has(String(value)) === (frequencies.usual === "named")
}

/** Undefined where the way to the rows depends on more than that, or on no value at all. */
function comparedBy({ model, roots }: ReadPlan, statistics: Statistics): readonly Compared[] | undefined {
  const facts: Facts = { model, statistics, sizeAt: () => 1 }
  const compared: Compared[] = []
  for (const subjected of roots.flatMap((root) => listsOf(model, root))) {
    if (!takesValues(model, subjected)) continue
    const own = comparedIn(facts, subjected)
    if (!own) return undefined
    compared.push(...own)
  }
  return compared.length > 0 ? compared : undefined
}

/** Undefined where a condition is anything but that a column, of which it is known how frequent its values are, has one. */
function comparedIn(facts: Facts, { resource, list }: Subjected): readonly Compared[] | undefined {
  const compared: Compared[] = []
  for (const { resource: holder, conjunct } of partsOf(facts, resource, list.where)) {
    if (conjunct.kind !== "compare" || conjunct.operator !== "eq") return undefined
    const { subject, operand } = conjunct
    const [column, ...others] = servedColumns(holder, subject) ?? []
    const frequencies = column === undefined ? undefined : frequenciesOf(facts, holder, column)
    if (!frequencies || others.length > 0 || operand.viewer || operand.known !== undefined) return undefined
    compared.push({ slot: operand.slot, isKey: subject.kind !== "field", frequencies })
  }
  return compared
}

/** Not where the value itself is seen under a condition, which is one more. */
function frequenciesOf(
  { statistics }: Facts,
  { fields, table }: Resource,
  column: string,
): Frequencies | undefined {
  const isHidden = [...fields.values()].some((field) => field.column === column && field.seen)
  return isHidden ? undefined : statistics.get(tableKey(table))?.frequencies?.get(column)
}

function listsOf(model: Model, root: Root): readonly Subjected[] {
  switch (root.kind) {
    case "constant":
      return []
    case "record":
      return inMembers(model, resourceNamed(model, root.resource), root.members)
    case "records":
    case "object":
      return root.of.flatMap((one) => listsOf(model, one))
    case "list":
      return withNested(model, { resource: resourceNamed(model, root.resource), list: root.list })
  }
}

const withNested = (model: Model, subjected: Subjected): readonly Subjected[] => {
  const inList = (member: ListMember): readonly Subjected[] => {
    if (member.kind === "rows") return inMembers(model, subjected.resource, member.members)
    return member.kind === "object" ? member.members.flatMap(inList) : []
  }
  return [subjected, ...subjected.list.members.flatMap(inList)]
}

const inMembers = (model: Model, resource: Resource, members: readonly Member[]): readonly Subjected[] =>
  members.flatMap((member) => {
    if (member.kind === "object") return inMembers(model, resource, member.members)
    if (member.kind !== "one" && member.kind !== "many") return []
    const relation: Relation = relationNamed(resource, member.relation)
    const target = resourceNamed(model, relation.target)
    return member.kind === "one"
      ? inMembers(model, target, member.members)
      : withNested(model, { resource: target, list: member.list, owner: { resource, relation } })
  })
