// Operations of the OpenAPI document that read.

import { json } from "../../http/accept.ts"
import { answerSchema, targetOf } from "../../http/schemas/records.ts"
import { depths, nullableWhen, objectSchema, purposes } from "../../http/schemas/values.ts"
import type { Relation, Resource } from "../../model/model.ts"
import { apiName, pascalCase } from "../../model/names.ts"
import {
  hasLimits,
  limitsField,
  type ViewerLimit,
  viewerFacts,
  viewerLimits,
  viewerResource,
} from "../../plan/access/actor.ts"
import { subjectName } from "../../plan/lookup.ts"
import { relationSegments } from "../http/route.ts"
import { type Answer, answerOf, found, listContent, unchanged } from "./answers.ts"
import type { Json } from "./components.ts"
import { liveParameters } from "./events.ts"
import { exampleId } from "./examples.ts"
import { addressesOf, generalTag, type Operation, problemsOf } from "./operations.ts"
import { ifNoneMatch, listParameters, pathParameter, recordParameters, shared } from "./parameters.ts"
import { questionSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

export function resourceReads(describing: Describing, resource: Resource): readonly Operation[] {
  const { type, path, key } = resource
  const name = apiName(resource)
  const tag = type
  const collection = pascalCase(resource.collection)
  const lists: readonly Operation[] = [
    readOf(describing, {
      ...{ tag, path: `/${path}`, id: `list${collection}`, summary: `List ${resource.collection}` },
      description: "Those that are visible.",
      parameters: listParameters(describing, resource),
      answer: answerOf(describing, resource, "list"),
    }),
    {
      ...{ tag, method: "post", path: `/${path}/query`, id: `query${collection}` },
      summary: `Query ${resource.collection}`,
      description: "The parameters as JSON.",
      body: { required: true, content: { [json.name]: { schema: questionSchema(describing, resource) } } },
      responses: {
        200:
          describing.purpose === "clients"
            ? answerOf(describing, resource, "list").response
            : describing.components.refer("responses", `${type}Answers`, () => ({
                description: "Found.",
                content: listContent(describing, resource),
              })),
        ...problemsOf(describing, [406, 415]),
      },
    },
  ]
  if (!key) return lists
  const addresses = addressesOf(describing, resource)
  const single = addresses.map(({ unique, suffix, ...address }) => {
    const members = unique?.members.map((member) => subjectName(resource, member))
    return readOf(describing, {
      ...{ tag, path: address.path, id: `get${type}${suffix}` },
      summary: `Get one ${name}${members ? ` by ${members.join(" and ")}` : ""}`,
      description: "If it is visible.",
      parameters: [...address.parameters, ...recordParameters(describing, resource)],
      answer: answerOf(describing, resource, "one"),
    })
  })
  const related = [...relationSegments(resource)].map(([segment, relation]) => {
    const [{ path: record, parameters }] = addresses
    const read = relatedRead(describing, resource, relation)
    return readOf(describing, {
      ...{ tag, path: `${record}/${segment}`, isBelow: true },
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
        description: "If it is visible.",
        parameters: recordParameters(describing, target),
        answer: answerOf(describing, target, "one"),
      }
    : {
        id: `list${related}`,
        summary: `List the ${relation.name} of one ${name}`,
        description: "Those that are visible.",
        parameters: listParameters(describing, target),
        answer: answerOf(describing, target, "list"),
      }
}

const asRecord = "Takes `fields` and `include` as the record's own address does."

/** Reads that are about no resource of their own. */
export const generalReads = (describing: Describing): readonly Operation[] => [
  ...nodeReads(describing),
  // A service without rules has no viewer.
  ...(describing.model.audience?.signedIn
    ? [
        generalRead(describing, "/viewer", viewerSchema(describing), {
          ...{ id: "getViewer", summary: "Get the caller: roles, scopes and record" },
          description: `Who the caller is to the service, and what is left of its limits. ${asRecord}`,
        }),
      ]
    : []),
  generalRead(
    describing,
    "/openapi.json",
    { type: "object" },
    {
      ...{ id: "describeService", summary: "This document" },
      description:
        "Describes what the caller may ask for. By default records are described with their first relations, and answers as clients take them.",
      parameters: [
        detailParameter(describing, "depth", depths, "`full` describes relations to any depth."),
        detailParameter(
          describing,
          "purpose",
          purposes,
          "`validation` describes every answer there may be: other media types, and records with chosen members only.",
        ),
      ],
    },
  ),
]

/** Records by their global ids. */
function nodeReads(describing: Describing): readonly Operation[] {
  const { model } = describing
  const keyed = [...model.resources.values()].filter(({ key }) => key)
  if (keyed.length === 0) return []
  const node = describing.derived("Node", () => ({
    anyOf: keyed.map((resource) => answerSchema(describing, resource)),
  }))
  const nodes = describing.derived("NodeList", () =>
    objectSchema([["data", { type: "array", items: nullableWhen(true, node) }]], {
      required: ["data"],
    }),
  )
  const ids = {
    ...{ name: "ids", in: "query", required: true, description: "Global ids.", style: "form" },
    explode: false,
    schema: { type: "array", items: { type: "string" }, maxItems: model.limits.page.max },
    example: keyed.slice(0, 1).map(globalExample),
  }
  return [
    generalRead(describing, "/nodes", nodes, {
      id: "listNodes",
      summary: "Get records of any kind by their global ids, null where there is none",
      description: `Returns the records in the order of their ids. ${asRecord}`,
      parameters: [ids],
    }),
    generalRead(describing, "/nodes/{id}", node, {
      ...{ id: "getNode", summary: "Get one record of any kind by its global id" },
      description: `Returns the record that the id's prefix and key name. ${asRecord}`,
      parameters: [
        pathParameter("id", "A global id, with its prefix.", keyed.slice(0, 1).map(globalExample)[0] ?? ""),
      ],
      mayBeMissing: true,
    }),
  ]
}

const generalRead = (
  describing: Describing,
  path: string,
  schema: Json,
  row: Pick<Reading, "id" | "summary" | "description"> & Partial<Reading>,
): Operation =>
  readOf(describing, {
    ...{ tag: generalTag, path, parameters: [] },
    answer: { response: found(describing, "other", { [json.name]: { schema } }), kind: "other" },
    ...row,
  })

function viewerSchema(describing: Describing): Json {
  const resource = viewerResource(describing.model)
  const facts = viewerFacts.map((fact): [string, Json] => [
    fact,
    { type: "array", items: { type: "string" } },
  ])
  const record: [string, Json][] = resource
    ? [[apiName(resource), { anyOf: [answerSchema(describing, resource), { type: "null" }] }]]
    : []
  const limits: [string, Json][] = hasLimits(describing.model) ? [[limitsField, limitsSchema]] : []
  const members = [...facts, ...limits, ...record]
  return objectSchema(members, { required: members.map(([name]) => name) })
}

const count = { type: ["integer", "null"] }
/** Null where they are not counted. */
const limitsSchema = nullableWhen(
  true,
  objectSchema(
    Object.entries({
      tier: { type: ["string", "null"] },
      perRequest: { type: "integer" },
      perMinute: count,
      concurrent: count,
      remaining: count,
      resetAt: { type: ["string", "null"], format: "date-time" },
    } satisfies Readonly<Record<ViewerLimit, Json>>),
    { required: [...viewerLimits] },
  ),
)

const globalExample = (resource: Resource): string => `${resource.prefix}_${exampleId(resource)}`

const detailParameter = (
  describing: Describing,
  name: string,
  values: readonly [string, ...string[]],
  description: string,
): Json =>
  shared(describing, name, {
    schema: { type: "string", enum: values, default: values[0] },
    ...{ description, example: values[0] },
  })

interface Reading extends Omit<Operation, "method" | "responses"> {
  readonly parameters: readonly Json[]
  readonly answer: Answer
  /** Below the address of a record. */
  readonly isBelow?: boolean
  readonly mayBeMissing?: boolean
}

/** A read by GET, which may be conditional. */
function readOf(
  describing: Describing,
  { answer: { kind, response }, isBelow, mayBeMissing, ...row }: Reading,
): Operation {
  const isList = kind === "list"
  const lasts = kind !== "other"
  const isMissable = kind === "one" || isBelow || mayBeMissing
  return {
    ...row,
    method: "get",
    parameters: [
      ...row.parameters,
      ...(lasts ? liveParameters(describing) : []),
      // The caches of HTTP clients ask with the tags of answers, and not their callers.
      ...(describing.purpose === "validation" ? [ifNoneMatch(describing)] : []),
    ],
    responses: {
      200: response,
      ...(describing.purpose === "validation" && { 304: unchanged(describing, isList) }),
      ...problemsOf(describing, isMissable ? [404, 406] : [406]),
    },
  }
}
