// From an operation to one plan: every root that asks for data becomes a root of it, in the order of the selection.
import { type GraphQLError, type GraphQLObjectType, getNamedType, isObjectType } from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Resource } from "../../model/model.ts"
import { type PlanContext, startDraft } from "../../plan/draft.ts"
import { splitGlobalId } from "../../plan/ids.ts"
import { readRecord, readUnique } from "../../plan/record.ts"
import type { Member, ReadPlan, RecordRoot, Root } from "../../plan/types.ts"
import { checkDocument } from "./document.ts"
import { attempt, fromGraphqlError } from "./errors.ts"
import { collectFields, type FieldGroup, type Operation, subselections } from "./operation.ts"
import { mistakes, type Planning, placeOf, readArguments, type Spot, startPlanning } from "./planning.ts"
import { type GraphqlRequest, prepareOperation, refuse } from "./prepare.ts"
import { type RootField, rootFields } from "./roots.ts"
import { buildSchema } from "./schema.ts"
import { planList, planRecord } from "./selection.ts"

export interface Planned {
  readonly operation: Operation
  readonly plan: ReadPlan
  /** One per response key, in the order of the answer. */
  readonly outputs: readonly Output[]
}

/** Where the value of a root field comes from. */
export type Output = { readonly group: FieldGroup } & (
  | { readonly kind: "typename"; readonly type: string }
  | { readonly kind: "introspection" }
  | {
      readonly kind: "data"
      /** Index into the plan's roots. */
      readonly root: number
      /** For `node` and `nodes`: the type of each record that there may be. */
      readonly types: readonly (string | undefined)[]
    }
)

/** The plan that a request amounts to, for explaining it. @throws Refusal with everything that is wrong */
export function planDocument(context: PlanContext, request: GraphqlRequest): ReadPlan {
  const schema = buildSchema(context.model)
  const { document, errors } = checkDocument(schema, request.query, { introspection: true })
  if (!document || errors.length > 0) refuse(errors)
  return planOperation(context, prepareOperation(schema, document, request, true)).plan
}

/** @throws Refusal with every mistake in the operation's arguments */
export function planOperation(context: PlanContext, operation: Operation): Planned {
  const draft = startDraft(context)
  const planning = startPlanning(operation, draft)
  const refused = (error: GraphQLError) => refuse([fromGraphqlError("invalid_value", error)])
  const planned = attempt(() => planRoots(planning), refused)
  const errors = mistakes(planning)
  if (errors.length > 0) refuse(errors)
  const { roots, outputs } = present(planned, "what could not be planned is refused")
  return { operation, plan: draft.finish(roots), outputs }
}

function planRoots(planning: Planning): { roots: readonly Root[]; outputs: readonly Output[] } {
  const { operation, draft } = planning
  const query = present(operation.schema.getQueryType(), "a schema has a query type")
  const known = rootFields(draft.model)
  const roots: Root[] = []
  const outputs = collectFields(operation, query, [operation.definition.selectionSet]).map(
    (group): Output => {
      if (group.name === "__typename") return { group, kind: "typename", type: query.name }
      const field = known.get(group.name)
      if (!field) return { group, kind: "introspection" }
      const root = planRoot({ planning, query, group }, field)
      return { group, kind: "data", root: roots.push(root) - 1, types: runtimeTypes(draft, root) }
    },
  )
  return { roots, outputs }
}

interface RootSpot {
  readonly planning: Planning
  readonly query: GraphQLObjectType
  readonly group: FieldGroup
}

type Nothing = ReturnType<typeof nothing>

const nothing = (key: string) => ({ kind: "constant", key, json: "null" }) as const

function planRoot(at: RootSpot, field: RootField): Root {
  const { planning, group, query } = at
  const { draft } = planning
  const { key } = group
  const place = placeOf(planning, [], group)
  const args = readArguments(planning, query, group)
  if (!args) return nothing(key)
  return match<RootField, Root>(field, {
    node: () => planNode(at, String(args.id)),
    nodes: () => planNodes(at, args.ids as readonly string[]),
    record: ({ resource }) => planOne(at, resource, readRecord(draft, resource, String(args.id))),
    unique: ({ resource, unique }) =>
      planOne(at, resource, readUnique(draft, resource, unique, { values: args, encoding: "json", place })),
    list: ({ resource }) => {
      const type = getNamedType(present(query.getFields()[group.name], `no root ${group.name}`).type)
      invariant(isObjectType(type), `${group.name} is a connection`)
      const list = planList(planning, spotOf(at, resource, type), args)
      return { kind: "list", key, resource: resource.name, list }
    },
  })
}

function spotOf({ group }: RootSpot, resource: Resource, type: GraphQLObjectType): Spot {
  return { type, resource, selections: subselections(group), place: [group.key], level: 0 }
}

/** One record; its selection is planned even when there cannot be one, so that mistakes in it are found. */
function planOne(at: RootSpot, resource: Resource, by: RecordRoot["by"] | "missing"): RecordRoot | Nothing {
  return recordRoot(at, resource, by, planMembers(at, resource))
}

function planMembers(at: RootSpot, resource: Resource): readonly Member[] {
  const type = at.planning.operation.schema.getType(resource.type)
  invariant(isObjectType(type), `${resource.type} is an object type`)
  return planRecord(at.planning, spotOf(at, resource, type))
}

function recordRoot(
  { group: { key } }: RootSpot,
  resource: Resource,
  by: RecordRoot["by"] | "missing",
  members: readonly Member[],
): RecordRoot | Nothing {
  return by === "missing" ? nothing(key) : { kind: "record", key, resource: resource.name, by, members }
}

/** A record whose resource is told by its id. */
function planNode(at: RootSpot, id: string): RecordRoot | Nothing {
  const { draft } = at.planning
  const found = splitGlobalId(draft.model, id)
  return found ? planOne(at, found.resource, readRecord(draft, found.resource, id)) : nothing(at.group.key)
}

function planNodes(at: RootSpot, ids: readonly string[]): Root {
  const { draft } = at.planning
  const { key } = at.group
  const { max } = draft.model.limits.page
  if (ids.length > max) {
    const message = `\`ids\` may hold at most ${max} ids, not ${ids.length}.`
    draft.problems.add("invalid_value", [key, "ids"], message, "Send them in several requests.")
    return nothing(key)
  }
  const planned = new Map<Resource, readonly Member[]>()
  const of = ids.map((id) => {
    const resource = splitGlobalId(draft.model, id)?.resource
    if (!resource) return nothing(key)
    const members = planned.get(resource) ?? planMembers(at, resource)
    planned.set(resource, members)
    return recordRoot(at, resource, readRecord(draft, resource, id), members)
  })
  return { kind: "records", key, of }
}

function runtimeTypes({ model }: PlanContext, root: Root): readonly (string | undefined)[] {
  const records = root.kind === "records" ? root.of : [root]
  return records.map((record) =>
    record.kind === "record" ? model.resources.get(record.resource)?.type : undefined,
  )
}
