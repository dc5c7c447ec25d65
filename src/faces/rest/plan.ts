// A request to an address becomes a Plan. What is asked for is in select.ts, where it is asked in route.ts.
import { match } from "../../base/match.ts"
import { type Refusal, refusal } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import { type Draft, type PlanContext, startDraft } from "../../plan/draft.ts"
import { splitGlobalId } from "../../plan/ids.ts"
import { subjectName } from "../../plan/names.ts"
import { readRecord, readUnique } from "../../plan/record.ts"
import { shown } from "../../plan/shown.ts"
import type { Member, ReadPlan, RecordRoot, Root } from "../../plan/types.ts"
import type { FaceRequest } from "../exchange.ts"
import { readBody } from "./body.ts"
import { readIds, readParameters, refuseParameters } from "./parameters.ts"
import { emptyQuestion, type Question } from "./question.ts"
import { type Address, findRoutes, type Route, routeFor } from "./route.ts"
import { relationMember, selectList, selectRecord } from "./select.ts"

export type ReadRoute = Exclude<Route, { readonly kind: "openapi" }>
export type PlannedRequest = Pick<FaceRequest, "method" | "path" | "query" | "body">

/** The plan of a request, as `bifold explain` shows it. */
export function planRequest(context: PlanContext, request: PlannedRequest): ReadPlan {
  const route = routeFor(findRoutes(context.model, request.path), request.method)
  if (!route) throw refusal("method_not_allowed", `${request.method} is not served under ${request.path}.`)
  if (route.kind === "openapi")
    throw refusal("not_found", `${request.path} is answered without the database.`)
  return planRoute(context, route, readQuestion(route, request))
}

/** What the request asks of the route: by its parameters, or by the body of a POST. */
export function readQuestion(route: ReadRoute, { method, query, body }: PlannedRequest): Question {
  if (route.kind === "nodes") return readIds(query)
  if (method !== "POST") return readParameters(query)
  refuseParameters(query, "Put the question into the JSON body.")
  return readBody(body)
}

/** Throws a Refusal with every mistake in the question, else one that says that there is no such record. */
export function planRoute(context: PlanContext, route: ReadRoute, question: Question): ReadPlan {
  const draft = startDraft(context)
  const root = match<ReadRoute, Root>(route, {
    list: ({ resource }) => ({
      kind: "list",
      key: "list",
      resource: resource.name,
      list: selectList(draft, resource, question, 0),
    }),
    record: ({ resource, address }) => {
      const members = selectRecord(draft, resource, question, 0)
      return recordRoot(draft, { resource, address, members })
    },
    related: ({ resource, address, relation }) => {
      const member = relationMember(draft, relation, question, 0)
      return { ...recordRoot(draft, { resource, address, members: [member] }), bare: true }
    },
    nodes: () => nodesRoot(draft, question),
    node: ({ id }) => {
      const found = splitGlobalId(context.model, id)
      const address: Address = { kind: "id", text: id }
      const members = found ? selectRecord(draft, found.resource, question, 0) : []
      draft.problems.settle()
      if (!found) throw missingNode(id)
      return recordRoot(draft, { resource: found.resource, address, members })
    },
  })
  return draft.finish([root])
}

interface Addressed {
  readonly resource: Resource
  readonly address: Address
  readonly members: readonly Member[]
}

function recordRoot(draft: Draft, { resource, address, members }: Addressed): RecordRoot {
  const by =
    address.kind === "id"
      ? readRecord(draft, resource, address.text)
      : readUnique(draft, resource, address.unique, {
          values: address.values,
          encoding: "text",
          place: ["path"],
        })
  draft.problems.settle()
  if (by === "missing") throw missingRecord(resource, address)
  return { kind: "record", key: "record", resource: resource.name, by, members }
}

/** Records of any resource by their global ids, null where there is none. */
function nodesRoot(draft: Draft, { ids = [] }: Question): Root {
  const most = draft.model.limits.page.max
  if (ids.length > most)
    draft.problems.add(
      "invalid_value",
      ["ids"],
      `ids names ${ids.length} records; at most ${most} are given at once.`,
    )
  draft.problems.settle()
  return {
    kind: "records",
    key: "nodes",
    of: ids.map((id) => {
      const found = splitGlobalId(draft.model, id)
      const by = found ? readRecord(draft, found.resource, id) : "missing"
      if (!found || by === "missing") return { kind: "constant", key: "node", json: "null" }
      const members = selectRecord(draft, found.resource, emptyQuestion([]), 0)
      return { kind: "record", key: "node", resource: found.resource.name, by, members }
    }),
  }
}

/** The same words whether the id cannot be one or no record has it. */
export function missingRecord(resource: Resource, address: Address): Refusal {
  if (address.kind === "unique")
    return refusal("not_found", `There is no ${resource.name} with ${spelt(address.values)}.`)
  const keys = resource.uniques.map((unique) =>
    unique.members.map((member) => `${subjectName(resource, member)}=…`).join(","),
  )
  return refusal("not_found", `There is no ${resource.name} ${shown(address.text)}.`, {
    ...(address.text.includes("=") && keys.length > 0
      ? { hint: `Besides the id, these name one: ${keys.join(" or ")}.` }
      : {}),
  })
}

export function missingNode(id: string): Refusal {
  return refusal("not_found", `There is no record ${shown(id)}.`, {
    hint: "Records have global ids here, with the prefix of their resource.",
  })
}

function spelt(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(" and ")
}
