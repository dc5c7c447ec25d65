// The caller: the claims of the credentials, and the model that these claims leave of a service.
import type { Model, Resource } from "../../model/model.ts"
import type { Value } from "../read-plan.ts"
import { readId } from "../values/ids.ts"
import { type Claims, declaredClaims, stranger, visibleModelOf } from "./visible-model.ts"

export interface Actor {
  /** Identifies the owner of the credentials: unique for each, empty for anonymous callers. */
  readonly name: string
  /** What people read in a history in place of the name, which may be long; the name when absent. */
  readonly label?: string
  /** What decides which rules hold; absent where a service is open to everybody. */
  readonly claims?: Claims
  /** What the claims leave of the service. Plans are made of this, and no other is answered. */
  readonly model: Model
  /** The key of the record that they are, as the array of its parts; null for none. */
  readonly key: Value
}

/** What a credential says. */
export interface Credentials {
  readonly name: string
  /** What people read in a history where there is no viewer's record; the name when absent. */
  readonly label?: string
  /** The id of the viewer's record, with its prefix or without. */
  readonly viewer?: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
}

/** Undefined when the credentials name a viewer who cannot be: an id of another form. */
export function actorOf(
  whole: Model,
  { name, label, viewer, roles, scopes }: Credentials,
): Actor | undefined {
  const key = viewer === undefined ? null : viewerKey(whole, viewer)
  if (key === undefined) return undefined
  const claims: Claims = { signedIn: true, viewer: key !== null, roles, scopes }
  return withClaims(whole, claims, { name, ...(label !== undefined && { label }), key })
}

/** A caller with these claims on this service. */
export const withClaims = (
  whole: Model,
  claims: Claims,
  caller: Pick<Actor, "name" | "label" | "key">,
): Actor => ({ ...caller, claims: declaredClaims(whole, claims), model: visibleModelOf(whole, claims) })

function viewerKey(whole: Model, id: string): Value | undefined {
  const resource: Resource | undefined =
    whole.viewer === undefined ? undefined : whole.resources.get(whole.viewer)
  return resource && readId(resource, id)
}

/** The anonymous caller. */
export const strangerTo = (whole: Model): Actor => withClaims(whole, stranger, { name: "", key: null })

/** Everybody, of a model that is open to everybody (`openModel`). */
export const everybodyOf = (model: Model): Actor => ({ name: "", model, key: null })
