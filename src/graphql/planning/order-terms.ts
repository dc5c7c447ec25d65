// `orderBy` as the plan asks for it: each term a member at the end of a path of to-one relations.
import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import type { RequestedTerm } from "../../plan/read/list.ts"
import { orderMemberOf, sortRelations } from "../schema/order-types.ts"

/** One term as the schema's `OrderOrderBy` coerces it; relations are further members. */
interface TermInput {
  readonly field?: string | null
  readonly direction?: "ASC" | "DESC" | null
  readonly nulls?: "FIRST" | "LAST" | null
  readonly [relation: string]: unknown
}

/** Terms that are not well formed are left out, and are in the draft's problems. */
export function readOrderBy(
  draft: Draft,
  resource: Resource,
  input: readonly TermInput[],
  place: Place,
): readonly RequestedTerm[] {
  return input.flatMap((term, index) => readTerm(draft, resource, term, [...place, index]) ?? [])
}

function readTerm(
  draft: Draft,
  resource: Resource,
  term: TermInput,
  place: Place,
): RequestedTerm | undefined {
  const given = sortRelations(resource).filter((relation) => isTerm(term[orderMemberOf(relation)]))
  const [relation] = given
  const choices = given.length + (typeof term.field === "string" ? 1 : 0)
  if (choices !== 1) {
    const message = `A term of \`orderBy\` must have exactly one of \`field\` and a relation, not ${choices}.`
    draft.problems.add("invalid_value", place, message, "Write one term for each member.")
    return undefined
  }
  if (!relation) {
    return {
      path: [],
      name: present(term.field, "the one choice is the field"),
      descending: term.direction === "DESC",
      ...(term.nulls && { nulls: term.nulls === "FIRST" ? "first" : "last" }),
    }
  }
  if (term.direction === "DESC" || term.nulls) {
    const message = `\`direction\` and \`nulls\` stand beside \`field\`, inside \`${relation.name}\`.`
    draft.problems.add("invalid_value", place, message)
    return undefined
  }
  const target = present(draft.model.resources.get(relation.target), `no resource ${relation.target}`)
  const member = orderMemberOf(relation)
  const inner = readTerm(draft, target, term[member] as TermInput, [...place, member])
  return inner && { ...inner, path: [relation.name, ...inner.path] }
}

const isTerm = (value: unknown): boolean => typeof value === "object" && value !== null
