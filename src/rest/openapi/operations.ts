// Operations of the OpenAPI document: every address that route.ts knows, for each resource.

import { csv, json, ndjson } from "../../http/accept.ts"
import { objectSchema } from "../../http/json-schema.ts"
import type { Relation, Resource, Unique } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import { viewerFacts, viewerResource } from "../../plan/access/viewer.ts"
import { subjectName } from "../../plan/lookup.ts"
import { relationSegments } from "../http/route.ts"
import { freeName, type Json } from "./components.ts"
import { conditionalParameters, listParameters, pathParameter, recordParameters } from "./parameters.ts"
import { headerOf, problemOf } from "./responses.ts"
import { listSchema, questionSchema, recordSchema, targetOf } from "./schemas.ts"
import type { Describing } from "./values.ts"

export type PathItem = readonly [path: string, item: Json]

export const generalTag = "Service"
export const batchAddress = "/batch"

/** Names of operations are unique in a document. */
export type NameOperation = (name: string) => string

export function resourcePaths(
  describing: Describing,
  resource: Resource,
  name: NameOperation,
): readonly PathItem[] {
  const { type, path } = resource
  const tags = [type]
  const collection = pascalCase(resource.collection)
  const list = {
    get: {
      tags,
      operationId: name(`list${collection}`),
      summary: `List ${resource.collection}`,
      parameters: [...listParameters(describing, resource), ...conditionalParameters(describing)],
      responses: responses(describing, { ok: listContent(describing, resource), link: true }),
    },
  }
  const query = {
    post: {
      tags,
      operationId: name(`query${collection}`),
      summary: `List ${resource.collection}, with the question in the body`,
      requestBody: {
        required: true,
        content: { [json.name]: { schema: questionSchema(describing, resource) } },
      },
      responses: responses(describing, { ok: listContent(describing, resource), asked: "body" }),
    },
  }
  const paths: PathItem[] = [
    [`/${path}`, list],
    [`/${path}/query`, query],
  ]
  if (!resource.key) return paths
  const id = pathParameter("id", `The id of the ${resource.name}, with or without its prefix.`)
  paths.push([`/${path}/{id}`, recordItem(describing, resource, { id: name(`get${type}`), path: [id] })])
  for (const unique of resource.uniques) paths.push(uniqueItem(describing, resource, unique, name))
  for (const [segment, relation] of relationSegments(resource))
    paths.push([`/${path}/{id}/${segment}`, relatedItem(describing, resource, relation, name)])
  return paths
}

interface Operation {
  readonly id: string
  readonly path: readonly Json[]
  readonly summary?: string
}

function recordItem(
  describing: Describing,
  resource: Resource,
  { id, path, summary }: Operation,
  owner = resource,
): Json {
  return {
    get: {
      tags: [owner.type],
      operationId: id,
      summary: summary ?? `Get one ${resource.name}`,
      parameters: [...path, ...recordParameters(resource), ...conditionalParameters(describing)],
      responses: responses(describing, {
        ok: { [json.name]: { schema: recordSchema(describing, resource) } },
        one: true,
      }),
    },
  }
}

function uniqueItem(
  describing: Describing,
  resource: Resource,
  unique: Unique,
  name: NameOperation,
): PathItem {
  const members = unique.members.map((member) => subjectName(resource, member))
  const { path, parameters } = uniquePath(resource, unique)
  return [
    path,
    recordItem(describing, resource, {
      id: name(`get${resource.type}By${pascalCase(unique.name)}`),
      path: parameters,
      summary: `Get one ${resource.name} by ${members.join(" and ")}`,
    }),
  ]
}

/** The address of a record by a unique key. */
export function uniquePath(
  resource: Resource,
  unique: Unique,
): { readonly path: string; readonly parameters: readonly Json[] } {
  const members = unique.members.map((member) => subjectName(resource, member))
  return {
    path: `/${resource.path}/${members.map((member) => `${member}={${member}}`).join(",")}`,
    parameters: members.map((member) => pathParameter(member, `The ${resource.name}'s ${member}.`)),
  }
}

function relatedItem(
  describing: Describing,
  resource: Resource,
  relation: Relation,
  name: NameOperation,
): Json {
  const target = targetOf(describing, relation)
  const id = pathParameter("id", `The id of the ${resource.name}, with or without its prefix.`)
  const related = `${pascalCase(relation.name)}Of${resource.type}`
  if (relation.kind === "one")
    return recordItem(
      describing,
      target,
      { id: name(`get${related}`), path: [id], summary: `Get the ${relation.name} of one ${resource.name}` },
      resource,
    )
  return {
    get: {
      tags: [resource.type],
      operationId: name(`list${related}`),
      summary: `List the ${relation.name} of one ${resource.name}`,
      parameters: [id, ...listParameters(describing, target), ...conditionalParameters(describing)],
      responses: responses(describing, { ok: listContent(describing, target), one: true, link: true }),
    },
  }
}

/** Addresses that are about no resource of their own. */
export function generalPaths(describing: Describing, name: NameOperation): readonly PathItem[] {
  const keyed = [...describing.model.resources.values()].filter(({ key }) => key)
  const tags = [generalTag]
  const description: PathItem = [
    "/openapi.json",
    {
      get: {
        tags,
        operationId: name("describeService"),
        summary: "This document",
        parameters: conditionalParameters(describing),
        responses: responses(describing, { ok: { [json.name]: { schema: { type: "object" } } } }),
      },
    },
  ]
  const viewer = viewerPath(describing, name)
  if (keyed.length === 0) return [...viewer, description]
  const any = keyed.map((resource) => recordSchema(describing, resource))
  const nodes = objectSchema([["data", { type: "array", items: { anyOf: [...any, { type: "null" }] } }]], {
    required: ["data"],
  })
  const ids = {
    name: "ids",
    in: "query",
    required: true,
    description: "Global ids.",
    style: "form",
    explode: false,
    schema: { type: "array", items: { type: "string" }, maxItems: describing.model.limits.page.max },
  }
  return [
    [
      "/nodes",
      {
        get: {
          tags,
          operationId: name("listNodes"),
          summary: "Get records of any kind by their global ids, null where there is none",
          parameters: [ids, ...conditionalParameters(describing)],
          responses: responses(describing, {
            ok: {
              [json.name]: {
                schema: describing.components.refer(
                  "schemas",
                  freeName(describing.taken, "NodeList"),
                  () => nodes,
                ),
              },
            },
          }),
        },
      },
    ],
    [
      "/nodes/{id}",
      {
        get: {
          tags,
          operationId: name("getNode"),
          summary: "Get one record of any kind by its global id",
          description: "Takes `fields` and `include` as the record's own address does.",
          parameters: [
            pathParameter("id", "A global id, with its prefix."),
            ...conditionalParameters(describing),
          ],
          responses: responses(describing, {
            ok: { [json.name]: { schema: any.length === 1 ? (any[0] ?? {}) : { anyOf: any } } },
            one: true,
          }),
        },
      },
    ],
    ...viewer,
    description,
  ]
}

/** Where everybody may do everything nobody is anybody. */
function viewerPath(describing: Describing, name: (wanted: string) => string): readonly [string, Json][] {
  const { model } = describing
  if (!model.audience?.signedIn) return []
  const resource = viewerResource(model)
  const facts = viewerFacts.map((fact): [string, Json] => [
    fact,
    { type: "array", items: { type: "string" } },
  ])
  const record: [string, Json][] = resource
    ? [[resource.name, { anyOf: [recordSchema(describing, resource), { type: "null" }] }]]
    : []
  const schema = objectSchema([...facts, ...record], { required: [...viewerFacts] })
  return [
    [
      "/viewer",
      {
        get: {
          tags: [generalTag],
          operationId: name("getViewer"),
          summary: "Get the caller: roles, scopes and record",
          description: "Takes `fields` and `include` as the record's own address does.",
          parameters: conditionalParameters(describing),
          responses: responses(describing, { ok: { [json.name]: { schema } } }),
        },
      },
    ],
  ]
}

function listContent(describing: Describing, resource: Resource): Json {
  return {
    [json.name]: { schema: listSchema(describing, resource) },
    [csv.name]: { schema: { type: "string" } },
    [ndjson.name]: { schema: { type: "string" } },
  }
}

interface Answers {
  /** Content by media type. */
  readonly ok: Json
  /** There may be no such record. */
  readonly one?: boolean
  readonly link?: boolean
  /** A question in a body has no ETag, and must be of a media type. */
  readonly asked?: "body"
}

function responses(describing: Describing, { ok, one, link, asked }: Answers): Json {
  const { components } = describing
  const problem = (name: string, description: string): Json => problemOf(describing, name, description)
  const headers = {
    ...(asked ? {} : headerOf(describing, "ETag", "Identifies this answer, byte for byte.")),
    ...(link
      ? {
          ...headerOf(describing, "Link", "Addresses of the next, previous and first page (RFC 8288)."),
          ...headerOf(describing, "Preference-Applied", "The preferences that were applied (RFC 7240)."),
        }
      : {}),
  }
  return {
    200: { description: "Found.", ...(Object.keys(headers).length > 0 ? { headers } : {}), content: ok },
    ...(asked
      ? {}
      : {
          304: components.refer("responses", link ? "ListNotModified" : "NotModified", () => ({
            description: "The answer is the one that If-None-Match names.",
            headers,
          })),
        }),
    400: problem(
      "BadRequest",
      "The request names what does not exist, or has a wrong value; all mistakes are named.",
    ),
    ...(one ? { 404: problem("NotFound", "Record not found.") } : {}),
    406: problem("NotAcceptable", "None of the media types in Accept is available."),
    ...(asked ? { 415: problem("UnsupportedMediaType", "The body is not JSON.") } : {}),
    default: problem("Failure", "Something is wrong on the side of the service."),
  }
}
