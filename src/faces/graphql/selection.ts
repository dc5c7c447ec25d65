// Selections become the plan's members: records, to-one relations, and lists with everything a connection offers.

import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Relation } from "../../model/model.ts"
import { type ListInput, readList } from "../../plan/list.ts"
import { memberOf, type ResourceMember } from "../../plan/member.ts"
import type { List, ListMember, Member, PageFact } from "../../plan/types.ts"
import { planAggregate, planGroups } from "./aggregate.ts"
import { collectFields, type FieldGroup } from "./operation.ts"
import { readOrderBy } from "./order-terms.ts"
import {
  type Arguments,
  enter,
  type Planning,
  placeOf,
  readArguments,
  type Spot,
  typeName,
} from "./planning.ts"

/** The members of a record: what is selected of an object type. */
export function planRecord(planning: Planning, spot: Spot): readonly Member[] {
  return collectFields(planning.operation, spot.type, spot.selections).map((group) => {
    if (group.name === "__typename") return typeName(group, spot)
    const { resource } = spot
    const member = present(memberOf(resource, group.name), `${resource.name} has no member ${group.name}`)
    return planMember(planning, spot, group, member)
  })
}

function planMember(planning: Planning, spot: Spot, group: FieldGroup, member: ResourceMember): Member {
  const { key } = group
  return match<ResourceMember, Member>(member, {
    id: () => ({ kind: "id", key }),
    field: ({ field }) => ({ kind: "field", key, field: field.name }),
    reference: ({ relation }) => ({ kind: "reference", key, relation: relation.name }),
    relation: ({ relation }) => planRelation(planning, spot, group, relation),
  })
}

function planRelation(planning: Planning, spot: Spot, group: FieldGroup, relation: Relation): Member {
  const { draft } = planning
  const { key } = group
  const { depth } = draft.model.limits
  if (spot.level >= depth) {
    const place = placeOf(planning, spot.place, group)
    draft.problems.add("too_deep", place, `Relations may be nested at most ${depth} deep.`)
    return { kind: "constant", key, json: "null" }
  }
  const resource = present(draft.model.resources.get(relation.target), `no resource ${relation.target}`)
  const inner = { ...enter(planning, spot, group), resource, level: spot.level + 1 }
  if (relation.kind === "one") {
    return { kind: "one", key, relation: relation.name, members: planRecord(planning, inner) }
  }
  const args = readArguments(planning, spot.type, group)
  return { kind: "many", key, relation: relation.name, list: planList(planning, inner, args ?? {}) }
}

/** A list: `spot` is its connection, whose arguments say which rows. */
export function planList(planning: Planning, spot: Spot, args: Arguments): List {
  const { draft } = planning
  const { orderBy, ...rest } = args as ListArguments
  const order = orderBy && readOrderBy(draft, spot.resource, orderBy, [...spot.place, "orderBy"])
  const input: ListInput = { ...rest, ...(order && { order }), encoding: "json", names: { order: "orderBy" } }
  return { ...readList(draft, spot.resource, input, spot.place), members: planConnection(planning, spot) }
}

/** As the schema's list arguments are coerced. */
interface ListArguments extends Omit<ListInput, "order" | "encoding" | "names"> {
  readonly orderBy?: Parameters<typeof readOrderBy>[2]
}

function planConnection(planning: Planning, spot: Spot): readonly ListMember[] {
  return collectFields(planning.operation, spot.type, spot.selections).map((group) => {
    const { key } = group
    const inner = () => enter(planning, spot, group)
    switch (group.name) {
      case "__typename":
        return typeName(group, spot)
      case "totalCount":
        return { kind: "total", key }
      case "nodes":
        return { kind: "rows", key, members: planRecord(planning, inner()) }
      case "edges":
        return { kind: "rows", key, members: planEdge(planning, inner()) }
      case "pageInfo":
        return { kind: "object", key, members: planPageInfo(planning, inner()) }
      case "aggregate":
        return { kind: "aggregate", key, members: planAggregate(planning, inner()) }
      default: {
        const args = readArguments(planning, spot.type, group)
        return planGroups(planning, inner(), { key, args: args ?? {} })
      }
    }
  })
}

function planEdge(planning: Planning, spot: Spot): readonly Member[] {
  return collectFields(planning.operation, spot.type, spot.selections).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    if (name === "cursor") return { kind: "cursor", key }
    return { kind: "object", key, members: planRecord(planning, enter(planning, spot, group)) }
  })
}

const pageFacts: Readonly<Record<string, PageFact>> = {
  hasNextPage: "hasNext",
  hasPreviousPage: "hasPrevious",
  startCursor: "startCursor",
  endCursor: "endCursor",
}

function planPageInfo(planning: Planning, spot: Spot): readonly ListMember[] {
  return collectFields(planning.operation, spot.type, spot.selections).map((group) => {
    if (group.name === "__typename") return typeName(group, spot)
    const fact = present(pageFacts[group.name], `no page fact ${group.name}`)
    return { kind: "page", key: group.key, fact }
  })
}
