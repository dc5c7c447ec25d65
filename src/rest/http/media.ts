// The media types of request bodies.
import { refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"
import type { Route } from "./route.ts"

const plainJson = "application/json"
export const mergePatch = "application/merge-patch+json"
export const jsonPatch = "application/json-patch+json"

/** Media types of the body of a write of this kind, as in `Accept-Patch` (RFC 5789 section 3.1). */
export function bodyTypes(kind: Route["kind"]): readonly [string, ...string[]] {
  if (kind === "update") return [mergePatch, plainJson, jsonPatch]
  return kind === "updateMany" ? [mergePatch, plainJson] : [plainJson]
}

/**
 * The one of `types` that the body is of. Throws a Refusal when it is of another, or not said to be in UTF-8.
 * @param message of the Refusal; the hint names the types
 */
export function requireMediaType(
  headers: FaceRequest["headers"],
  types: readonly [string, ...string[]],
  message: string,
): string {
  const given = headers["content-type"] ?? ""
  if (types.includes(given)) return given
  const [name = "", ...parameters] = given
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "")
  if (types.includes(name) && (charset === undefined || charset === "utf-8" || charset === "utf8"))
    return name
  throw refusal("unsupported_media_type", message, { hint: `Send Content-Type: ${types.join(", or ")}.` })
}
