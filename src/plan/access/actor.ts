// The caller: the claims of the credentials, and the model that these claims leave of a service.
import type { Model, Resource } from "../../model/model.ts"
import type { Value } from "../read-plan.ts"
import { readId } from "../values/ids.ts"
import { type Claims, declaredClaims, stranger, visibleModelOf } from "./visible-model.ts"

export interface Actor {
  /** Identifies the owner of the credentials: unique for each, empty for anonymous callers. */
  readonly name: string
  /** A short name for histories; the name when absent. */
  readonly label?: string
  /** The claims that decide which rules hold; absent where a service is open to everybody. */
  readonly claims?: Claims
  /** The visible model of the claims. Plans are made from it, and no others are answered. */
  readonly model: Model
  /** The version that the credential is pinned to. */
  readonly version?: string
  /** The client that a token was issued to (RFC 9068 section 2.2). */
  readonly application?: string
  /** The key of the record that they are, as the array of its parts; null for none. */
  readonly key: Value
  /** The tier that the credential names; the service's own limits hold when absent, or when it has no such tier. */
  readonly tier?: string
}

/** The content of a credential. */
export interface Credentials {
  readonly name: string
  /** The name in histories where there is no viewer's record; the name when absent. */
  readonly label?: string
  /** The id of the viewer's record, with its prefix or without. */
  readonly viewer?: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  readonly tier?: string
  readonly version?: string
  readonly application?: string
}

/** Undefined when the credentials name a viewer who cannot be: an id of another form. */
export function actorOf(
  whole: Model,
  { name, label, viewer, roles, scopes, tier, version, application }: Credentials,
): Actor | undefined {
  const key = viewer === undefined ? null : viewerKey(whole, viewer)
  if (key === undefined) return undefined
  const claims: Claims = {
    signedIn: true,
    viewer: key !== null,
    roles,
    scopes,
    ...(tier !== undefined && { tier }),
  }
  return withClaims(whole, claims, {
    name,
    key,
    ...(label !== undefined && { label }),
    ...(tier !== undefined && { tier }),
    ...(version !== undefined && { version }),
    ...(application !== undefined && { application }),
  })
}

/** A caller with these claims on this service. */
export const withClaims = (whole: Model, claims: Claims, caller: Omit<Actor, "claims" | "model">): Actor => ({
  ...caller,
  claims: declaredClaims(whole, claims),
  model: visibleModelOf(whole, claims),
})

function viewerKey(whole: Model, id: string): Value | undefined {
  const resource: Resource | undefined =
    whole.viewer === undefined ? undefined : whole.resources.get(whole.viewer)
  return resource && readId(resource, id)
}

/** The anonymous caller. */
export const strangerTo = (whole: Model): Actor => withClaims(whole, stranger, { name: "", key: null })

/** Everybody, of a model that is open to everybody (`openModel`). */
export const everybodyOf = (model: Model): Actor => ({ name: "", model, key: null })
