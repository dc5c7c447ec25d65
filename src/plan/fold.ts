// The one recursion over conditions, rules and selections. A pass is a table with an entry a kind. A new kind does not
// compile until each total table has its entry. A pass that only looks for something names the kinds that it looks for.
import type { Model, Relation, Resource } from "../model/model.ts"
import { relationNamed, resourceNamed, targetOf } from "./lookup.ts"
import type {
  AggregateMember,
  Filter,
  Groups,
  List,
  ListMember,
  Member,
  RecordRoot,
  Root,
} from "./read-plan.ts"

/** A condition or a rule and all within it, outermost first. */
export function partsIn<Node extends { readonly kind: string; readonly of?: unknown }>(
  node: Node,
): readonly Node[] {
  const of = (node.of ?? []) as Node | readonly Node[]
  return [node, ...(Array.isArray(of) ? of : [of]).flatMap(partsIn)]
}

/** A condition within another one, and the resource whose members it names. */
export interface PlacedFilter {
  readonly filter: Filter
  readonly resource: Resource
  /** The condition is about the record itself, and not about one that a path leads to. */
  readonly isOwn: boolean
  /** Conditions around it. */
  readonly level: number
}

/** Visits a condition and all within it, outermost first: a visit that throws keeps the others from being made. */
export function visitFilter(model: Model, placed: PlacedFilter, visit: (one: PlacedFilter) => void): void {
  visit(placed)
  const { filter, resource, isOwn, level } = placed
  if (!("of" in filter)) return
  const isPath = "relation" in filter
  const at = isPath ? targetOf(model, resource, filter.relation) : resource
  for (const part of "length" in filter.of ? filter.of : [filter.of])
    visitFilter(model, { filter: part, resource: at, isOwn: isOwn && !isPath, level: level + 1 }, visit)
}

/** The condition and all within it, outermost first. */
export function placedParts(model: Model, resource: Resource, filter: Filter): readonly PlacedFilter[] {
  const found: PlacedFilter[] = []
  visitFilter(model, { filter, resource, isOwn: true, level: 0 }, (one) => found.push(one))
  return found
}

/** Results of the conditions within one. */
type Inner<Part, Result> = Part extends { readonly of: readonly Filter[] }
  ? readonly Result[]
  : Part extends { readonly of: Filter }
    ? Result
    : undefined

/** The entries of a pass from the inside out, each with the resource whose members the condition names. */
export type FilterTable<Result> = {
  readonly [Kind in Filter["kind"]]: (
    filter: Extract<Filter, { readonly kind: Kind }>,
    inner: Inner<Extract<Filter, { readonly kind: Kind }>, Result>,
    at: Resource,
  ) => Result
}

export function foldFilter<Result>(
  model: Model,
  resource: Resource,
  filter: Filter,
  table: FilterTable<Result>,
): Result {
  const entry = table[filter.kind] as (filter: Filter, inner: unknown, at: Resource) => Result
  if (!("of" in filter)) return entry(filter, undefined, resource)
  const at = "relation" in filter ? targetOf(model, resource, filter.relation) : resource
  const of = (part: Filter): Result => foldFilter(model, at, part, table)
  return entry(filter, "length" in filter.of ? filter.of.map(of) : of(filter.of), resource)
}

/** Something that is selected, and the resource that it is of. */
export type Selected =
  | { readonly kind: "constant"; readonly root: Extract<Root, { readonly kind: "constant" }> }
  | ({ readonly kind: "record"; readonly record: RecordRoot } & At)
  | ({ readonly kind: "list"; readonly list: List; readonly owner?: Owner } & At)
  | ({ readonly kind: "member"; readonly member: Member } & At)
  | ({ readonly kind: "listMember"; readonly member: ListMember } & At)
  | ({ readonly kind: "aggregate"; readonly member: AggregateMember; readonly groups?: Groups } & At)

interface At {
  readonly resource: Resource
  /** Relations that lead there. */
  readonly level: number
}

/** A record of the resource has the list by the relation. */
interface Owner {
  readonly resource: Resource
  readonly relation: Relation
}

type Visit = (one: Selected) => void

/** Visits everything that the roots select, each part before its own parts, as `visitFilter` does. */
export function visitSelected(model: Model, roots: readonly Root[], visit: Visit): void {
  for (const root of roots) {
    if (root.kind === "constant") visit({ kind: "constant", root })
    else if (root.kind === "records" || root.kind === "object") visitSelected(model, root.of, visit)
    else {
      const at = { resource: resourceNamed(model, root.resource), level: 0 }
      if (root.kind === "list") visitList(model, { list: root.list, ...at }, visit)
      else {
        visit({ kind: "record", record: root, ...at })
        visitMembers(model, at, root.members, visit)
      }
    }
  }
}

export function selectedIn(model: Model, roots: readonly Root[]): readonly Selected[] {
  const found: Selected[] = []
  visitSelected(model, roots, (one) => found.push(one))
  return found
}

/** All that members of a record select. */
function visitMembers(model: Model, at: At, members: readonly Member[], visit: Visit): void {
  for (const member of members) {
    visit({ kind: "member", member, ...at })
    if (member.kind === "object") visitMembers(model, at, member.members, visit)
    else if (member.kind === "one" || member.kind === "many") {
      const target = { resource: targetOf(model, at.resource, member.relation), level: at.level + 1 }
      const owner = { resource: at.resource, relation: relationNamed(at.resource, member.relation) }
      if (member.kind === "one") visitMembers(model, target, member.members, visit)
      else visitList(model, { list: member.list, owner, ...target }, visit)
    }
  }
}

function visitList(
  model: Model,
  list: Omit<Extract<Selected, { kind: "list" }>, "kind">,
  visit: Visit,
): void {
  visit({ kind: "list", ...list })
  visitListMembers(model, { resource: list.resource, level: list.level }, list.list.members, visit)
}

function visitListMembers(model: Model, at: At, members: readonly ListMember[], visit: Visit): void {
  for (const member of members) {
    visit({ kind: "listMember", member, ...at })
    if (member.kind === "rows") visitMembers(model, at, member.members, visit)
    if (member.kind === "object") visitListMembers(model, at, member.members, visit)
    const groups = member.kind === "groups" ? member.groups : undefined
    const measured = member.kind === "aggregate" ? member.members : (groups?.members ?? [])
    for (const one of withoutObjects(measured))
      visit({ kind: "aggregate", member: one, ...(groups && { groups }), ...at })
  }
}

/** The members themselves, whatever objects they are wrapped in. */
export const withoutObjects = <Of extends Member | ListMember | AggregateMember>(
  members: readonly Of[],
): readonly Of[] =>
  members.flatMap((member) =>
    member.kind === "object" ? withoutObjects(member.members as unknown as readonly Of[]) : [member],
  )
