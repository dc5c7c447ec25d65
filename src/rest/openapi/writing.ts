// One write of the OpenAPI document: how its parameters, refusals and answers follow from its kind.

import { json } from "../../http/accept.ts"
import { answerSchema, listSchema } from "../../http/schemas/records.ts"
import { objectSchema } from "../../http/schemas/values.ts"
import type { Resource } from "../../model/model.ts"
import { type WriteKind, writeMethods } from "../http/allowed-methods.ts"
import { bodyTypes, jsonPatch } from "../http/media.ts"
import type { WriteRoute } from "../http/route.ts"
import { answerOf } from "./answers.ts"
import { jsonPatchSchema } from "./bodies.ts"
import type { Json } from "./components.ts"
import {
  headerOf,
  type Operation,
  type ProblemStatus,
  preferenceApplied,
  problemOf,
  problemsOf,
} from "./operations.ts"
import { idempotencyKey, ifMatch, ifNoneMatchAny, prefer, recordParameters } from "./parameters.ts"
import { ruledService } from "./ruled-service.ts"
import type { Describing } from "./values.ts"

/** Input and answer of a write; its parameters and refusals follow from them. */
export interface Writing extends Pick<Operation, "path" | "id" | "tag" | "summary" | "description"> {
  readonly kind: WriteKind
  /** Parameters of the path. */
  readonly address?: readonly Json[]
  /** Parameters that select the records. */
  readonly which?: readonly Json[]
  /** The resource whose members the caller chooses for the answer. */
  readonly answered?: Resource
  /** The resource of the one record that is changed, whose version If-Match names. */
  readonly changed?: Resource
  readonly prefers?: "one" | "many" | "several"
  /** PUT that may create. */
  readonly creates?: boolean
  /** Absent also where a body may come and there is nothing to be said in it. */
  readonly body?: Json | undefined
  readonly answers: Json
  /** Besides those that follow. */
  readonly refusals?: readonly ProblemStatus[]
  /** Whether stored records may contradict the write; true when absent. */
  readonly conflicts?: boolean
}

const methods = { DELETE: "delete", PATCH: "patch", POST: "post", PUT: "put" } as const

export function writeOf(describing: Describing, writing: Writing): Operation {
  const { address = [], which = [], answered, changed, prefers, creates, body, answers } = writing
  const { refusals = [], conflicts = true, kind, path, id, tag, summary, description } = writing
  const statuses: readonly ProblemStatus[] = [
    ...(ruledService(describing.model) ? ([403] as const) : []),
    ...(address.length > 0 ? ([404, 412] as const) : []),
    ...(conflicts ? ([409] as const) : []),
    ...(writeMethods[kind].body === "none" ? [] : ([413, 415, 422] as const)),
    ...(changed?.needsVersion ? ([428] as const) : []),
    ...refusals,
  ]
  // For clients an answer has one form, which `return=minimal` would change.
  const isFormOnly = describing.purpose === "clients" && prefers === "one"
  return {
    ...{ path, id, tag, summary, description, body },
    method: methods[writeMethods[kind].method],
    parameters: [
      ...address,
      ...which,
      ...(answered ? recordParameters(describing, answered) : []),
      ...(changed ? [ifMatch(describing, changed)] : []),
      ...(prefers && !isFormOnly ? [prefer(describing, prefers)] : []),
      idempotencyKey(describing),
      ...(creates ? [ifNoneMatchAny(describing)] : []),
    ],
    responses: {
      ...(prefers && "200" in answers && describing.purpose === "validation" && nothing(describing)),
      ...problemsOf(describing, statuses),
      ...answers,
    },
  }
}

/** For every media type that the route takes; for clients the one of JSON, which each route takes. */
export const bodyOf = (describing: Describing, kind: WriteRoute["kind"], schema: Json): Json => ({
  required: true,
  content: Object.fromEntries(
    (describing.purpose === "clients" ? [json.name] : bodyTypes(kind)).map((type) => [
      type,
      { schema: type === jsonPatch ? jsonPatchSchema(describing) : schema },
    ]),
  ),
})

/** For any write that is done. */
export const replayed = (describing: Describing): Json =>
  describing.purpose === "clients"
    ? {}
    : headerOf(
        describing,
        "Idempotency-Replayed",
        "`true`: it was done before, by the same request with the same Idempotency-Key.",
      )

const applied = (describing: Describing): Json => ({
  ...preferenceApplied(describing),
  ...replayed(describing),
})

const recordHeaders = (describing: Describing): Json => ({
  ...headerOf(describing, "ETag", "The record's version, then what identifies this answer."),
  ...applied(describing),
})

const answered = (describing: Describing, name: string, response: () => Json): Json =>
  describing.components.refer("responses", name, response)

const contentOf = (schema: Json): Json => ({ [json.name]: { schema } })

interface WrittenRest {
  /** The component's name, after the resource's type. */
  readonly suffix: string
  readonly description: string
}

/** Clients have one type for the records of reads and writes; the headers of writes are for validation. */
const written = (
  describing: Describing,
  resource: Resource,
  kind: "one" | "list",
  { suffix, description }: WrittenRest,
): Json =>
  describing.purpose === "clients"
    ? answerOf(describing, resource, kind).response
    : answered(describing, `${resource.type}${suffix}`, () => ({
        description,
        headers: kind === "one" ? recordHeaders(describing) : applied(describing),
        content: contentOf((kind === "one" ? answerSchema : listSchema)(describing, resource)),
      }))

/** The record as it is after the write. */
export const writtenOne = (describing: Describing, resource: Resource): Json => ({
  200: written(describing, resource, "one", {
    suffix: "Written",
    description: "Done: the record as it is now.",
  }),
})

/** The records as they are after the write, or were before it when it deletes them. */
export const writtenMany = (describing: Describing, resource: Resource): Json => ({
  200: written(describing, resource, "list", {
    suffix: "WrittenTogether",
    description: "Done: all of them. Deleted ones are as they were.",
  }),
})

const minimal = ({ purpose }: Describing): string =>
  purpose === "clients" ? "Created." : "Created. Without a body when `return=minimal` asked for none."

export const createdMany = (describing: Describing, resource: Resource): Json => ({
  201: written(describing, resource, "list", { suffix: "CreatedTogether", description: minimal(describing) }),
})

/** A new record, below another one or under its own key. Its secret is shown once. */
export const createdOne = (describing: Describing, resource: Resource): Json =>
  resource.secret
    ? created(describing, `${resource.type}CreatedWithSecret`, () => ({
        allOf: [answerSchema(describing, resource), secretSchema],
      }))
    : created(describing, `${resource.type}Created`, () => answerSchema(describing, resource))

/** The answer at the address of the list: a list of inputs is answered with a list. */
export function createdInList(describing: Describing, resource: Resource, takesSeveral: boolean): Json {
  if (resource.secret || !takesSeveral) return createdOne(describing, resource)
  return created(describing, `${resource.type}CreatedOneOrSeveral`, () => ({
    oneOf: [answerSchema(describing, resource), listSchema(describing, resource)],
  }))
}

const created = (describing: Describing, name: string, schema: () => Json): Json => ({
  201: answered(describing, name, () => ({
    description: minimal(describing),
    headers: {
      ...recordHeaders(describing),
      ...headerOf(describing, "Location", "Where the new record is."),
    },
    content: contentOf(schema()),
  })),
})

const secretSchema = objectSchema(
  [["secret", { type: ["string", "null"], description: "Shown once; null in a replayed answer." }]],
  { required: ["secret"] },
)

export const done = (describing: Describing): Json => ({
  204: answered(describing, "Done", () => ({
    description: "Done.",
    ...(describing.purpose === "validation" && { headers: replayed(describing) }),
  })),
})

const nothing = (describing: Describing): Json => ({
  204: answered(describing, "DoneMinimally", () => ({
    description: "Done; `return=minimal` asked for no body.",
    headers: recordHeaders(describing),
  })),
})

/** 415 of a patch, which says what one may be. */
export const patched = (describing: Describing): Json =>
  describing.purpose === "clients"
    ? {}
    : {
        415: problemOf(
          describing,
          "UnsupportedPatch",
          "The body is of no kind that a patch may be.",
          headerOf(describing, "Accept-Patch", "Media types of bodies that are taken (RFC 5789)."),
        ),
      }
