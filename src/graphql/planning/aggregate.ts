// Aggregates and groups of a list, as they are selected.

import { groupsKey } from "../../plan/draft/plan-cache.ts"
import { readGroups } from "../../plan/read/groups.ts"
import type { AggregateFunction, AggregateMember, ListMember } from "../../plan/read-plan.ts"
import type { FieldArguments } from "../document/arguments.ts"
import { collectFields } from "../document/operation.ts"
import { type DocumentPlace, enter, type Planning, placeOf, typeName } from "./planning.ts"

/** @param by the members that the groups are formed by, where there are groups. */
export function planAggregate(
  planning: Planning,
  spot: DocumentPlace,
  by: readonly string[] = [],
): readonly AggregateMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group): AggregateMember => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    if (name === "count") return { kind: "count", key }
    const inner = enter(planning, spot, group)
    const members =
      name === "key" ? planKey(planning, inner, by) : planMeasure(planning, inner, name as AggregateFunction)
    return { kind: "object", key, members }
  })
}

export function planGroups(
  planning: Planning,
  spot: DocumentPlace,
  { key, args }: { readonly key: string; readonly args: FieldArguments },
): ListMember {
  const { groups, by } = planning.ask({
    read: (draft, asked) => {
      const by = (args.read(asked, "by") ?? []) as readonly string[]
      const first = args.read(asked, "first") as number | undefined
      const input = { by, ...(first !== undefined && { limit: first }) }
      return { groups: readGroups(draft, spot.resource, input, spot.place), by }
    },
    keyOf: ({ groups }) => groupsKey(groups),
    constant: args.isConstant("by", "first"),
  })
  const members = planAggregate(planning, spot, by)
  return groups
    ? { kind: "groups", key, groups: { ...groups, members } }
    : { kind: "constant", key, json: "[]" }
}

function planMeasure(
  planning: Planning,
  spot: DocumentPlace,
  measure: AggregateFunction,
): readonly AggregateMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    if (group.name === "__typename") return typeName(group, spot)
    return { kind: "measure", key: group.key, measure, field: group.name }
  })
}

function planKey(planning: Planning, spot: DocumentPlace, by: readonly string[]): readonly AggregateMember[] {
  return collectFields(planning, spot.type, spot.selections).flatMap((group): AggregateMember[] => {
    if (group.name === "__typename") return [typeName(group, spot)]
    const index = by.indexOf(group.name)
    if (index >= 0) return [{ kind: "group", key: group.key, index }]
    const place = placeOf(planning, spot.place, group)
    const message = `\`${group.name}\` is not among what is grouped by.`
    planning.problems.add("invalid_value", place, message, `Add \`${group.name}\` to \`by\`.`)
    return []
  })
}
