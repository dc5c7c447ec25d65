// A request to an address becomes a Plan. select.ts reads the wanted members, route.ts the address.

import { RequestCache } from "../../base/caches.ts"
import { match } from "../../base/match.ts"
import { type Problems, refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"
import type { Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import {
  hasLimits,
  limitsField,
  viewerAllowance,
  viewerFact,
  viewerFacts,
  viewerLimits,
  viewerRecord,
  viewerResource,
} from "../../plan/access/actor.ts"
import { type Draft, type PlanContext, startDraft } from "../../plan/draft/draft.ts"
import { createShapes, recordKey, type Shapes } from "../../plan/draft/plan-cache.ts"
import { readRecord } from "../../plan/read/record.ts"
import type { Member, ReadPlan, RecordRoot, Root } from "../../plan/read-plan.ts"
import { splitGlobalId } from "../../plan/values/ids.ts"
import { unauthenticated } from "../http/hidden-routes.ts"
import { missingNode, missingRecord } from "../http/not-found.ts"
import { type Address, createAddresses, findRoutes, isRead, type ReadRoute, routeFor } from "../http/route.ts"
import { findAddress } from "../question/address.ts"
import { readBody } from "../question/body.ts"
import { readIds, readParameters, refuseParameters } from "../question/parameters.ts"
import type { Inquiry, ReadContext, Selecting } from "../question/request-context.ts"
import { emptyQuestion, type Question, structureOf } from "../question/rest-query.ts"
import { relationMember, selectList, selectRecord } from "./select.ts"
import { transitionsMember } from "./transitions.ts"

export type PlannedRequest = Pick<FaceRequest, "method" | "path" | "query" | "body">

/** The plan of a request, as `bifold explain` shows it. */
export function planRequest(context: PlanContext, request: PlannedRequest): ReadPlan {
  const route = routeFor(findRoutes(createAddresses(context.model), request.path), request.method)
  if (!route) throw refusal("method_not_allowed", `${request.method} is not served under ${request.path}.`)
  if (!isRead(route)) throw refusal("not_found", `${request.method} ${request.path} reads no records.`)
  const question = readQuestion(route, request)
  return planRoute(context, createShapes(new RequestCache()), {
    route,
    question,
    structure: structureOf(question),
  })
}

/** The query of the request: from its parameters, or from the body of a POST. */
export function readQuestion(route: ReadRoute, { method, query, body }: PlannedRequest): Question {
  if (method !== "POST") return planRead(route, query)
  refuseParameters(query, "Put the question into the JSON body.")
  return readBody(body)
}

/** The query of a GET. */
export const planRead = (route: ReadRoute, query: string): Question =>
  route.kind === "nodes" ? readIds(query) : readParameters(query)

export type RestShapes = Shapes<ReadContext, ReadPlan["roots"]>

/** Throws a Refusal with every mistake in the question, else one that says that there is no such record. */
export function planRoute(context: PlanContext, shapes: RestShapes, asked: ReadContext): ReadPlan {
  const draft = startDraft(context)
  const known = shapes.find(draft, asked)
  if (known) return draft.finish(known)
  const fresh = startDraft(context)
  const roots = shapes.plan(fresh, asked, (ask) => {
    ask({ read: (_, { route }) => route, keyOf: routeKey })
    ask({ read: (_, { structure }) => structure, keyOf: String })
    const root = planRoot({ model: context.model, problems: fresh.problems, ask }, asked)
    fresh.problems.settle()
    return [root]
  })
  return fresh.finish(roots)
}

function routeKey(route: ReadRoute): string {
  switch (route.kind) {
    case "list":
      return `list ${route.resource.name}`
    case "record":
    case "transitions":
      return `${route.kind} ${route.resource.name} ${addressKey(route.address)}`
    case "related":
      return `related ${route.resource.name} ${route.relation.name} ${addressKey(route.address)}`
    default:
      return route.kind
  }
}

export const addressKey = (address: Address): string => (address.kind === "id" ? "" : address.unique.name)

/** Throws a Refusal when there can be no such record. */
export function planRoot(selecting: Selecting<ReadContext>, { route, question }: ReadContext): Root {
  const inquiry: Inquiry = { question, of: (asked) => asked.question }
  return match<ReadRoute, Root>(route, {
    list: ({ resource }) => ({
      kind: "list",
      key: "list",
      resource: resource.name,
      list: selectList(selecting, resource, inquiry, 0),
    }),
    record: ({ resource, address }) =>
      versioned(
        recordRoot(selecting, { resource, address, members: selectRecord(selecting, resource, inquiry, 0) }),
      ),
    related: ({ resource, address, relation }) => {
      const member = relationMember(selecting, relation, inquiry, 0)
      return { ...recordRoot(selecting, { resource, address, members: [member] }), bare: true }
    },
    transitions: ({ resource, address }) => {
      refuseUnusedParameters(selecting.problems, question, "transitions are returned as a whole")
      const members = [transitionsMember(selecting.model, resource)]
      return { ...recordRoot(selecting, { resource, address, members }), bare: true }
    },
    viewer: () => viewerRoot(selecting, inquiry),
    nodes: () => nodesRoot(selecting),
    node: ({ id }) => {
      const resource = askNode(selecting)
      const members = resource ? selectRecord(selecting, resource, inquiry, 0) : []
      selecting.problems.settle()
      if (!resource) throw missingNode(id)
      return versioned(recordRoot(selecting, { resource, address: { kind: "id", text: id }, members }))
    },
  })
}

/** Where nothing can be asked. */
export function refuseUnusedParameters(problems: Problems, { given }: Question, why: string): readonly [] {
  for (const name of given)
    problems.add("unknown_parameter", [name], `${name} is not a parameter here: ${why}.`)
  return []
}

/** The answer is the record, so its version tells two answers apart. */
const versioned = (root: RecordRoot): RecordRoot => ({ ...root, versioned: true })

interface Addressed {
  readonly resource: Resource
  readonly address: Address
  readonly members: readonly Member[]
}

function recordRoot(selecting: Selecting, { resource, address, members }: Addressed): RecordRoot {
  const by = askRecord(selecting, resource)
  selecting.problems.settle()
  if (by === "missing") throw missingRecord(resource, address)
  return { kind: "record", key: "record", resource: resource.name, by, members }
}

type By = RecordRoot["by"] | "missing"

function askRecord({ ask }: Selecting, resource: Resource): By {
  return ask({
    read: (draft, asked) =>
      asked.route.kind === "node" ? readRecord(draft, resource, asked.route.id) : findAddress(draft, asked),
    keyOf: recordKey,
  })
}

/** Whose id the route names. */
function askNode({ ask, model }: Selecting): Resource | undefined {
  return ask({
    read: (_, { route }) => (route.kind === "node" ? splitGlobalId(model, route.id)?.resource : undefined),
    keyOf: (resource) => resource?.name ?? "",
  })
}

/** The caller, whose record takes `fields` and `include`. */
function viewerRoot(selecting: Selecting<ReadContext>, inquiry: Inquiry): Root {
  const { model } = selecting
  if (!model.audience?.signedIn) throw unauthenticated()
  const resource = viewerResource(model)
  const facts = viewerFacts.map(
    (fact) => ({ kind: "constant", key: fact, json: viewerFact(model, fact) }) as const,
  )
  const members = resource && selectRecord(selecting, resource, inquiry, 0)
  selecting.problems.settle()
  const record = resource && members ? [viewerRecord(resource, apiName(resource), members)] : []
  const limits = hasLimits(model)
    ? [
        {
          kind: "constant",
          key: limitsField,
          json: viewerAllowance(viewerLimits.map((name) => [name, name])),
        } as const,
      ]
    : []
  return { kind: "object", key: "viewer", of: [...facts, ...limits, ...record] }
}

/** Records of any resource by their global ids, null for an unknown id. */
function nodesRoot(selecting: Selecting): Root {
  const named = selecting.ask({
    read: (draft, { question }) => readNodes(draft, question.ids ?? []),
    keyOf: (found) => found.map(({ resource, by }) => `${resource?.name ?? ""}/${recordKey(by)}`).join(),
  })
  selecting.problems.settle()
  const nothing = emptyQuestion([])
  return {
    kind: "records",
    key: "nodes",
    of: named.map(({ resource, by }) => {
      if (!resource || by === "missing") return { kind: "constant", key: "node", json: "null" }
      const members = selectRecord(selecting, resource, { question: nothing, of: () => nothing }, 0)
      return { kind: "record", key: "node", resource: resource.name, by, members }
    }),
  }
}

interface NamedRecord {
  readonly resource: Resource | undefined
  readonly by: By
}

function readNodes(draft: Draft, ids: readonly string[]): readonly NamedRecord[] {
  const most = draft.model.limits.page.max
  if (ids.length > most) {
    const message = `ids names ${ids.length} records; at most ${most} are given at once.`
    draft.problems.add("invalid_value", ["ids"], message)
    return []
  }
  return ids.map((id) => {
    const resource = splitGlobalId(draft.model, id)?.resource
    return { resource, by: resource ? readRecord(draft, resource, id) : "missing" }
  })
}
