// Credentials in the OpenAPI document: their schemes, where they are needed, and that some are not accepted.
import type { Model } from "../../model/model.ts"
import { modelAt } from "../../model/versions/model-at.ts"
import { stranger, visibleModelOf } from "../../plan/access/visible-model.ts"
import type { Json } from "./components.ts"
import { authenticate, batchAddress, type Paths, problemOf } from "./operations.ts"
import type { Describing } from "./values.ts"

const scheme = "bearer"

/** The requirement of operations that do not state one. */
export const signedIn = [{ [scheme]: [] }]
const signedInOrNot = [{}, ...signedIn]

/** The service as anonymous callers see it. @param version the newest when absent */
export function strangersModel(service: Model, version: string | undefined): Model {
  const seen = visibleModelOf(service, stranger)
  return version === undefined ? seen : modelAt(seen, version)
}

/** @param strangers the description for anonymous callers: only that needs no credentials */
export function securePaths(describing: Describing, paths: Paths, strangers: Paths): Paths {
  // A batch needs what its requests need.
  const open = (path: string): Json | undefined => (path === batchAddress ? paths : strangers).get(path)
  return new Map([...paths].map(([path, item]) => [path, secureItem(describing, item, open(path))]))
}

/** @param open what of it needs no credentials */
function secureItem(describing: Describing, item: Json, open: Json = {}): Json {
  return Object.fromEntries(
    Object.entries(item as Readonly<Record<string, Json>>).map(([method, operation]) => [
      method,
      {
        ...operation,
        ...(method in open && { security: signedInOrNot }),
        responses: {
          ...(operation["responses"] as Json),
          // Documents for clients describe it together with other refusals.
          ...(describing.purpose === "validation" && { 401: unauthorized(describing) }),
        },
      },
    ]),
  )
}

const unauthorized = (describing: Describing): Json =>
  problemOf(
    describing,
    "Unauthorized",
    "Authentication is required, or the credentials are not accepted.",
    authenticate(describing),
  )

export const securitySchemes = (service: Model): Json => ({
  [scheme]: { type: "http", scheme: "bearer", description: aboutCredentials(service) },
})

function aboutCredentials({ name, identity }: Model): string {
  const accepted: string[] = []
  if (identity?.keys) accepted.push(`an API key, which begins with \`${name}_\``)
  if (identity?.jwt) {
    const { issuer, audience } = identity.jwt
    accepted.push(`a signed token (JWT) of ${issuer} for ${audience.join(" or ")}`)
  }
  return accepted.length === 0
    ? "The service accepts no credentials yet."
    : `Sent as \`Authorization: Bearer …\`: ${accepted.join(", or ")}.`
}
