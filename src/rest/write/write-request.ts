// Reads a request that writes: its address, its parameters, its headers and its body, each mistake with its place.
import { type Refusal, refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"
import { parseStrict } from "../../http/strict-json.ts"
import type { Model } from "../../model/model.ts"
import { isCreation, writeMethods } from "../http/allowed-methods.ts"
import { readConditions } from "../http/conditions.ts"
import { bodyTypes, requireMediaType } from "../http/media.ts"
import { readPreferences } from "../http/preferences.ts"
import type { WriteRoute } from "../http/route.ts"
import { decodeUtf8 } from "../question/body.ts"
import { inBody, type WriteContext } from "../question/request-context.ts"
import type { ReadWrite } from "../read/query-cache.ts"
import { writtenResource } from "./write-plan.ts"

/** Parts of a request that writes; a request within a batch has the same. */
export interface WriteParts {
  readonly model: Model
  readonly read: ReadWrite
  readonly headers: FaceRequest["headers"]
  readonly input: unknown
  readonly place: WriteContext["place"]
}

/** Throws a Refusal when the headers have a mistake. */
export function readWrite(
  route: WriteRoute,
  { model, read, headers, input, place }: WriteParts,
): WriteContext {
  const preferences = readPreferences(headers["prefer"])
  // A secret is shown once, whatever the client prefers, which a service may do (RFC 7240 section 2).
  const showsSecret = isCreation(route.kind) && writtenResource(model, route).secret !== undefined
  return {
    route,
    question: read.question,
    structure: read.structure,
    mistakes: read.mistakes,
    input,
    place,
    conditions: readConditions(headers),
    preferences: showsSecret ? { ...preferences, minimal: false } : preferences,
  }
}

export interface WriteBody {
  /** Undefined when the request has no body and needs none. */
  readonly input: unknown
  /** The media type's name; the empty one where there is no body. */
  readonly type: string
}

/** @throws Refusal when the body is of another media type, or not JSON, or not wanted */
export function readWriteBody(
  route: WriteRoute | { readonly kind: "batch" },
  request: FaceRequest,
): WriteBody {
  if (!takesBody(route)) {
    if (request.body.length > 0) throw needlessBody(request.method)
    return { input: undefined, type: "" }
  }
  if (writeMethods[route.kind].body === "optional" && request.body.length === 0)
    return { input: undefined, type: "" }
  const type = requireMediaType(
    request.headers,
    bodyTypes(route.kind),
    "The body is JSON in UTF-8, and its media type says so.",
  )
  const parsed = parseStrict(decodeUtf8(request.body))
  if ("value" in parsed) return { input: parsed.value, type }
  throw refusal("malformed_request", `The body is not JSON: ${parsed.fault}`, { place: [inBody] })
}

export const takesBody = ({ kind }: WriteRoute | { readonly kind: "batch" }): boolean =>
  writeMethods[kind].body !== "none"

export const needlessBody = (method: string, place?: WriteContext["place"]): Refusal =>
  refusal("malformed_request", `${method} of this address takes no body.`, {
    hint: "Leave it out: the address says everything.",
    ...(place && { place }),
  })

/** Everything of a request that decides its effect and its answer. */
export function decisive({
  method,
  path,
  query,
  headers,
  body,
}: FaceRequest): readonly (string | Uint8Array | undefined)[] {
  const deciding = ["content-type", "if-match", "if-none-match", "prefer"].map((name) => headers[name])
  return [method, path, query, ...deciding, body]
}
