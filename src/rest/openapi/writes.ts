// Operations of the OpenAPI document that change something, for the addresses that route.ts serves them at.

import { json } from "../../http/accept.ts"
import type { Resource, Unique } from "../../model/model.ts"
import { pascalCase } from "../../model/names.ts"
import { subjectName } from "../../plan/lookup.ts"
import { memberNames } from "../../plan/member.ts"
import { keyParts } from "../../plan/write/inputs.ts"
import { type Abilities, abilitiesOf, canReplace, isChosen } from "../http/allowed-methods.ts"
import { jsonPatch, mergePatch } from "../http/media.ts"
import { relationSegments } from "../http/route.ts"
import type { Json } from "./components.ts"
import {
  batchAnswerSchema,
  batchSchema,
  childSchema,
  createSchema,
  jsonPatchSchema,
  replaceSchema,
  updateSchema,
} from "./inputs.ts"
import { batchAddress, type NameOperation, type PathItem, uniquePath } from "./operations.ts"
import { filterParameter, pathParameter, recordParameters, sharedParameter } from "./parameters.ts"
import { headerOf, problemOf } from "./responses.ts"
import { listSchema, recordSchema, targetOf } from "./schemas.ts"
import { ruledService } from "./security.ts"
import type { Describing } from "./values.ts"

interface Writing {
  readonly describing: Describing
  readonly resource: Resource
  readonly may: Abilities
  readonly name: NameOperation
}

export function writePaths(
  describing: Describing,
  resource: Resource,
  name: NameOperation,
): readonly PathItem[] {
  const may = abilitiesOf(describing.model, resource)
  const writing: Writing = { describing, resource, may, name }
  if (!resource.key) return []
  const id = [pathParameter("id", `The id of the ${resource.name}, with or without its prefix.`)]
  return [
    [`/${resource.path}`, listItem(writing)],
    [`/${resource.path}/{id}`, recordItem(writing, { path: id, suffix: "" })],
    ...resource.uniques.map((unique): PathItem => {
      const { path, parameters } = uniquePath(resource, unique)
      return [path, recordItem(writing, { path: parameters, suffix: `By${pascalCase(unique.name)}`, unique })]
    }),
    ...[...relationSegments(resource)].flatMap(([segment, relation]) => [
      ...relatedItems(writing, { segment, relation: relation.name, id }),
    ]),
  ]
}

function listItem({ describing, resource, may, name }: Writing): Json {
  const { type, collection } = resource
  const tags = [type]
  const several = [
    ...severalParameters(describing, resource),
    preferMany(describing, true),
    idempotencyKey(describing),
  ]
  const list = { [json.name]: { schema: listSchema(describing, resource) } }
  const one = createSchema.bind(undefined, describing, resource)
  return {
    ...(may.create && {
      post: {
        tags,
        operationId: name(`create${type}`),
        summary: `Create one ${resource.name}, or several at once`,
        parameters: [...recordParameters(resource), ...writeParameters(describing)],
        requestBody: body({
          [json.name]: {
            schema: resource.secret
              ? one()
              : { oneOf: [one(), { type: "array", minItems: 1, items: one() }] },
          },
        }),
        responses: {
          201: made(describing, {
            [json.name]: {
              schema: resource.secret
                ? { allOf: [recordSchema(describing, resource), secretSchema] }
                : { oneOf: [recordSchema(describing, resource), listSchema(describing, resource)] },
            },
          }),
          ...failures(describing, ["409", "412", "415", "422"]),
        },
      },
    }),
    ...(may.update &&
      !resource.needsVersion && {
        patch: {
          tags,
          operationId: name(`update${pascalCase(collection)}`),
          summary: `Update the ${collection} that meet a condition`,
          parameters: several,
          requestBody: body(asUpdate(describing, resource)),
          responses: {
            200: { description: "Updated: all of them.", headers: applied(describing), content: list },
            ...nothing(describing),
            ...failures(describing, ["409", "415", "422"], patched(describing)),
          },
        },
      }),
    ...(may.delete &&
      !resource.needsVersion && {
        delete: {
          tags,
          operationId: name(`delete${pascalCase(collection)}`),
          summary: `Delete the ${collection} that meet a condition`,
          parameters: several,
          responses: {
            200: {
              description: "Deleted: all of them, as they were.",
              headers: applied(describing),
              content: list,
            },
            ...nothing(describing),
            ...failures(describing, ["409"]),
          },
        },
      }),
  }
}

const secretSchema = {
  type: "object",
  properties: {
    secret: { type: ["string", "null"], description: "Shown once; null in a replayed answer." },
  },
  required: ["secret"],
}

interface Addressed {
  readonly path: readonly Json[]
  /** Of operations' names. */
  readonly suffix: string
  readonly unique?: Unique
}

function recordItem({ describing, resource, may, name }: Writing, { path, suffix, unique }: Addressed): Json {
  const { type } = resource
  const tags = [type]
  const parameters = [
    ...path,
    ...recordParameters(resource),
    ifMatch(describing, resource),
    ...writeParameters(describing),
  ]
  const record = { [json.name]: { schema: recordSchema(describing, resource) } }
  const updated = { description: "Updated.", headers: recordHeaders(describing), content: record }
  const conditional = ["404", "409", "412", ...(resource.needsVersion ? ["428"] : [])]
  const kind = unique ? "unique" : "id"
  const creates = may.create && isChosen(resource, kind)
  return {
    ...(may.update && {
      patch: {
        tags,
        operationId: name(`update${type}${suffix}`),
        summary: `Update one ${resource.name}`,
        parameters,
        requestBody: body({
          ...asUpdate(describing, resource),
          [jsonPatch]: { schema: jsonPatchSchema(describing) },
        }),
        responses: {
          200: updated,
          ...nothing(describing),
          ...failures(describing, [...conditional, "415", "422"], patched(describing)),
        },
      },
    }),
    ...(canReplace(resource, kind, may) && {
      put: {
        tags,
        operationId: name(`replace${type}${suffix}`),
        summary: creates ? `Replace one ${resource.name}, or create it` : `Replace one ${resource.name}`,
        parameters: creates ? [...parameters, ifNoneMatch(describing)] : parameters,
        requestBody: body({
          [json.name]: {
            schema: replaceSchema(describing, resource, { named: namedBy(resource, unique), creates }),
          },
        }),
        responses: {
          200: updated,
          ...(creates ? { 201: made(describing, record) } : {}),
          ...nothing(describing),
          ...failures(describing, [...conditional, "415", "422"]),
        },
      },
    }),
    ...(may.delete && {
      delete: {
        tags,
        operationId: name(`delete${type}${suffix}`),
        summary: `Delete one ${resource.name}`,
        parameters: [...path, ifMatch(describing, resource), idempotencyKey(describing)],
        responses: {
          204: { description: "Deleted.", headers: replayed(describing) },
          ...failures(describing, conditional),
        },
      },
    }),
  }
}

/** Members that the address gives. */
function namedBy(resource: Resource, unique: Unique | undefined): readonly string[] {
  if (unique) return unique.members.map((member) => subjectName(resource, member))
  if (resource.key?.origin === "given") return ["id"]
  if (resource.key?.origin !== "natural") return []
  const columns = new Set(keyParts(resource).map(({ column }) => column))
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" &&
    relation.reference !== undefined &&
    relation.join.some(({ from }) => columns.has(from))
      ? [relation.reference, relation.name]
      : [],
  )
  const fields = [...resource.fields.values()].flatMap(({ name, column }) =>
    columns.has(column) ? [name] : [],
  )
  return memberNames(resource).filter((name) => fields.includes(name) || references.includes(name))
}

interface Related {
  readonly segment: string
  readonly relation: string
  readonly id: readonly Json[]
}

function relatedItems(
  { describing, resource, may, name }: Writing,
  { segment, relation: relationName, id }: Related,
): readonly PathItem[] {
  const relation = resource.relations.get(relationName)
  if (!relation) return []
  const target = targetOf(describing, relation)
  const tags = [resource.type]
  const of = `${pascalCase(relation.name)}Of${resource.type}`
  const path = `/${resource.path}/{id}/${segment}`
  const items: PathItem[] = []
  if (may.createRelated.has(relation.name))
    items.push([
      path,
      {
        post: {
          tags,
          operationId: name(`create${of}`),
          summary: `Create one of the ${relation.name} of one ${resource.name}`,
          parameters: [...id, ...recordParameters(target), ...writeParameters(describing)],
          requestBody: body({ [json.name]: { schema: childSchema(describing, resource, relation) } }),
          responses: {
            201: made(describing, { [json.name]: { schema: recordSchema(describing, target) } }),
            ...failures(describing, ["404", "409", "412", "415", "422"]),
          },
        },
      },
    ])
  if (may.link.has(relation.name)) {
    const other = pathParameter("otherId", `The id of the ${target.name}, with or without its prefix.`)
    const parameters = [...id, other, ifMatch(describing, resource), idempotencyKey(describing)]
    const answer = (description: string): Json => ({
      204: { description, headers: replayed(describing) },
      ...failures(describing, ["404", "412", ...(resource.needsVersion ? ["428"] : [])]),
    })
    items.push([
      `${path}/{otherId}`,
      {
        put: {
          tags,
          operationId: name(`link${of}`),
          summary: `Link one ${resource.name} and one ${target.name}`,
          parameters,
          responses: answer("Linked."),
        },
        delete: {
          tags,
          operationId: name(`unlink${of}`),
          summary: `Take the link between one ${resource.name} and one ${target.name} away`,
          parameters,
          responses: answer("Not linked."),
        },
      },
    ])
  }
  return items
}

export function batchPath(describing: Describing, tag: string, name: NameOperation): PathItem {
  return [
    batchAddress,
    {
      post: {
        tags: [tag],
        operationId: name("doBatch"),
        summary: "Do several requests together, or none of them",
        parameters: [idempotencyKey(describing)],
        requestBody: body({ [json.name]: { schema: batchSchema(describing) } }),
        responses: {
          200: {
            description: "All are done.",
            headers: replayed(describing),
            content: { [json.name]: { schema: batchAnswerSchema(describing) } },
          },
          ...failures(describing, [
            ...["404", "405", "409", "412", "415", "422"],
            ...([...describing.model.resources.values()].some(({ needsVersion }) => needsVersion)
              ? ["428"]
              : []),
          ]),
        },
      },
    },
  ]
}

export const body = (content: Json): Json => ({ required: true, content })

function asUpdate(describing: Describing, resource: Resource): Json {
  const schema = updateSchema(describing, resource)
  return { [mergePatch]: { schema }, [json.name]: { schema } }
}

export function recordHeaders(describing: Describing): Json {
  return {
    ...headerOf(describing, "ETag", "The record's version, then what identifies this answer."),
    ...applied(describing),
  }
}

/** Of any write that is done. */
export const replayed = (describing: Describing): Json =>
  headerOf(
    describing,
    "Idempotency-Replayed",
    "`true`: it was done before, by the same request with the same Idempotency-Key.",
  )

export const applied = (describing: Describing): Json => ({
  ...headerOf(describing, "Preference-Applied", "The preferences that were applied (RFC 7240)."),
  ...replayed(describing),
})

function made(describing: Describing, content: Json): Json {
  const location = headerOf(describing, "Location", "Where the new record is.")
  const description = "Created. Without a body when `return=minimal` asked for none."
  return { description, headers: { ...recordHeaders(describing), ...location }, content }
}

export const nothing = (describing: Describing): Json => ({
  204: { description: "Done; `return=minimal` asked for no body.", headers: recordHeaders(describing) },
})

const failureTexts: Readonly<Record<string, readonly [name: string, description: string]>> = {
  403: ["Forbidden", "The caller may not do this."],
  404: ["NotFound", "Record not found."],
  405: ["MethodNotAllowed", "A method is not for its address."],
  409: ["Conflict", "The request conflicts with stored records, or affects more of them than it allows."],
  412: ["PreconditionFailed", "The record is not as If-Match or If-None-Match says."],
  413: ["TooLarge", "The request is too large, or has too many parts."],
  415: ["UnsupportedMediaType", "The body is not JSON."],
  422: ["Unprocessable", "The request is well-formed and cannot be carried out."],
  428: ["PreconditionRequired", "If-Match must say which version of the record is meant."],
}

/** What a write is refused with: 403 besides where there are rules, 413 where there is a body. @param others other answers */
export function failures(describing: Describing, statuses: readonly string[], others: Json = {}): Json {
  const isWrite = statuses.some((status) => status !== "404")
  const all = [
    ...(isWrite && !statuses.includes("403") && ruledService(describing.model) ? ["403"] : []),
    ...(statuses.includes("415") ? ["413"] : []),
    ...statuses,
  ]
  const entries = all.flatMap((status) => {
    const [name, description] = failureTexts[status] ?? []
    return name === undefined || description === undefined
      ? []
      : [[status, problemOf(describing, name, description)] as const]
  })
  return {
    400: problemOf(
      describing,
      "BadRequest",
      "The request names what does not exist, or has a wrong value; all mistakes are named.",
    ),
    ...Object.fromEntries(entries),
    ...others,
    default: problemOf(describing, "Failure", "Something is wrong on the side of the service."),
  }
}

/** 415 of a patch, which says what one may be. */
const patched = (describing: Describing): Json => ({
  415: problemOf(
    describing,
    "UnsupportedPatch",
    "The body is of no kind that a patch may be.",
    headerOf(describing, "Accept-Patch", "Media types of bodies that are taken (RFC 5789)."),
  ),
})

export function writeParameters(describing: Describing): readonly Json[] {
  return [
    sharedParameter(
      describing,
      { name: "PreferWrite", called: "Prefer", where: "header" },
      { type: "string", examples: ["return=minimal"] },
      "`return=minimal` asks for no body (RFC 7240).",
    ),
    idempotencyKey(describing),
  ]
}

/** Which records, and what of them is answered. */
export const severalParameters = (describing: Describing, resource: Resource): readonly Json[] => [
  filterParameter(describing, resource),
  ...recordParameters(resource),
]

/** @param always whether nothing else says how many records are meant */
export const preferMany = (describing: Describing, always: boolean): Json =>
  sharedParameter(
    describing,
    { name: always ? "PreferMany" : "PreferSeveral", called: "Prefer", where: "header" },
    {
      type: "string",
      ...(always && { pattern: 'max-affected *= *"?[0-9]+' }),
      examples: ["max-affected=10", "return=minimal, max-affected=10"],
    },
    "`max-affected` says how many records may be changed: with more, nothing is. `return=minimal` asks for no body (RFC 7240).",
    always,
  )

export const idempotencyKey = (describing: Describing): Json =>
  sharedParameter(
    describing,
    { name: "Idempotency-Key", where: "header" },
    { type: "string", minLength: 1, maxLength: 255 },
    "The same request with the same key is done once, however often it is sent.",
  )

export function ifMatch(describing: Describing, { needsVersion }: Resource): Json {
  return sharedParameter(
    describing,
    { name: needsVersion ? "IfMatchRequired" : "IfMatch", called: "If-Match", where: "header" },
    { type: "string" },
    "The `ETag` of the record as it was read: 412 when it has changed.",
    needsVersion,
  )
}

const ifNoneMatch = (describing: Describing): Json =>
  sharedParameter(
    describing,
    { name: "IfNoneMatchAny", called: "If-None-Match", where: "header" },
    { type: "string", enum: ["*"] },
    "The record must not exist yet; 412 if it does.",
  )
