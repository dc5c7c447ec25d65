// A Question about a resource becomes the members and lists of a Plan, under the keys of REST's JSON.

import { present } from "../../base/invariant.ts"
import type { Place } from "../../base/problem.ts"
import type { Model, Relation, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { cursorScope } from "../../plan/draft/cursor.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { filterKey, orderKey, pageKey } from "../../plan/draft/plan-cache.ts"
import { hintFor } from "../../plan/hints.ts"
import { resourceNamed } from "../../plan/lookup.ts"
import { etag, hasEtag, hasTransitions, memberOf, transitions } from "../../plan/member.ts"
import { memberHint } from "../../plan/other-versions.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { readCondition } from "../../plan/read/condition.ts"
import { readOrder } from "../../plan/read/order.ts"
import { type PageInput, readPage } from "../../plan/read/page.ts"
import type { Filter, List, ListMember, Member } from "../../plan/read-plan.ts"
import { scalarNames } from "../question/names.ts"
import type { Inquiry, Selecting } from "../question/request-context.ts"
import { type Question, recordMemberNames } from "../question/rest-query.ts"
import { selectAggregates, selectGroups } from "./aggregate.ts"
import { transitionsMember } from "./transitions.ts"

/** A list in its envelope: `{"data": […], "page": {…}}`, then `aggregate` or `groups` when asked for. */
export function selectList(selecting: Selecting, resource: Resource, inquiry: Inquiry, depth: number): List {
  const { question } = inquiry
  const rows = selectRows(selecting, resource, inquiry.of, question.place)
  const members: ListMember[] = [
    { kind: "rows", key: "data", members: selectMembers(selecting, resource, inquiry, depth) },
    {
      kind: "object",
      key: "page",
      members: [
        { kind: "page", key: "next", fact: "next" },
        { kind: "page", key: "prev", fact: "previous" },
        ...(question.total ? [{ kind: "total", key: "total" } as const] : []),
      ],
    },
  ]
  const aggregates = selectAggregates(selecting, resource, question)
  if (question.groupBy?.length) {
    const groups = selectGroups(selecting, resource, inquiry, aggregates)
    if (groups) members.push({ kind: "groups", key: "groups", groups })
  } else {
    if (question.groups !== undefined)
      selecting.problems.add(
        "invalid_value",
        [...question.place, "groups"],
        "groups is asked without groupBy.",
      )
    if (aggregates.length > 0) members.push({ kind: "aggregate", key: "aggregate", members: aggregates })
  }
  return { ...rows, members }
}

/** Which rows, in which order, on which page. */
function selectRows(
  { ask, model }: Selecting,
  resource: Resource,
  of: Inquiry["of"],
  place: Place,
): Omit<List, "members"> {
  const where = ask({
    read: (draft, asked) => readFilters(draft, resource, of(asked)),
    keyOf: filterKey,
  })
  const order = ask({
    read: (draft, asked) => readOrder(draft, resource, of(asked).sort ?? [], [...place, "sort"]),
    keyOf: orderKey,
    // The selection is part of the question's structure.
    constant: true,
  })
  const list = { resource, order, scope: cursorScope(model, resource, order) }
  const page = ask({
    read: (draft, asked) => readPage(draft, list, pageInput(model, of(asked)), { names: pageNames, place }),
    keyOf: pageKey,
  })
  return { ...(where && { where }), order, page }
}

const pageNames = { first: "limit", last: "limit", after: "after", before: "before" } as const

/** A single record's members; what only lists can be asked is refused. */
export function selectRecord(
  selecting: Selecting,
  resource: Resource,
  inquiry: Inquiry,
  depth: number,
): readonly Member[] {
  const { question } = inquiry
  for (const name of question.given)
    if (!recordMemberNames.includes(name))
      selecting.problems.add(
        "unknown_parameter",
        [...question.place, name],
        `${name} is asked of lists; here is one ${apiName(resource)}.`,
        `A single record takes ${recordMemberNames.join(" and ")}.`,
      )
  return selectMembers(selecting, resource, inquiry, depth)
}

/** The related record, or the list of related records, under the relation's name. */
export function relationMember(
  selecting: Selecting,
  relation: Relation,
  inquiry: Inquiry,
  depth: number,
): Member {
  const target = resourceNamed(selecting.model, relation.target)
  const named = { key: relation.name, relation: relation.name }
  return relation.kind === "one"
    ? { kind: "one", ...named, members: selectRecord(selecting, target, inquiry, depth + 1) }
    : { kind: "many", ...named, list: selectList(selecting, target, inquiry, depth + 1) }
}

/** `id` first, then the fields as asked, or all scalar members in the Model's order, then included relations. */
export function selectMembers(
  selecting: Selecting,
  resource: Resource,
  inquiry: Inquiry,
  depth: number,
): readonly Member[] {
  const { question, of } = inquiry
  const members: Member[] = resource.key ? [{ kind: "id", key: "id" }] : []
  const fields = question.fields ?? scalarNames(resource)
  for (const [index, name] of fields.entries()) {
    if (fields.indexOf(name) < index)
      selecting.problems.add(
        "invalid_value",
        [...question.place, "fields"],
        `fields names ${quoteInput(name)} twice.`,
      )
    else selectField(selecting, resource, { question, name }, members)
  }
  for (const [name, inner] of question.include) {
    const relation = resource.relations.get(name)
    if (!relation) {
      const isField = resource.fields.has(name) || (name === transitions && hasTransitions(resource))
      const hint = isField
        ? "This is a field: put it into `fields`."
        : (memberHint(selecting.model, resource, name) ?? hintFor(name, resource.relations.keys()))
      selecting.problems.add(
        "unknown_field",
        inner.place,
        `${resource.type} has no relation ${quoteInput(name)}.`,
        hint,
      )
    } else if (depth >= selecting.model.limits.depth)
      selecting.problems.add(
        "too_deep",
        inner.place,
        `Includes may be nested at most ${selecting.model.limits.depth} deep (limit \`depth\`).`,
      )
    else members.push(relationMember(selecting, relation, within(of, name, inner), depth))
  }
  return members
}

function selectField(
  selecting: Selecting,
  resource: Resource,
  { question, name }: { question: Question; name: string },
  members: Member[],
): void {
  const member = memberOf(resource, name)
  if (member?.kind === "field") members.push({ kind: "field", key: name, field: name })
  else if (member?.kind === "reference")
    members.push({ kind: "reference", key: name, relation: member.relation.name })
  else if (resource.computed?.has(name)) members.push({ kind: "computed", key: name, field: name })
  else if (!member && name === etag && hasEtag(resource)) members.push({ kind: "version", key: name })
  else if (!member && name === transitions && hasTransitions(resource))
    members.push(transitionsMember(selecting.model, resource))
  else if (member?.kind !== "id")
    selecting.problems.add(
      "unknown_field",
      [...question.place, "fields"],
      `${resource.type} has no field ${quoteInput(name)}.`,
      member
        ? "This is a relation: put it into `include`."
        : (memberHint(selecting.model, resource, name) ??
            hintFor(name, [...scalarNames(resource), ...(resource.computed?.keys() ?? [])])),
    )
}

function within(of: Inquiry["of"], name: string, question: Question): Inquiry {
  return { question, of: (asked) => present(of(asked).include.get(name), `${name} is included`) }
}

/** Undefined for none, and when problems were added to the draft. */
export function readFilters(draft: Draft, resource: Resource, question: Question): Filter | undefined {
  const place = [...question.place, "filter"]
  const conditions = question.filters.flatMap(({ value, encoding }) => {
    const condition = readCondition(draft, resource, { input: value, encoding, place })
    return condition && !(condition.kind === "and" && condition.of.length === 0) ? [condition] : []
  })
  return conditions.length > 1 ? { kind: "and", of: conditions } : conditions[0]
}

/** With only `before`, or from the end, the last rows are asked for; `from=start` says otherwise. */
function pageInput(model: Model, { after, before, from, limit }: Question): PageInput {
  const backward = from === "end" || (from === undefined && before !== undefined && after === undefined)
  const count = limit ?? model.limits.page.default
  return {
    ...(backward ? { last: count } : { first: count }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  }
}
