// Conditions that name their records by key, by unique value or by reference, and so leave few rows of a table of any size.
// The Model and the condition's shape alone decide, since a statement depends on the result.
import type { Subject } from "../model/condition.ts"
import { isFormerRelation } from "../model/former-fields.ts"
import type { Model, Relation, Resource } from "../model/model.ts"
import { type ScalarName, type StoredForm, scalars } from "../model/scalars.ts"
import { fieldNamed, relationNamed, targetOf } from "./lookup.ts"
import type { Filter } from "./read-plan.ts"

/** `one`: at most one record; `few`: those that refer to a named record, or are on a list of such. */
type Narrowness = "one" | "few"

/** Undefined where the condition may well leave most of the table. */
export function narrowness(model: Model, resource: Resource, filter: Filter): Narrowness | undefined {
  const conjuncts = conjunctsOf(filter)
  const fixed = new Set(conjuncts.flatMap((conjunct) => fixedColumns(model, resource, conjunct)))
  const isFixed = (columns: readonly string[]): boolean =>
    columns.length > 0 && columns.every((column) => fixed.has(column))
  if (uniqueColumns(resource).some(isFixed)) return "one"
  const isFew =
    referenceColumns(resource).some(isFixed) || conjuncts.some((conjunct) => lists(model, resource, conjunct))
  return isFew ? "few" : undefined
}

export const conjunctsOf = (filter: Filter): readonly Filter[] =>
  filter.kind === "and" ? filter.of.flatMap(conjunctsOf) : [filter]

/** The columns that the condition gives one value each, where an index on them serves. */
export function fixedColumns(model: Model, resource: Resource, filter: Filter): readonly string[] {
  if (filter.kind === "compare")
    return filter.operator === "eq" ? (servedColumns(resource, filter.subject) ?? []) : []
  const target = semiJoined(model, resource, filter)
  return target?.narrowness === "one" ? target.columns : []
}

export interface SemiJoin {
  readonly relation: Relation
  /** The condition on the related record. */
  readonly of: Filter
  readonly narrowness: Narrowness
  /** Columns of the table at hand, compared with the found keys; empty where a join table stands between. */
  readonly columns: readonly string[]
}

/** A condition on related records that is narrow: they are found first, once, and then the rows that they belong to. */
export function semiJoined(model: Model, resource: Resource, filter: Filter): SemiJoin | undefined {
  if (filter.kind !== "related" && filter.kind !== "quantified") return undefined
  if (filter.kind === "quantified" && filter.quantifier !== "some") return undefined
  const relation = relationNamed(resource, filter.relation)
  // A record that meets the condition need not be the first.
  if (isFormerRelation(relation)) return undefined
  const { of } = filter
  const found = narrowness(model, targetOf(model, resource, filter.relation), of)
  if (found === undefined) return undefined
  const linked = relation.kind === "many" && relation.through !== undefined
  return linked
    ? { relation, of, narrowness: "few", columns: [] }
    : { relation, of, narrowness: found, columns: relation.join.map(({ from }) => from) }
}

/** One of several values of a key, a unique field or a reference; or related to one of a few records. */
function lists(model: Model, resource: Resource, filter: Filter): boolean {
  if (filter.kind !== "compare") return semiJoined(model, resource, filter) !== undefined
  return listsUnique(resource, filter) || listsOf(referenceColumns(resource), resource, filter)
}

/** One of several values of a key or a unique field: so it leaves no more records than it lists. */
export const listsUnique = (resource: Resource, filter: Filter): boolean =>
  listsOf(uniqueColumns(resource), resource, filter)

function listsOf(known: readonly (readonly string[])[], resource: Resource, filter: Filter): boolean {
  if (filter.kind !== "compare" || filter.operator !== "in") return false
  const columns = new Set(servedColumns(resource, filter.subject))
  return known.some((each) => each.length === columns.size && each.every((column) => columns.has(column)))
}

function uniqueColumns(resource: Resource): readonly (readonly string[])[] {
  const keys: (readonly Subject[])[] = [[{ kind: "id" }], ...resource.uniques.map(({ members }) => members)]
  return keys.flatMap((members) => {
    const columns = members.map((member) => servedColumns(resource, member))
    return columns.every((each) => each !== undefined) ? [columns.flat()] : []
  })
}

function referenceColumns(resource: Resource): readonly (readonly string[])[] {
  return [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && !relation.first ? [relation.join.map(({ from }) => from)] : [],
  )
}

/** Columns of existing tables are compared in a converted form, which their indexes do not have. */
const isServed = ({ scalar, stored }: { scalar: ScalarName; stored: StoredForm }): boolean =>
  stored === "plain" ||
  stored === "local" ||
  stored === "padded" ||
  (stored === "loose" && !scalars[scalar].converted)

/** The columns of a subject that is compared as it is stored. */
export function servedColumns(resource: Resource, subject: Subject): readonly string[] | undefined {
  if (subject.kind === "reference" && isFormerRelation(relationNamed(resource, subject.relation)))
    return undefined
  const types = subject.kind === "field" ? [fieldNamed(resource, subject.field)] : (resource.key?.parts ?? [])
  const served = subject.kind === "reference" || types.every(isServed)
  return served ? columnsOf(resource, subject) : undefined
}

export function columnsOf(resource: Resource, subject: Subject): readonly string[] {
  switch (subject.kind) {
    case "id":
      return resource.key?.parts.map(({ column }) => column) ?? []
    case "field":
      return [fieldNamed(resource, subject.field).column]
    case "reference": {
      const relation = relationNamed(resource, subject.relation)
      return relation.kind === "one" ? relation.join.map(({ from }) => from) : []
    }
  }
}
