// `viewer`: who asks, as both faces tell it: their roles, what their credential is for, and the record that they are.
import type { Model, Resource } from "../../model/model.ts"
import type { Member, RecordRoot } from "../read-plan.ts"

/** What is told of whoever signed in, besides their record. */
export const viewerFacts = ["roles", "scopes"] as const
export type ViewerFact = (typeof viewerFacts)[number]

/** JSON of the names, the same for all of an audience. */
export const viewerFact = ({ audience }: Model, fact: ViewerFact): string =>
  JSON.stringify(audience?.[fact] ?? [])

/** The resource of which records sign in, where this audience sees some of it. */
export const viewerResource = ({ audience, resources, viewer }: Model): Resource | undefined =>
  audience && viewer !== undefined ? resources.get(viewer) : undefined

/** The record that whoever asks is: the guard puts its key into the first slot. */
export const viewerRecord = ({ name }: Resource, key: string, members: readonly Member[]): RecordRoot => ({
  kind: "record",
  key,
  resource: name,
  by: [{ subject: { kind: "id" }, slot: 0 }],
  members,
})
