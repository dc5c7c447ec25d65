// Who asks: whoever a credential stands for, with the model of what they may do.
import type { Model, Resource } from "../../model/model.ts"
import type { Value } from "../read-plan.ts"
import { readId } from "../values/ids.ts"
import { type Claims, stranger, visibleModelOf } from "./visible-model.ts"

export interface Actor {
  /** The same for all requests of one credential's owner, of no two owners, and empty for whoever has not signed in. */
  readonly name: string
  /** What people read in a history in place of the name, which may be long; the name when absent. */
  readonly label?: string
  /** Plans are made of this, and no other is answered. */
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
  const standing: Claims = { signedIn: true, viewer: key !== null, roles, scopes }
  return { name, ...(label !== undefined && { label }), model: visibleModelOf(whole, standing), key }
}

function viewerKey(whole: Model, id: string): Value | undefined {
  const resource: Resource | undefined =
    whole.viewer === undefined ? undefined : whole.resources.get(whole.viewer)
  return resource && readId(resource, id)
}

/** Whoever has not signed in. */
export const strangerTo = (whole: Model): Actor => ({
  name: "",
  model: visibleModelOf(whole, stranger),
  key: null,
})

/** Everybody, of a model that is open to everybody (`openModel`). */
export const everybodyOf = (model: Model): Actor => ({ name: "", model, key: null })
