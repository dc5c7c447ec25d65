// Aggregates and groups of a list, as they are selected.

import { readGroups } from "../../plan/groups.ts"
import type { AggregateMember, ListMember, Measure } from "../../plan/types.ts"
import { collectFields } from "./operation.ts"
import { type Arguments, enter, type Planning, placeOf, type Spot, typeName } from "./planning.ts"

/** @param by the members that the groups are formed by, where there are groups. */
export function planAggregate(
  planning: Planning,
  spot: Spot,
  by: readonly string[] = [],
): readonly AggregateMember[] {
  return collectFields(planning.operation, spot.type, spot.selections).map((group): AggregateMember => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    if (name === "count") return { kind: "count", key }
    const inner = enter(planning, spot, group)
    const members =
      name === "key" ? planKey(planning, inner, by) : planMeasure(planning, inner, name as Measure)
    return { kind: "object", key, members }
  })
}

export function planGroups(
  planning: Planning,
  spot: Spot,
  { key, args }: { readonly key: string; readonly args: Arguments },
): ListMember {
  const { by = [], first } = args as { readonly by?: readonly string[]; readonly first?: number }
  const input = { by, ...(first !== undefined && { limit: first }) }
  const groups = readGroups(planning.draft, spot.resource, input, spot.place)
  const members = planAggregate(planning, spot, by)
  return groups
    ? { kind: "groups", key, groups: { ...groups, members } }
    : { kind: "constant", key, json: "[]" }
}

function planMeasure(planning: Planning, spot: Spot, measure: Measure): readonly AggregateMember[] {
  return collectFields(planning.operation, spot.type, spot.selections).map((group) => {
    if (group.name === "__typename") return typeName(group, spot)
    return { kind: "measure", key: group.key, measure, field: group.name }
  })
}

function planKey(planning: Planning, spot: Spot, by: readonly string[]): readonly AggregateMember[] {
  return collectFields(planning.operation, spot.type, spot.selections).flatMap((group): AggregateMember[] => {
    if (group.name === "__typename") return [typeName(group, spot)]
    const index = by.indexOf(group.name)
    if (index >= 0) return [{ kind: "group", key: group.key, index }]
    const place = placeOf(planning, spot.place, group)
    const message = `\`${group.name}\` is not among what is grouped by.`
    planning.draft.problems.add("invalid_value", place, message, `Add \`${group.name}\` to \`by\`.`)
    return []
  })
}
