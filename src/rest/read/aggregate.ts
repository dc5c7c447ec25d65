// `aggregate=count,sum.total` and `groupBy=status`: figures over all rows that meet the condition, on all pages.
import type { Resource } from "../../model/model.ts"
import { groupsKey } from "../../plan/draft/plan-cache.ts"
import { hintFor } from "../../plan/hints.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { isMeasurable, measures, readGroups } from "../../plan/read/groups.ts"
import type { AggregateMember, Groups } from "../../plan/read-plan.ts"
import { aggregateNames } from "../question/names.ts"
import type { Inquiry, Selecting } from "../question/request-context.ts"
import type { Question } from "../question/rest-query.ts"

/** `{"count": …, "sum": {"total": …}}`: measures in the order in which they are first named. */
export function selectAggregates(
  { problems }: Selecting,
  resource: Resource,
  question: Question,
): readonly AggregateMember[] {
  const place = [...question.place, "aggregate"]
  const members: AggregateMember[] = []
  const byMeasure = new Map<string, AggregateMember[]>()
  const { aggregate = [] } = question
  for (const [index, name] of aggregate.entries()) {
    const [measure = "", field = "", ...rest] = name.split(".")
    const known = measures.find((candidate) => candidate === measure)
    const type = resource.fields.get(field)
    if (aggregate.indexOf(name) < index)
      problems.add("invalid_value", place, `aggregate names ${quoteInput(name)} twice.`)
    else if (name === "count") members.push({ kind: "count", key: "count" })
    else if (!known || !type || rest.length > 0 || !isMeasurable(known, type))
      problems.add(
        "unknown_field",
        place,
        `${resource.type} has no aggregate ${quoteInput(name)}.`,
        hintFor(name, aggregateNames(resource)) ??
          "Write `count`, or a measure and a field, as in `sum.total`.",
      )
    else {
      const inner = byMeasure.get(known) ?? []
      if (!byMeasure.has(known)) members.push({ kind: "object", key: known, members: inner })
      byMeasure.set(known, inner)
      inner.push({ kind: "measure", key: field, measure: known, field })
    }
  }
  return members
}

/** `{"key": {"status": …}, "count": …}` for each group. */
export function selectGroups(
  selecting: Selecting,
  resource: Resource,
  { question: { groupBy: by = [], place }, of }: Inquiry,
  aggregates: readonly AggregateMember[],
): Groups | undefined {
  const groups = selecting.ask({
    read: (draft, asked) => {
      const limit = of(asked).groups
      const input = {
        by,
        ...(limit === undefined ? {} : { limit }),
        names: { by: "groupBy", limit: "groups" },
      }
      return readGroups(draft, resource, input, place)
    },
    keyOf: groupsKey,
  })
  const key = by.map((name, index): AggregateMember => ({ kind: "group", key: name, index }))
  return groups && { ...groups, members: [{ kind: "object", key: "key", members: key }, ...aggregates] }
}
