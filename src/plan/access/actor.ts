// The caller: the claims of the credentials, and the model that these claims leave of a service.

import { countsRequests } from "../../model/limits.ts"
import type { Model, Resource } from "../../model/model.ts"
import { allowancePlaceholder } from "../placeholders.ts"
import type { Member, RecordRoot, Value } from "../read-plan.ts"
import { readId } from "../values/ids.ts"
import { type Claims, declaredClaims, stranger, visibleModelOf } from "./visible-model.ts"

export interface Actor {
  /** Identifies the owner of the credentials: unique for each, empty for anonymous callers. */
  readonly name: string
  /** A short name for histories; the name when absent. */
  readonly label?: string
  /** The claims that decide which rules hold; absent in an open service. */
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
  /** The actor's name in histories if it has no viewer's record; the name when absent. */
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

/** The actor of an open service (`openModel`), the same for all callers. */
export const everybodyOf = (model: Model): Actor => ({ name: "", model, key: null })

// `viewer`: the caller as both faces show it: roles, scopes and record.

/** Facts about a signed-in caller, besides the record. */
export const viewerFacts = ["roles", "scopes"] as const
export type ViewerFact = (typeof viewerFacts)[number]

/** JSON of the names, the same for all of an audience. */
export const viewerFact = ({ audience }: Model, fact: ViewerFact): string =>
  JSON.stringify(audience?.[fact] ?? [])

/** Limits of the caller, where callers have limits over time. */
export const viewerLimits = ["tier", "perRequest", "perMinute", "concurrent", "remaining", "resetAt"] as const
export type ViewerLimit = (typeof viewerLimits)[number]

export const hasLimits = ({ limits }: Model): boolean => countsRequests(limits)

/** The member of the viewer that holds them. */
export const limitsField = "limits"

/** An output key, and the limit or the text that it shows. */
export type AllowanceMember = readonly [key: string, shows: ViewerLimit | { readonly constant: string }]

/** Filled when the request is answered. */
export const viewerAllowance = (members: readonly AllowanceMember[]): string =>
  `${allowancePlaceholder}${JSON.stringify(members)}${allowancePlaceholder}`

/** The resource whose records sign in, where this audience sees some of it. */
export const viewerResource = ({ audience, resources, viewer }: Model): Resource | undefined =>
  audience && viewer !== undefined ? resources.get(viewer) : undefined

/** The caller's record: the guard puts its key into the first slot. */
export const viewerRecord = ({ name }: Resource, key: string, members: readonly Member[]): RecordRoot => ({
  kind: "record",
  key,
  resource: name,
  by: [{ subject: { kind: "id" }, slot: 0 }],
  members,
})
