// One operation of the OpenAPI document: method, address, name, parameters, body and responses; and what operations share.

import type { Resource, Unique } from "../../model/model.ts"
import { apiName, pascalCase } from "../../model/names.ts"
import { hasLimits } from "../../plan/access/viewer.ts"
import { subjectName } from "../../plan/lookup.ts"
import { problemType } from "../question/problem.ts"
import type { Json } from "./components.ts"
import { pathParameter } from "./parameters.ts"
import { problemSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

export interface Operation {
  readonly method: "get" | "post" | "patch" | "put" | "delete"
  readonly path: string
  /** A later operation of the same id has `_` after it. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  readonly parameters?: readonly Json[]
  readonly body?: Json | undefined
  /** By status. */
  readonly responses: Json
}

/** The tag of operations without a resource. */
export const generalTag = "Service"
export const batchAddress = "/batch"

/** Operations by path and method. */
export type Paths = ReadonlyMap<string, Json>

/** @param operations in the order of the document @param naming those that take their ids first */
export function pathsOf(operations: readonly Operation[], naming: readonly Operation[]): Paths {
  const ids = new Map<Operation, string>()
  const taken = new Set<string>()
  for (const operation of [...naming, ...operations]) {
    if (ids.has(operation)) continue
    let { id } = operation
    while (taken.has(id)) id += "_"
    taken.add(id)
    ids.set(operation, id)
  }
  const paths = new Map<string, Json>()
  for (const operation of operations) {
    const { method, path, tag, summary, description, parameters, body, responses } = operation
    const described: Json = {
      tags: [tag],
      operationId: ids.get(operation) ?? "",
      summary,
      ...(description !== undefined && { description }),
      ...(parameters && { parameters }),
      ...(body && { requestBody: body }),
      responses,
    }
    paths.set(path, { ...paths.get(path), [method]: described })
  }
  return paths
}

/** The address of one record: by its id, or by a unique key. */
export interface RecordAddress {
  readonly path: string
  readonly parameters: readonly Json[]
  /** The suffix of operations' ids. */
  readonly suffix: string
  readonly unique?: Unique
}

export function addressesOf(resource: Resource): readonly [RecordAddress, ...RecordAddress[]] {
  const name = apiName(resource)
  const { path } = resource
  const id = pathParameter("id", `The id of the ${name}, with or without its prefix.`)
  const uniques = resource.uniques.map((unique): RecordAddress => {
    const members = unique.members.map((member) => subjectName(resource, member))
    return {
      path: `/${path}/${members.map((member) => `${member}={${member}}`).join(",")}`,
      parameters: members.map((member) => pathParameter(member, `The ${name}'s ${member}.`)),
      suffix: `By${pascalCase(unique.name)}`,
      unique,
    }
  })
  return [{ path: `/${path}/{id}`, parameters: [id], suffix: "" }, ...uniques]
}

/** A member of a response's `headers`. */
export function headerOf({ components }: Describing, name: string, description: string): Json {
  return { [name]: components.refer("headers", name, () => ({ description, schema: { type: "string" } })) }
}

export const preferenceApplied = (describing: Describing): Json =>
  headerOf(describing, "Preference-Applied", "The preferences that were applied (RFC 7240).")

const problems = {
  400: ["BadRequest", "The request names what does not exist, or has a wrong value; all mistakes are named."],
  403: ["Forbidden", "The caller may not do this."],
  404: ["NotFound", "Record not found."],
  405: ["MethodNotAllowed", "A method is not for its address."],
  406: ["NotAcceptable", "None of the media types in Accept is available."],
  410: ["Gone", "The log no longer has the events after the one that was named."],
  409: ["Conflict", "The request conflicts with stored records, or affects more of them than it allows."],
  412: ["PreconditionFailed", "The record is not as If-Match or If-None-Match says."],
  413: ["TooLarge", "The request is too large, or has too many parts."],
  415: ["UnsupportedMediaType", "The body is not JSON."],
  422: ["Unprocessable", "The request is well-formed and cannot be carried out."],
  428: ["PreconditionRequired", "If-Match must say which version of the record is meant."],
  default: ["Failure", "Something is wrong on the side of the service."],
} as const satisfies Readonly<Record<string, readonly [name: string, description: string]>>

export type ProblemStatus = keyof typeof problems

/** The refusals of an operation: these, and those that every operation has. */
export const problemsOf = (describing: Describing, statuses: readonly ProblemStatus[]): Json => ({
  ...Object.fromEntries(
    // Each request may cost too much.
    [...new Set<ProblemStatus>([400, ...statuses, 422, "default"])].map((status) => {
      const [name, description] = problems[status]
      return [status, problemOf(describing, name, description)]
    }),
  ),
  ...(hasLimits(describing.model) && { 429: tooMany(describing) }),
})

const tooMany = (describing: Describing): Json =>
  problemOf(describing, "TooManyRequests", "The caller has used up its share for now.", {
    ...headerOf(describing, "Retry-After", "Seconds to wait."),
    ...headerOf(describing, "RateLimit", "Points that are left, and seconds until all are there again."),
    ...headerOf(describing, "RateLimit-Policy", "Points of a caller, and the seconds that they are for."),
  })

export function problemOf(describing: Describing, name: string, description: string, headers?: Json): Json {
  return describing.components.refer("responses", name, () => ({
    description,
    ...(headers && { headers }),
    content: { [problemType]: { schema: problemSchema(describing) } },
  }))
}
