// `viewer`: the caller as both faces show it: roles, scopes and record.
import { countsRequests } from "../../model/limits.ts"
import type { Model, Resource } from "../../model/model.ts"
import { allowancePlaceholder } from "../placeholders.ts"
import type { Member, RecordRoot } from "../read-plan.ts"

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

/** The resource of which records sign in, where this audience sees some of it. */
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
