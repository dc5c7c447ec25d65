// Answers of the OpenAPI document that have records: one, or a list of them.

import { csv, json, ndjson } from "../../http/accept.ts"
import { answerSchema, listSchema } from "../../http/schemas/records.ts"
import type { Resource } from "../../model/model.ts"
import type { Json } from "./components.ts"
import { liveContent } from "./events.ts"
import { headerOf, preferenceApplied } from "./operations.ts"
import type { Describing } from "./values.ts"

export interface Answer {
  readonly kind: "one" | "list" | "other"
  /** The response of status 200. */
  readonly response: Json
}

/** Records of the resource, as reads have them; to clients also as writes do. */
export const answerOf = (describing: Describing, resource: Resource, kind: "one" | "list"): Answer => ({
  kind,
  response: describing.components.refer("responses", `${resource.type}${kind === "list" ? "List" : ""}`, () =>
    found(describing, kind, {
      ...(kind === "list"
        ? listContent(describing, resource)
        : { [json.name]: { schema: answerSchema(describing, resource) } }),
      ...liveContent(describing),
    }),
  ),
})

/** @param content by media type */
export const found = (describing: Describing, kind: Answer["kind"], content: Json): Json => ({
  description:
    describing.purpose === "validation" || kind === "other"
      ? "Found."
      : kind === "one"
        ? "The record."
        : "A page of records.",
  headers: readHeaders(describing, kind === "list"),
  content,
})

/** By media type. Descriptions name the other media types in words: generators merge all listed ones into one type. */
export const listContent = (describing: Describing, resource: Resource): Json => ({
  [json.name]: { schema: listSchema(describing, resource) },
  ...(describing.purpose === "validation" && {
    [csv.name]: { schema: { type: "string" } },
    [ndjson.name]: { schema: { type: "string" } },
  }),
})

const readHeaders = (describing: Describing, isList: boolean): Json => ({
  ...headerOf(describing, "ETag", "Identifies this answer, byte for byte."),
  ...(isList && {
    ...headerOf(describing, "Link", "Addresses of the next, previous and first page (RFC 8288)."),
    ...preferenceApplied(describing),
  }),
})

export const unchanged = (describing: Describing, isList: boolean): Json =>
  describing.components.refer("responses", isList ? "ListNotModified" : "NotModified", () => ({
    description: "The answer is the one that If-None-Match names.",
    headers: readHeaders(describing, isList),
  }))
