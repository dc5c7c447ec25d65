// One operation of the OpenAPI document: method, address, name, parameters, body and responses; and what operations share.

import type { Resource, Unique } from "../../model/model.ts"
import { apiName, pascalCase } from "../../model/names.ts"
import { hasLimits } from "../../plan/access/actor.ts"
import { subjectName } from "../../plan/lookup.ts"
import { problemType } from "../question/problem.ts"
import type { Json } from "./components.ts"
import { exampleMember } from "./examples.ts"
import { idParameter, pathParameter } from "./parameters.ts"
import { ruledService } from "./ruled-service.ts"
import { problemSchema } from "./schemas.ts"
import type { Describing } from "./values.ts"

export interface Operation {
  readonly method: "get" | "post" | "patch" | "put" | "delete"
  readonly path: string
  /** A later operation of the same id has `_` after it. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description: string
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
      description,
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

export function addressesOf(
  describing: Describing,
  resource: Resource,
): readonly [RecordAddress, ...RecordAddress[]] {
  const name = apiName(resource)
  const { path } = resource
  const id = idParameter(describing, resource, { of: name })
  const uniques = resource.uniques.map((unique): RecordAddress => {
    const members = unique.members.map((member) => subjectName(resource, member))
    return {
      path: `/${path}/${members.map((member) => `${member}={${member}}`).join(",")}`,
      parameters: members.map((member) =>
        pathParameter(member, `The ${name}'s ${member}.`, exampleMember(describing.model, resource, member)),
      ),
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
  describing.purpose === "clients"
    ? {}
    : headerOf(describing, "Preference-Applied", "The preferences that were applied (RFC 7240).")

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
export function problemsOf(describing: Describing, statuses: readonly ProblemStatus[]): Json {
  // One entry for clients, to whom all refusals are of one type.
  if (describing.purpose === "clients") return { "4XX": refused(describing) }
  return {
    ...Object.fromEntries(
      // Each request may cost too much.
      [...new Set<ProblemStatus>([400, ...statuses, 422, "default"])].map((status) => {
        const [name, description] = problems[status]
        return [status, problemOf(describing, name, description)]
      }),
    ),
    ...(hasLimits(describing.model) && { 429: tooMany(describing) }),
  }
}

const limitHeaders = (describing: Describing): Json => ({
  ...headerOf(describing, "Retry-After", "Seconds to wait."),
  ...headerOf(describing, "RateLimit", "Points that are left, and seconds until all are there again."),
  ...headerOf(describing, "RateLimit-Policy", "Points of a caller, and the seconds that they are for."),
})

const tooMany = (describing: Describing): Json =>
  problemOf(
    describing,
    "TooManyRequests",
    "The caller has used up its share for now.",
    limitHeaders(describing),
  )

const refusals = {
  400: "names what does not exist, or has a wrong value.",
  401: "without credentials that are accepted.",
  403: "not allowed to the caller.",
  404: "no such record, or none that the caller may see.",
  406: "no such media type of an answer.",
  409: "in conflict with stored records, or with how many may be affected.",
  410: "events that the log no longer has.",
  412: "not the version that If-Match names.",
  413: "too large.",
  415: "not JSON.",
  422: "well-formed, and cannot be carried out, or costs too much.",
  428: "needs If-Match.",
  429: "more than the caller's share; `Retry-After` says how long to wait.",
  "5XX": "a failure of the service, in the same form.",
}

/** Any refusal, with the headers that some of them have. */
const refused = (describing: Describing): Json =>
  problemOf(
    describing,
    "Refused",
    [
      "The request is refused; `code` and `errors` say why and where. By status:",
      ...Object.entries(refusals).map(([status, text]) => `${status} ${text}`),
    ].join("\n- "),
    {
      ...(ruledService(describing.model) && authenticate(describing)),
      ...(hasLimits(describing.model) && limitHeaders(describing)),
    },
  )

/** The header of 401. */
export const authenticate = (describing: Describing): Json =>
  headerOf(
    describing,
    "WWW-Authenticate",
    '`Bearer`, with `error="invalid_token"` where credentials were sent (RFC 6750 section 3).',
  )

export function problemOf(describing: Describing, name: string, description: string, headers?: Json): Json {
  return describing.components.refer("responses", name, () => ({
    description,
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    content: { [problemType]: { schema: problemSchema(describing) } },
  }))
}
