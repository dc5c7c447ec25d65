// Operations of the OpenAPI document that read.

import { csv, json, ndjson } from "../../http/accept.ts"
import { listSchema, recordSchema, targetOf } from "../../http/schemas/records.ts"
import { objectSchema } from "../../http/schemas/values.ts"
import type { Relation, Resource } from "../../model/model.ts"
import { apiName, pascalCase } from "../../model/names.ts"
import {
  hasLimits,
  limitsField,
  type ViewerLimit,
  viewerFacts,
  viewerLimits,
  viewerResource,
} from "../../plan/access/viewer.ts"
import { subjectName } from "../../plan/lookup.ts"
import { relationSegments } from "../http/route.ts"
import type { Json } from "./components.ts"
import { liveContent, liveParameters } from "./events.ts"
import {
  addressesOf,
  generalTag,
  headerOf,
  type Operation,
  preferenceApplied,
  problemsOf,
} from "./operations.ts"
import { ifNoneMatch, listParameters, pathParameter, recordParameters } from "./parameters.ts"
import { questionSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

export function resourceReads(describing: Describing, resource: Resource): readonly Operation[] {
  const { type, path, key } = resource
  const name = apiName(resource)
  const tag = type
  const collection = pascalCase(resource.collection)
  const records = listContent(describing, resource)
  const lists: readonly Operation[] = [
    readOf(describing, {
      ...{ tag, path: `/${path}`, id: `list${collection}`, summary: `List ${resource.collection}` },
      parameters: listParameters(describing, resource),
      content: records,
      pages: true,
    }),
    {
      ...{ tag, method: "post", path: `/${path}/query`, id: `query${collection}` },
      summary: `List ${resource.collection}, with the question in the body`,
      body: { required: true, content: { [json.name]: { schema: questionSchema(describing, resource) } } },
      responses: {
        200: { description: "Found.", content: records },
        ...problemsOf(describing, [406, 415]),
      },
    },
  ]
  if (!key) return lists
  const addresses = addressesOf(resource)
  const single = addresses.map(({ unique, suffix, ...address }) => {
    const members = unique?.members.map((member) => subjectName(resource, member))
    return readOf(describing, {
      ...{ tag, path: address.path, id: `get${type}${suffix}` },
      summary: `Get one ${name}${members ? ` by ${members.join(" and ")}` : ""}`,
      parameters: [...address.parameters, ...recordParameters(resource)],
      content: recordContent(describing, resource),
      one: true,
    })
  })
  const related = [...relationSegments(resource)].map(([segment, relation]) => {
    const [{ path: record, parameters }] = addresses
    const read = relatedRead(describing, resource, relation)
    return readOf(describing, {
      ...{ tag, path: `${record}/${segment}`, one: true },
      ...read,
      parameters: [...parameters, ...read.parameters],
    })
  })
  return [...lists, ...single, ...related]
}

function relatedRead(describing: Describing, resource: Resource, relation: Relation) {
  const { type } = resource
  const name = apiName(resource)
  const target = targetOf(describing, relation)
  const related = `${pascalCase(relation.name)}Of${type}`
  return relation.kind === "one"
    ? {
        id: `get${related}`,
        summary: `Get the ${relation.name} of one ${name}`,
        parameters: recordParameters(target),
        content: recordContent(describing, target),
      }
    : {
        id: `list${related}`,
        summary: `List the ${relation.name} of one ${name}`,
        parameters: listParameters(describing, target),
        content: listContent(describing, target),
        pages: true,
      }
}

const asRecord = "Takes `fields` and `include` as the record's own address does."

/** Reads that are about no resource of their own. */
export function generalReads(describing: Describing): readonly Operation[] {
  const { model } = describing
  const keyed = [...model.resources.values()].filter(({ key }) => key)
  const general = (
    path: string,
    schema: Json,
    row: Pick<Reading, "id" | "summary"> & Partial<Reading>,
  ): Operation =>
    readOf(describing, {
      ...{ tag: generalTag, path, parameters: [], content: { [json.name]: { schema } } },
      ...row,
    })
  const description = general(
    "/openapi.json",
    { type: "object" },
    { id: "describeService", summary: "This document" },
  )
  // A service without rules has no viewer.
  const viewer = model.audience?.signedIn
    ? [
        general("/viewer", viewerSchema(describing), {
          ...{ id: "getViewer", summary: "Get the caller: roles, scopes and record" },
          description: asRecord,
        }),
      ]
    : []
  if (keyed.length === 0) return [...viewer, description]
  const any = keyed.map((resource) => recordSchema(describing, resource))
  const nodes = describing.derived("NodeList", () =>
    objectSchema([["data", { type: "array", items: { anyOf: [...any, { type: "null" }] } }]], {
      required: ["data"],
    }),
  )
  const ids = {
    ...{ name: "ids", in: "query", required: true, description: "Global ids.", style: "form" },
    explode: false,
    schema: { type: "array", items: { type: "string" }, maxItems: model.limits.page.max },
  }
  return [
    general("/nodes", nodes, {
      id: "listNodes",
      summary: "Get records of any kind by their global ids, null where there is none",
      parameters: [ids],
    }),
    general("/nodes/{id}", any.length === 1 ? (any[0] ?? {}) : { anyOf: any }, {
      ...{ id: "getNode", summary: "Get one record of any kind by its global id", description: asRecord },
      parameters: [pathParameter("id", "A global id, with its prefix.")],
      one: true,
    }),
    ...viewer,
    description,
  ]
}

function viewerSchema(describing: Describing): Json {
  const resource = viewerResource(describing.model)
  const facts = viewerFacts.map((fact): [string, Json] => [
    fact,
    { type: "array", items: { type: "string" } },
  ])
  const record: [string, Json][] = resource
    ? [[apiName(resource), { anyOf: [recordSchema(describing, resource), { type: "null" }] }]]
    : []
  const limits: [string, Json][] = hasLimits(describing.model) ? [[limitsField, limitsSchema]] : []
  return objectSchema([...facts, ...limits, ...record], { required: [...viewerFacts] })
}

const count = { type: ["integer", "null"] }
const limitsSchema = objectSchema(
  Object.entries({
    tier: { type: ["string", "null"] },
    perRequest: { type: "integer" },
    perMinute: count,
    concurrent: count,
    remaining: count,
    resetAt: { type: ["string", "null"], format: "date-time" },
  } satisfies Readonly<Record<ViewerLimit, Json>>),
  { required: [...viewerLimits] },
)

const recordContent = (describing: Describing, resource: Resource): Json => ({
  [json.name]: { schema: recordSchema(describing, resource) },
})

const listContent = (describing: Describing, resource: Resource): Json => ({
  [json.name]: { schema: listSchema(describing, resource) },
  [csv.name]: { schema: { type: "string" } },
  [ndjson.name]: { schema: { type: "string" } },
})

interface Reading extends Omit<Operation, "method" | "responses"> {
  readonly parameters: readonly Json[]
  /** By media type. */
  readonly content: Json
  /** There may be no such record. */
  readonly one?: boolean
  /** A list, with its neighbouring pages. */
  readonly pages?: boolean
}

/** A read by GET, which may be conditional. */
function readOf(describing: Describing, { content, one, pages, ...row }: Reading): Operation {
  const headers = {
    ...headerOf(describing, "ETag", "Identifies this answer, byte for byte."),
    ...(pages && {
      ...headerOf(describing, "Link", "Addresses of the next, previous and first page (RFC 8288)."),
      ...preferenceApplied(describing),
    }),
  }
  const lasts = one === true || pages === true
  const unchanged = describing.components.refer(
    "responses",
    pages ? "ListNotModified" : "NotModified",
    () => ({
      description: "The answer is the one that If-None-Match names.",
      headers,
    }),
  )
  return {
    ...row,
    method: "get",
    parameters: [...row.parameters, ...(lasts ? liveParameters(describing) : []), ifNoneMatch(describing)],
    responses: {
      200: {
        description: "Found.",
        headers,
        content: { ...content, ...(lasts && liveContent(describing)) },
      },
      304: unchanged,
      ...problemsOf(describing, one ? [404, 406] : [406]),
    },
  }
}
