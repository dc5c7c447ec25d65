// Groups: the keys by which a list's aggregates are grouped (docs/guide/reading.md, "Aggregates").

import type { Place } from "../../base/problem.ts"
import type { Subject } from "../../model/condition.ts"
import type { Field, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { isSortable } from "../../model/operators.ts"
import { scalars } from "../../model/scalars.ts"
import type { Draft } from "../draft/draft.ts"
import { hintFor } from "../hints.ts"
import { aboutComputed, memberOf, subjectOf } from "../member.ts"
import { memberHint } from "../other-versions.ts"
import { quoteInput } from "../quote-input.ts"
import type { AggregateFunction, Groups } from "../read-plan.ts"
import { readLimit } from "./page.ts"

export interface GroupsInput {
  readonly by: readonly string[]
  /** Groups at most; the service's page size when absent. */
  readonly limit?: number
  /** The face's names of its arguments: `by` and `first` when absent. */
  readonly names?: { readonly by?: string; readonly limit?: string }
}

const mostMembers = 3

/** Undefined when problems were added to the draft. */
export function readGroups(
  draft: Draft,
  resource: Resource,
  input: GroupsInput,
  place: Place,
): Omit<Groups, "members"> | undefined {
  const known = draft.problems.found.length
  const byName = input.names?.by ?? "by"
  const limitName = input.names?.limit ?? "first"
  if (input.by.length < 1 || input.by.length > mostMembers) {
    const message = `\`${byName}\` must name one to ${mostMembers} members, not ${input.by.length}.`
    draft.problems.add("invalid_value", [...place, byName], message)
    return undefined
  }
  const by: Subject[] = []
  for (const [index, name] of input.by.entries()) {
    const subject = readSubject(draft, resource, name, [...place, byName, index])
    if (subject && input.by.indexOf(name) < index) {
      draft.problems.add("invalid_value", [...place, byName, index], `\`${name}\` is already grouped by.`)
    } else if (subject) by.push(subject)
  }
  readLimit(draft, input.limit, {
    name: limitName,
    place: [...place, limitName],
  })
  if (draft.problems.found.length > known) return undefined
  return {
    by,
    limit: draft.bind(input.limit ?? draft.model.limits.page.default),
  }
}

function readSubject(draft: Draft, resource: Resource, name: string, place: Place): Subject | undefined {
  const member = memberOf(resource, name)
  if (!member) {
    const message = `\`${apiName(resource)}\` has no member ${quoteInput(name)}.`
    draft.problems.add(
      "unknown_field",
      place,
      message,
      aboutComputed(resource, name) ??
        memberHint(draft.model, resource, name) ??
        hintFor(name, groupable(resource)),
    )
    return undefined
  }
  if (member.kind === "reference" || (member.kind === "field" && isSortable(member.field)))
    return subjectOf(member)
  const message = `\`${name}\` cannot be grouped by: groups are formed by fields that have an order, and by references.`
  draft.problems.add("invalid_value", place, message, hintFor(name, groupable(resource)))
  return undefined
}

/** Names that groups can be formed by, in the order of the declaration. */
export function groupable(resource: Resource): readonly string[] {
  const fields = [...resource.fields.values()].filter(isSortable).map((field) => field.name)
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined ? [relation.reference] : [],
  )
  return [...fields, ...references]
}

// Measures that lists take of their records' fields.
export const measures: readonly AggregateFunction[] = ["sum", "avg", "min", "max"]

/** Whether the measure can be taken of the field (docs/guide/reading.md, "Aggregates"). */
export function isMeasurable(measure: AggregateFunction, field: Field): boolean {
  const summable = !field.list && scalars[field.scalar].family === "number"
  return measure === "sum" || measure === "avg" ? summable : isSortable(field)
}
