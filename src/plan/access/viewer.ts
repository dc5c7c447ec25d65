// `viewer`: the caller as both faces show it: roles, scopes and record.
import type { Model, Resource } from "../../model/model.ts"
import type { Member, RecordRoot } from "../read-plan.ts"

/** Facts about a signed-in caller, besides the record. */
export const viewerFacts = ["roles", "scopes"] as const
export type ViewerFact = (typeof viewerFacts)[number]

/** JSON of the names, the same for all of an audience. */
export const viewerFact = ({ audience }: Model, fact: ViewerFact): string =>
  JSON.stringify(audience?.[fact] ?? [])

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
