// Turns an operation into one plan. Roots that ask for data become its roots, and fields of a mutation its steps, in the
// order of the selection.
import { type GraphQLError, type GraphQLObjectType, getNamedType, isObjectType } from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import { refusal } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import {
  type AllowanceMember,
  limitsField,
  type ViewerFact,
  type ViewerLimit,
  viewerAllowance,
  viewerFact,
  viewerFacts,
  viewerLimits,
  viewerRecord,
  viewerResource,
} from "../../plan/access/actor.ts"
import { eventsRoot } from "../../plan/cost/points.ts"
import { type Draft, type PlanContext, startDraft } from "../../plan/draft/draft.ts"
import type { Question } from "../../plan/draft/plan-cache.ts"
import { recordKey } from "../../plan/draft/plan-cache.ts"
import type { Plan } from "../../plan/plan.ts"
import { readRecord, readUnique } from "../../plan/read/record.ts"
import type { Member, ReadPlan, RecordRoot, Root } from "../../plan/read-plan.ts"
import { splitGlobalId } from "../../plan/values/ids.ts"
import { isTooMuch, tooManyWrites } from "../../plan/write/write.ts"
import type { Step } from "../../plan/write-plan.ts"
import { type FieldArguments, noArguments } from "../document/arguments.ts"
import { checkDocument } from "../document/document.ts"
import { attempt, fromGraphqlError, refuse } from "../document/errors.ts"
import { collectFields, type FieldGroup, subselections } from "../document/operation.ts"
import { finishPlan, type Output, type PlannedOperation } from "../document/planned-operation.ts"
import { type GraphqlRequest, type PreparedOperation, prepareOperation } from "../document/prepare.ts"
import type { VariableRequest } from "../document/variables.ts"
import { mutationFields } from "../schema/mutation-roots.ts"
import { type RootField, rootFields } from "../schema/roots.ts"
import { buildSchema } from "../schema/schema.ts"
import { planCall } from "./code-plan.ts"
import { type Named, readEntities } from "./entities.ts"
import { planEvents } from "./event-plan.ts"
import { planChange } from "./mutation-plan.ts"
import {
  argumentsOf,
  type DocumentPlace,
  mistakes,
  type Planning,
  placeOf,
  startPlanning,
} from "./planning.ts"
import { planList, planRecord } from "./selection.ts"

export type Planned = PlannedOperation & {
  readonly plan: Plan
  /** The plan was made for this request, and is kept for the next ones of its shape. */
  readonly isNew: boolean
}

/** The plan of a document, for explaining it. @throws Refusal with everything that is wrong */
export function planDocument(context: PlanContext, request: GraphqlRequest): Plan {
  const schema = buildSchema(context.model)
  const options = { introspection: true, limits: context.model.limits }
  const { document, errors } = checkDocument(schema, request.query, options)
  if (!document || errors.length > 0) refuse(errors)
  const prepared = prepareOperation(schema, document, request.operationName, options)
  return planOperation(context, prepared, prepared.readVariables(request.variables ?? {})).plan
}

/** @throws Refusal for a mutation as well */
export function planQuery(context: PlanContext, request: GraphqlRequest): ReadPlan {
  const plan = planDocument(context, request)
  if (plan.kind === "read") return plan
  return refuse([{ code: "invalid_document", message: "A query is needed here, not a mutation." }])
}

/** @throws Refusal with every mistake in the operation's arguments */
export function planOperation(
  context: PlanContext,
  { operation, shapes, isShared }: PreparedOperation,
  asked: VariableRequest,
): Planned {
  const draft = startDraft(context)
  // Mistakes that graphql-js finds here are found again by planning, which reports all of them.
  const known = attempt(
    () => shapes.find(draft, asked),
    () => undefined,
  )
  if (known) return { ...known, plan: finishPlan(draft, known), isNew: false }
  if (isShared) draft.problems.settle()
  const fresh = startDraft(context)
  const planned = shapes.plan(fresh, asked, (ask) => planFields({ operation, draft: fresh, asked, ask }))
  return { ...planned, plan: finishPlan(fresh, planned), isNew: true }
}

function planFields(beginning: Parameters<typeof startPlanning>[0]): PlannedOperation {
  const { operation: kind } = beginning.operation.definition
  if (kind === "subscription")
    refuse([
      {
        code: "invalid_document",
        message: "A subscription is no plan: ask for the records that it follows.",
      },
    ])
  const planning = startPlanning(beginning)
  const refused = (error: GraphQLError) => refuse([fromGraphqlError("invalid_value", error)])
  const plan = kind === "mutation" ? planSteps : planRoots
  const planned = attempt(() => plan(planning), refused)
  const errors = mistakes(planning)
  if (errors.length > 0) refuse(errors)
  return present(planned, "what could not be planned is refused")
}

/** One step for each field; none when only `__typename` is asked, which changes nothing. */
function planSteps(planning: Planning): PlannedOperation {
  const { operation, model, problems } = planning
  const type = present(operation.schema.getMutationType(), "a mutation is of the schema")
  const known = mutationFields(model)
  const steps: Step[] = []
  const outputs = collectFields(planning, type, [operation.definition.selectionSet]).map((group): Output => {
    const label = `${JSON.stringify(group.key)}:`
    if (group.name === "__typename")
      return { group, label, kind: "typename", json: JSON.stringify(type.name) }
    const field = present(known.get(group.name), `no mutation ${group.name}`)
    const step =
      field.kind === "action"
        ? planCall(planning, { type, group }, field)
        : planChange(planning, { type, group }, field)
    return { group, label, kind: "data", root: steps.push(step) - 1, types: [] }
  })
  if (
    isTooMuch(
      model,
      steps.flatMap(({ writes }) => writes),
    ) &&
    problems.found.length === 0
  )
    throw refusal("too_large", tooManyWrites(model), {
      hint: "Send them in several requests.",
    })
  return steps.length === 0 ? { kind: "read", roots: [], outputs } : { kind: "write", steps, outputs }
}

function planRoots(planning: Planning): PlannedOperation {
  const { operation, model } = planning
  const query = present(operation.schema.getQueryType(), "a schema has a query type")
  const known = rootFields(model)
  const roots: Root[] = []
  const outputs = collectFields(planning, query, [operation.definition.selectionSet]).map((group): Output => {
    const label = `${JSON.stringify(group.key)}:`
    if (group.name === "__typename")
      return { group, label, kind: "typename", json: JSON.stringify(query.name) }
    const field = known.get(group.name)
    if (!field) return { group, label, kind: "introspection" }
    if (field.kind === "events") {
      const place = placeOf(planning, [], group)
      const args = argumentsOf(planning, query, group) ?? noArguments
      const events = planEvents(planning, { query, group, place, args })
      roots.push(eventsRoot(group.key, events.limit))
      return { group, label, kind: "events", events }
    }
    const root = planRoot({ planning, query, group }, field)
    return { group, label, kind: "data", root: roots.push(root) - 1, types: runtimeTypes(model, root) }
  })
  return { kind: "read", roots, outputs }
}

interface RootSpot {
  readonly planning: Planning
  readonly query: GraphQLObjectType
  readonly group: FieldGroup
}

type Nothing = ReturnType<typeof nothing>

const nothing = (key: string) => ({ kind: "constant", key, json: "null" }) as const

function planRoot(at: RootSpot, field: Exclude<RootField, { readonly kind: "events" }>): Root {
  const { planning, group, query } = at
  const { key } = group
  const place = placeOf(planning, [], group)
  const args = argumentsOf(planning, query, group)
  if (!args) return nothing(key)
  return match<typeof field, Root>(field, {
    viewer: () => planViewer(planning, objectTypeOf(at), group),
    node: () => planNode(at, args),
    nodes: () =>
      planRecords(at, {
        read: (draft, asked) => readNodes(draft, listAt(draft, at, { args, asked, name: "ids" })),
        constant: args.isConstant("ids"),
      }),
    entities: () => {
      const name = "representations"
      return planRecords(at, {
        read: (draft, asked) => readEntities(draft, listAt(draft, at, { args, asked, name }), [key, name]),
        constant: args.isConstant(name),
      })
    },
    record: ({ resource }) =>
      planOne(at, resource, {
        read: (draft, asked) => readRecord(draft, resource, String(args.read(asked, "id"))),
        keyOf: recordKey,
        constant: args.isConstant("id"),
      }),
    unique: ({ resource, unique }) =>
      planOne(at, resource, {
        read: (draft, asked) => {
          const values = Object.fromEntries(args.names.map((name) => [name, args.read(asked, name)]))
          return readUnique(draft, resource, unique, { values, encoding: "json", place })
        },
        keyOf: recordKey,
        constant: args.isConstant(...args.names),
      }),
    list: ({ resource }) => {
      const list = planList(planning, spotOf(at, resource, objectTypeOf(at)), args)
      return { kind: "list", key, resource: resource.name, list }
    },
  })
}

function objectTypeOf({ query, group }: RootSpot): GraphQLObjectType {
  const type = getNamedType(present(query.getFields()[group.name], `no root ${group.name}`).type)
  invariant(isObjectType(type), `${group.name} is an object`)
  return type
}

type AskFor<Piece> = Question<VariableRequest, Piece>
type By = RecordRoot["by"] | "missing"

function spotOf({ group }: RootSpot, resource: Resource, type: GraphQLObjectType): DocumentPlace {
  return { type, resource, selections: subselections(group), place: [group.key], level: 0 }
}

/** One record; its selection is planned even when there cannot be one, so that mistakes in it are found. */
function planOne(at: RootSpot, resource: Resource, question: AskFor<By>): RecordRoot | Nothing {
  const by = at.planning.ask(question)
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
  by: By,
  members: readonly Member[],
): RecordRoot | Nothing {
  return by === "missing" ? nothing(key) : { kind: "record", key, resource: resource.name, by, members }
}

/** A record whose id names its resource. */
function planNode(at: RootSpot, args: FieldArguments): RecordRoot | Nothing {
  const { ask, model } = at.planning
  const constant = args.isConstant("id")
  const idOf = (asked: VariableRequest): string => String(args.read(asked, "id"))
  const resource = ask({
    read: (_, asked) => splitGlobalId(model, idOf(asked))?.resource,
    keyOf: (found) => found?.name ?? "",
    constant,
  })
  if (!resource) return nothing(at.group.key)
  const read = (draft: Draft, asked: VariableRequest) => readRecord(draft, resource, idOf(asked))
  return planOne(at, resource, { read, keyOf: recordKey, constant })
}

/** Records of any kind, in the order in which they are named. */
function planRecords(at: RootSpot, question: Omit<AskFor<readonly Named[]>, "keyOf">): Root {
  const { key } = at.group
  const named = at.planning.ask({
    ...question,
    keyOf: (found) => found.map(({ resource, by }) => `${resource?.name ?? ""}/${recordKey(by)}`).join(),
  })
  const planned = new Map<Resource, readonly Member[]>()
  const of = named.map(({ resource, by }) => {
    if (!resource) return nothing(key)
    const members = planned.get(resource) ?? planMembers(at, resource)
    planned.set(resource, members)
    return recordRoot(at, resource, by, members)
  })
  return { kind: "records", key, of }
}

interface ListArgument {
  readonly args: FieldArguments
  readonly asked: VariableRequest
  readonly name: "ids" | "representations"
}

/** Empty where there are too many. */
function listAt(draft: Draft, { group }: RootSpot, { args, asked, name }: ListArgument): readonly unknown[] {
  const given = args.read(asked, name) as readonly unknown[]
  const { max } = draft.model.limits.page
  if (given.length <= max) return given
  const message = `\`${name}\` may hold at most ${max} ${name}, not ${given.length}.`
  draft.problems.add("invalid_value", [group.key, name], message, "Send them in several requests.")
  return []
}

function readNodes(draft: Draft, ids: readonly unknown[]): readonly Named[] {
  return ids.map(String).map((id) => {
    const resource = splitGlobalId(draft.model, id)?.resource
    return { resource, by: resource ? readRecord(draft, resource, id) : "missing" }
  })
}

function runtimeTypes(model: Model, root: Root): readonly (string | undefined)[] {
  const records = root.kind === "records" ? root.of : [root]
  return records.map((record) =>
    record.kind === "record" ? model.resources.get(record.resource)?.type : undefined,
  )
}

// Plans the root field `viewer`: the caller.

/** Null for anonymous callers. */
export function planViewer(planning: Planning, type: GraphQLObjectType, group: FieldGroup): Root {
  const { model, operation } = planning
  const { key } = group
  const of = collectFields(planning, type, subselections(group)).map((inner): Inner => {
    if (inner.name === "__typename") return constant(inner.key, JSON.stringify(type.name))
    if (isFact(inner.name)) return constant(inner.key, viewerFact(model, inner.name))
    if (inner.name === limitsField) return constant(inner.key, allowance(planning, type, inner))
    const resource = viewerResource(model)
    const record = resource && operation.schema.getType(resource.type)
    invariant(resource && isObjectType(record), `the viewer has ${inner.name}`)
    const place = [key, inner.key]
    const spot = { type: record, resource, selections: subselections(inner), place, level: 0 }
    return viewerRecord(resource, inner.key, planRecord(planning, spot))
  })
  return model.audience?.signedIn ? { kind: "object", key, of } : constant(key, "null")
}

/** The caller's limits: known when the request is answered. */
function allowance(planning: Planning, type: GraphQLObjectType, group: FieldGroup): string {
  const of = getNamedType(present(type.getFields()[limitsField], "the viewer has limits").type)
  invariant(isObjectType(of), "limits are an object")
  const members = collectFields(planning, of, subselections(group)).map(({ key, name }): AllowanceMember => {
    if (name === "__typename") return [key, { constant: of.name }]
    invariant(isLimit(name), `limits have ${name}`)
    return [key, name]
  })
  return viewerAllowance(members)
}

const isLimit = (name: string): name is ViewerLimit => (viewerLimits as readonly string[]).includes(name)

type Inner = Extract<Root, { readonly kind: "object" }>["of"][number]

const isFact = (name: string): name is ViewerFact => (viewerFacts as readonly string[]).includes(name)

const constant = (key: string, json: string) => ({ kind: "constant", key, json }) as const
