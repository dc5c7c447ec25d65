// Selections become the plan's members: records, to-one relations, and lists with everything a connection offers.
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Place } from "../../base/problem.ts"
import { isSaid, saidOf } from "../../http/transitions.ts"
import type { Relation, Resource } from "../../model/model.ts"
import { cursorScope } from "../../plan/draft/cursor.ts"
import { filterKey, orderKey, pageKey } from "../../plan/draft/plan-cache.ts"
import { resourceNamed } from "../../plan/lookup.ts"
import {
  etag,
  hasEtag,
  hasTransitions,
  memberOf,
  type ResourceMember,
  transitions,
} from "../../plan/member.ts"
import { readWhere } from "../../plan/read/list.ts"
import { readOrder } from "../../plan/read/order.ts"
import { type PageInput, readPage } from "../../plan/read/page.ts"
import type {
  List,
  ListMember,
  Member,
  PageInfo,
  ReasonMember,
  TransitionMember,
} from "../../plan/read-plan.ts"
import { type FieldArguments, noArguments } from "../document/arguments.ts"
import { collectFields, type FieldGroup } from "../document/operation.ts"
import { planAggregate, planGroups } from "./aggregate.ts"
import { readOrderBy } from "./order-terms.ts"
import { argumentsOf, type DocumentPlace, enter, type Planning, placeOf, typeName } from "./planning.ts"

/** The members of a record: the selection of an object type. */
export function planRecord(planning: Planning, spot: DocumentPlace): readonly Member[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    if (group.name === "__typename") return typeName(group, spot)
    const { resource } = spot
    if (group.name === etag && hasEtag(resource)) return { kind: "version", key: group.key }
    if (isTransitions(resource, group)) return planTransitions(planning, spot, group)
    if (resource.computed?.has(group.name)) return { kind: "computed", key: group.key, field: group.name }
    const member = present(memberOf(resource, group.name), `${resource.name} has no member ${group.name}`)
    return planMember(planning, spot, group, member)
  })
}

function planMember(
  planning: Planning,
  spot: DocumentPlace,
  group: FieldGroup,
  member: ResourceMember,
): Member {
  const { key } = group
  return match<ResourceMember, Member>(member, {
    id: () => ({ kind: "id", key }),
    field: ({ field }) => ({ kind: "field", key, field: field.name }),
    reference: ({ relation }) => ({ kind: "reference", key, relation: relation.name }),
    relation: ({ relation }) => planRelation(planning, spot, group, relation),
  })
}

function planRelation(
  planning: Planning,
  spot: DocumentPlace,
  group: FieldGroup,
  relation: Relation,
): Member {
  const { model, problems } = planning
  const { key } = group
  const { depth } = model.limits
  if (spot.level >= depth) {
    const place = placeOf(planning, spot.place, group)
    problems.add("too_deep", place, `Relations may be nested at most ${depth} deep (limit \`depth\`).`)
    return { kind: "constant", key, json: "null" }
  }
  const resource = resourceNamed(model, relation.target)
  const inner = { ...enter(planning, spot, group), resource, level: spot.level + 1 }
  if (relation.kind === "one") {
    return { kind: "one", key, relation: relation.name, members: planRecord(planning, inner) }
  }
  const args = argumentsOf(planning, spot.type, group) ?? noArguments
  return { kind: "many", key, relation: relation.name, list: planList(planning, inner, args) }
}

/** A list: `spot` is its connection, whose arguments say which rows. */
export function planList(planning: Planning, spot: DocumentPlace, args: FieldArguments): List {
  const { ask, model } = planning
  const { resource, place } = spot
  const at = (name: string): Place => [...place, name]
  const where = ask({
    read: (draft, asked) => {
      const input = args.read(asked, "where")
      return readWhere(draft, resource, { input, encoding: "json", place: at("where") })
    },
    keyOf: filterKey,
    constant: args.isConstant("where"),
  })
  const order = ask({
    read: (draft, asked) => {
      const terms = (args.read(asked, "orderBy") ?? []) as Parameters<typeof readOrderBy>[2]
      return readOrder(draft, resource, readOrderBy(draft, resource, terms, at("orderBy")), at("orderBy"))
    },
    keyOf: orderKey,
    constant: args.isConstant("orderBy"),
  })
  const list = { resource, order, scope: cursorScope(model, resource, order) }
  const page = ask({
    read: (draft, asked) => {
      const read = (name: keyof PageInput): unknown => args.read(asked, name)
      const input = { first: read("first"), last: read("last"), after: read("after"), before: read("before") }
      return readPage(draft, list, input as PageInput, { names: pagePlaces, place })
    },
    keyOf: pageKey,
    constant: args.isConstant(...pageNames),
  })
  return { ...(where && { where }), order, page, members: planConnection(planning, spot) }
}

const pageNames = ["first", "last", "after", "before"] as const
const pagePlaces = { first: "first", last: "last", after: "after", before: "before" } as const

function planConnection(planning: Planning, spot: DocumentPlace): readonly ListMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
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
        const args = argumentsOf(planning, spot.type, group) ?? noArguments
        return planGroups(planning, inner(), { key, args })
      }
    }
  })
}

function planEdge(planning: Planning, spot: DocumentPlace): readonly Member[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    if (name === "cursor") return { kind: "cursor", key }
    return { kind: "object", key, members: planRecord(planning, enter(planning, spot, group)) }
  })
}

const pageFacts: Readonly<Record<string, PageInfo>> = {
  hasNextPage: "hasNext",
  hasPreviousPage: "hasPrevious",
  startCursor: "startCursor",
  endCursor: "endCursor",
}

function planPageInfo(planning: Planning, spot: DocumentPlace): readonly ListMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    if (group.name === "__typename") return typeName(group, spot)
    const fact = present(pageFacts[group.name], `no page fact ${group.name}`)
    return { kind: "page", key: group.key, fact }
  })
}

// The selection of a record's transitions, as a member of the plan.
const isTransitions = (resource: Resource, { name }: FieldGroup): boolean =>
  name === transitions && hasTransitions(resource)

/** `spot` is the record. */
function planTransitions(planning: Planning, spot: DocumentPlace, group: FieldGroup): Member {
  return { kind: "transitions", key: group.key, members: planOf(planning, enter(planning, spot, group)) }
}

function planOf(planning: Planning, spot: DocumentPlace): readonly TransitionMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    if (isSaid(name)) return { kind: "said", key, of: saidOf(planning.model, spot.resource, name) }
    if (name === "allowed") return { kind: "allowed", key }
    return { kind: "reasons", key, members: planReasons(planning, enter(planning, spot, group)) }
  })
}

function planReasons(planning: Planning, spot: DocumentPlace): readonly ReasonMember[] {
  return collectFields(planning, spot.type, spot.selections).map((group) => {
    const { key, name } = group
    if (name === "__typename") return typeName(group, spot)
    return { kind: name === "code" ? "code" : "message", key }
  })
}
