// The members of a record that the log keeps, by the names that they were kept under: what was renamed had others.
import type { Field, Resource } from "../model.ts"
import { referenceName } from "./default-names.ts"

export interface LoggedMember {
  readonly name: string
  /** Names that it had, as far as nothing else has them now. */
  readonly was: readonly string[]
  /** None of a reference, such as `customerId`. */
  readonly field?: Field
}

/** @param own what somebody sees of the resource @param whole all of it: whose name it is, hidden or not */
export function loggedMembers(own: Resource, whole: Resource): readonly LoggedMember[] {
  const now = new Set([...whole.fields.keys(), ...referencesOf(whole).map(({ name }) => name)])
  const fields = [...own.fields.values()].map((field) => ({ name: field.name, was: field.was ?? [], field }))
  return [...fields, ...referencesOf(own)].map((member) => ({
    ...member,
    was: member.was.filter((former) => !now.has(former)),
  }))
}

/** The reference of a relation is named after it, and so was it before. */
const referencesOf = ({ relations }: Resource): readonly LoggedMember[] =>
  [...relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined
      ? [{ name: relation.reference, was: (relation.was ?? []).map(referenceName) }]
      : [],
  )
