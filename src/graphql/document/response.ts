// The envelope of a GraphQL response over HTTP: status and body of success, client errors and server errors, by media type.

import { kindEntry } from "../../base/codes.ts"
import { type Json, type JsonText, joinJson } from "../../base/json.ts"
import { kindOf } from "../../base/problem.ts"
import type { Cost } from "../../base/request.ts"
import type { MediaType } from "../../http/accept.ts"
import { chargeText } from "../../http/dry-run.ts"
import { type FaceResponse, retryAfter } from "../../http/face.ts"
import { replayedHeader } from "../../http/idempotency.ts"
import type { ExplainedCharge } from "../../plan/cost/points.ts"
import { formatError, type RequestError } from "./errors.ts"
import { acceptedBodies, graphqlResponse, json } from "./media.ts"

export interface ResponseContext {
  readonly media: MediaType
  readonly requestId: string
  readonly introspection: boolean
}

/** The same answer, which was given before to the same request. */
export const replayed = (response: FaceResponse): FaceResponse => ({
  ...response,
  headers: { ...response.headers, [replayedHeader]: "true" },
})

/** The operation was executed: `data` in pieces; errors are about values in its answer. */
export function executed(
  context: ResponseContext,
  data: readonly Json[],
  { errors, cost }: { readonly errors: readonly RequestError[]; readonly cost: Cost | undefined },
): FaceResponse {
  const failed = errors.length === 0 ? "" : `,"errors":${errorsText(context, errors)}`
  const extensions = cost ? `,"extensions":{"cost":${JSON.stringify(cost)}}` : ""
  const told = respond(context, 200, joinJson([`{"data":`, ...data, `${failed}${extensions}}`]))
  return errors.length === 0 ? told : { ...told, ...codeOf(errors) }
}

/** The price of an operation that was not run. */
export const dryRun = (context: ResponseContext, charge: ExplainedCharge): FaceResponse =>
  respond(context, 200, `{"data":null,"extensions":{"cost":${chargeText(charge)}}}`)

/** The operation was refused, or could not be executed: 200 in the older media type, 400 in the newer one. */
export function notExecuted(context: ResponseContext, errors: readonly RequestError[]): FaceResponse {
  const [first] = errors
  const kind = first && kindEntry(kindOf(first))
  const fault = kind?.blame === "service" || kind?.rest === 429 ? kind.graphql : undefined
  const newer = context.media === graphqlResponse
  const data = newer ? "" : `"data":null,`
  const told = respond(
    context,
    fault ?? (newer ? 400 : 200),
    `{${data}"errors":${errorsText(context, errors)}}`,
  )
  return { ...told, ...codeOf(errors) }
}

/** The envelope is malformed, so that no operation was found. */
export function malformedEnvelope(context: ResponseContext, errors: readonly RequestError[]): FaceResponse {
  const [first] = errors
  const status = (first && kindEntry(kindOf(first)).graphql) ?? 400
  return { ...respond(context, status, `{"errors":${errorsText(context, errors)}}`), ...codeOf(errors) }
}

const codeOf = ([first]: readonly RequestError[]): Pick<FaceResponse, "code"> =>
  first ? { code: first.code } : {}

function errorsText(
  { requestId, introspection }: ResponseContext,
  errors: readonly RequestError[],
): JsonText {
  return JSON.stringify(errors.map((error) => formatError(error, requestId, introspection)))
}

function respond({ media }: ResponseContext, status: number, body: Json): FaceResponse {
  if (status === 200) return { status, headers: media === json ? jsonHeaders : newerHeaders, body }
  const headers = {
    ...headersOf(media),
    ...(status === 415 && { "accept-post": acceptedBodies }),
    ...retryAfter(status),
  }
  return { status, headers, body }
}

const headersOf = ({ contentType }: MediaType) => ({
  "content-type": contentType,
  vary: "Accept",
  "cache-control": "no-store",
})
const jsonHeaders = headersOf(json)
const newerHeaders = headersOf(graphqlResponse)
