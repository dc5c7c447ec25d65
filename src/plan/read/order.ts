// Orders: reads requested terms and appends terms that make the order total (docs/guide/reading.md, "Order").
import type { Place } from "../../base/problem.ts"
import { isFormerRelation } from "../../model/former-fields.ts"
import { overLimit } from "../../model/limits.ts"
import type { Field, Resource, ToOne, UniqueMember } from "../../model/model.ts"
import { isSortable } from "../../model/operators.ts"
import { scalars } from "../../model/scalars.ts"
import type { Draft } from "../draft/draft.ts"
import { hintFor } from "../hints.ts"
import { fieldNamed, relationNamed, resourceNamed } from "../lookup.ts"
import { aboutComputed, memberNames, memberOf, type ScalarMember, subjectOf } from "../member.ts"
import { quoteInput } from "../quote-input.ts"
import type { OrderTerm } from "../read-plan.ts"

export interface RequestedTerm {
  /** To-one relations from the listed resource to the one that has the member. */
  readonly path: readonly string[]
  readonly name: string
  readonly descending?: boolean
  readonly nulls?: "first" | "last"
}

/** The total order; wrong terms are left out of it, and are in the draft's problems. */
export function readOrder(
  draft: Draft,
  resource: Resource,
  requested: readonly RequestedTerm[],
  place: Place,
): readonly OrderTerm[] {
  const { sort } = draft.model.limits
  if (requested.length > sort) {
    draft.problems.add("too_large", place, overLimit(`The order has ${requested.length} terms`, "sort", sort))
    return completed(resource, [])
  }
  const terms: OrderTerm[] = []
  for (const [index, request] of requested.entries()) {
    const spot: Spot = { draft, place: [...place, index] }
    const term = readTerm(spot, resource, request)
    if (!term) continue
    if (terms.some((earlier) => isSame(earlier, term))) {
      const message = `\`${[...request.path, request.name].join(".")}\` is already in the order.`
      draft.problems.add("invalid_value", spot.place, message, "Name each member once.")
    } else terms.push(term)
  }
  return completed(resource, terms)
}

interface Spot {
  readonly draft: Draft
  readonly place: Place
}

function readTerm(spot: Spot, resource: Resource, request: RequestedTerm): OrderTerm | undefined {
  const { draft, place } = spot
  const deepest = draft.model.limits.depth
  if (request.path.length > deepest) {
    draft.problems.add(
      "too_deep",
      place,
      `An order may go through at most ${deepest} relations (limit \`depth\`).`,
    )
    return undefined
  }
  let holder = resource
  for (const name of request.path) {
    const relation = readStep(spot, holder, name)
    if (!relation) return undefined
    holder = resourceNamed(draft.model, relation.target)
  }
  const member = readSubject(spot, holder, request.name)
  if (!member) return undefined
  const missing = request.path.length > 0 || canBeMissing(member)
  const nulls = missing ? { nulls: request.nulls ?? "last" } : {}
  return {
    path: request.path,
    subject: subjectOf(member),
    descending: request.descending ?? false,
    ...nulls,
  }
}

function readStep({ draft, place }: Spot, resource: Resource, name: string): ToOne | undefined {
  const member = memberOf(resource, name)
  if (member?.kind === "relation" && member.relation.kind === "one") return member.relation
  if (member?.kind === "relation") {
    const message = `\`${name}\` is a to-many relation: a list is ordered through to-one relations only.`
    draft.problems.add("invalid_value", place, message)
  } else if (member) {
    const message = `\`${name}\` of \`${resource.name}\` is not a relation: no order can lead through it.`
    draft.problems.add("invalid_value", place, message)
  } else unknown({ draft, place }, resource, name)
  return undefined
}

function readSubject({ draft, place }: Spot, resource: Resource, name: string): ScalarMember | undefined {
  const member = memberOf(resource, name)
  if (!member) return unknown({ draft, place }, resource, name)
  if (member.kind === "relation") {
    const message = `\`${name}\` is a relation: a list is ordered by a member of its target.`
    const hint =
      member.relation.kind === "one"
        ? `Write \`${name}.\` and a member of \`${member.relation.target}\`.`
        : undefined
    draft.problems.add("invalid_value", place, message, hint)
    return undefined
  }
  if (member.kind === "field" && !isSortable(member.field)) {
    const { list, scalar, stored, byCode } = member.field
    const kind = byCode
      ? "given by code, and no list is ordered by it"
      : stored === "unordered"
        ? "the text of a type whose order is not that of its text"
        : `${list ? "a list" : scalar}, which has no order`
    draft.problems.add("invalid_value", place, `\`${name}\` is ${kind}.`)
    return undefined
  }
  return member
}

function unknown({ draft, place }: Spot, resource: Resource, name: string): undefined {
  const message = `\`${resource.name}\` has no member ${quoteInput(name)}.`
  draft.problems.add(
    "unknown_field",
    place,
    message,
    aboutComputed(resource, name) ?? hintFor(name, memberNames(resource)),
  )
  return undefined
}

function canBeMissing(member: ScalarMember): boolean {
  if (member.kind === "id") return false
  return member.kind === "field"
    ? isMissable(member.field)
    : member.relation.optional || isFormerRelation(member.relation)
}

/** Values that cannot be read as their scalar count as missing: in a loose column a value of one of these may be anything. */
const isMissable = ({ optional, stored, scalar }: Field): boolean =>
  optional || (stored === "loose" && scalars[scalar].converted === true)

function completed(resource: Resource, terms: readonly OrderTerm[]): readonly OrderTerm[] {
  const rest = tiebreakers(resource).filter((added) => !terms.some((term) => isSame(term, added)))
  return [...terms, ...rest]
}

/** Terms that distinguish any two rows, as far as the table has them. */
function tiebreakers(resource: Resource): readonly OrderTerm[] {
  const path: readonly string[] = []
  switch (resource.tiebreak) {
    case "key":
      return [{ path, subject: { kind: "id" }, descending: false }]
    case "row":
      return [{ path, subject: { kind: "row" }, descending: false }]
    case "columns":
      return (
        shortestKey(resource)?.map((subject) => ({ path, subject, descending: false })) ??
        [...resource.fields.values()].filter(isTold).map((field) => ({
          path,
          subject: { kind: "field", field: field.name },
          descending: false,
          ...(isMissable(field) ? { nulls: "last" } : {}),
        }))
      )
  }
}

function isAlwaysThere(resource: Resource, member: UniqueMember): boolean {
  if (member.kind === "field") return !isMissable(fieldNamed(resource, member.field))
  const relation = relationNamed(resource, member.relation)
  return relation.kind === "one" && !relation.optional
}

/** The fewest members that identify a record: other columns of a view may be expensive to compute. */
const shortestKey = (resource: Resource): readonly UniqueMember[] | undefined =>
  resource.uniques
    .map(({ members }) => members)
    .filter((members) => members.every((member) => isAlwaysThere(resource, member)))
    .toSorted((a, b) => a.length - b.length)[0]

/** Computed fields follow from the columns. */
const isTold = ({ scalar, list, computed }: Field): boolean => isSortable({ scalar, list }) && !computed

/** Whether both order by the same thing, in whichever direction. */
function isSame(a: OrderTerm, b: OrderTerm): boolean {
  return JSON.stringify([a.path, a.subject]) === JSON.stringify([b.path, b.subject])
}
