// A Question about a resource becomes the members and lists of a Plan, under the keys of REST's JSON.
import { present } from "../../base/invariant.ts"
import type { Relation, Resource } from "../../model/model.ts"
import { readCondition } from "../../plan/condition.ts"
import type { Draft } from "../../plan/draft.ts"
import { type ListInput, readList } from "../../plan/list.ts"
import { memberOf } from "../../plan/member.ts"
import { hintFor } from "../../plan/naming.ts"
import { shown } from "../../plan/shown.ts"
import type { Filter, List, ListMember, Member } from "../../plan/types.ts"
import { selectAggregates, selectGroups } from "./aggregate.ts"
import { type Question, recordMemberNames } from "./question.ts"

/** A list in its envelope: `{"data": […], "page": {…}}`, then `aggregate` or `groups` when asked for. */
export function selectList(draft: Draft, resource: Resource, question: Question, depth: number): List {
  const where = readFilters(draft, resource, question)
  const list = readList(draft, resource, listInput(draft, question), question.place)
  const members: ListMember[] = [
    { kind: "rows", key: "data", members: selectMembers(draft, resource, question, depth) },
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
  const aggregates = selectAggregates(draft, resource, question)
  if (question.groupBy.length > 0) {
    const groups = selectGroups(draft, resource, question, aggregates)
    if (groups) members.push({ kind: "groups", key: "groups", groups })
  } else {
    if (question.groups !== undefined)
      draft.problems.add("invalid_value", [...question.place, "groups"], "groups is asked without groupBy.")
    if (aggregates.length > 0) members.push({ kind: "aggregate", key: "aggregate", members: aggregates })
  }
  return { ...list, ...(where ? { where } : {}), members }
}

/** A single record's members; what only lists can be asked is refused. */
export function selectRecord(
  draft: Draft,
  resource: Resource,
  question: Question,
  depth: number,
): readonly Member[] {
  for (const name of question.given)
    if (!recordMemberNames.includes(name))
      draft.problems.add(
        "unknown_parameter",
        [...question.place, name],
        `${name} is asked of lists; here is one ${resource.name}.`,
        `A single record takes ${recordMemberNames.join(" and ")}.`,
      )
  return selectMembers(draft, resource, question, depth)
}

/** The related record, or the list of related records, under the relation's name. */
export function relationMember(draft: Draft, relation: Relation, question: Question, depth: number): Member {
  const target = present(
    draft.model.resources.get(relation.target),
    `relation target ${relation.target} is a resource`,
  )
  const named = { key: relation.name, relation: relation.name }
  return relation.kind === "one"
    ? { kind: "one", ...named, members: selectRecord(draft, target, question, depth + 1) }
    : { kind: "many", ...named, list: selectList(draft, target, question, depth + 1) }
}

/** `id` first, then the fields as asked, or all scalar members in the Model's order, then what is included. */
function selectMembers(
  draft: Draft,
  resource: Resource,
  question: Question,
  depth: number,
): readonly Member[] {
  const members: Member[] = resource.key ? [{ kind: "id", key: "id" }] : []
  const fields = question.fields ?? scalarNames(resource)
  for (const [index, name] of fields.entries()) {
    if (fields.indexOf(name) < index)
      draft.problems.add("invalid_value", [...question.place, "fields"], `fields names ${shown(name)} twice.`)
    else selectField(draft, resource, { question, name }, members)
  }
  for (const [name, inner] of question.include) {
    const relation = resource.relations.get(name)
    if (!relation) {
      const hint = resource.fields.has(name)
        ? `It is a field: put it into \`fields\`.`
        : hintFor(name, resource.relations.keys())
      draft.problems.add(
        "unknown_field",
        inner.place,
        `${resource.type} has no relation ${shown(name)}.`,
        hint,
      )
    } else if (depth >= draft.model.limits.depth)
      draft.problems.add("too_deep", inner.place, `Includes may be nested ${draft.model.limits.depth} deep.`)
    else members.push(relationMember(draft, relation, inner, depth))
  }
  return members
}

function selectField(
  draft: Draft,
  resource: Resource,
  { question, name }: { question: Question; name: string },
  members: Member[],
): void {
  const member = memberOf(resource, name)
  if (member?.kind === "field") members.push({ kind: "field", key: name, field: name })
  else if (member?.kind === "reference")
    members.push({ kind: "reference", key: name, relation: member.relation.name })
  else if (member?.kind !== "id")
    draft.problems.add(
      "unknown_field",
      [...question.place, "fields"],
      `${resource.type} has no field ${shown(name)}.`,
      member ? "It is a relation: put it into `include`." : hintFor(name, scalarNames(resource)),
    )
}

/** Names of fields, then of the references that come with to-one relations. */
export function scalarNames(resource: Resource): readonly string[] {
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined ? [relation.reference] : [],
  )
  return [...resource.fields.keys(), ...references]
}

function readFilters(draft: Draft, resource: Resource, question: Question): Filter | undefined {
  const place = [...question.place, "filter"]
  const conditions = question.filters.flatMap(({ value, encoding }) => {
    const condition = readCondition(draft, resource, { input: value, encoding, place })
    return condition && !(condition.kind === "and" && condition.of.length === 0) ? [condition] : []
  })
  return conditions.length > 1 ? { kind: "and", of: conditions } : conditions[0]
}

/** With only `before`, or from the end, the last rows are asked for; `from=start` says otherwise. */
function listInput(draft: Draft, question: Question): ListInput {
  const { after, before, from, sort, limit } = question
  const backward = from === "end" || (from === undefined && before !== undefined && after === undefined)
  const count = limit ?? draft.model.limits.page.default
  return {
    encoding: "json",
    ...(sort.length > 0 ? { order: sort } : {}),
    ...(backward ? { last: count } : { first: count }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    names: { order: "sort", first: "limit", last: "limit", after: "after", before: "before" },
  }
}
