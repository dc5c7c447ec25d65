// The members of a record that the log keeps, by the names that they were kept under: a renamed member had others.

import { isFormerField } from "../former-fields.ts"
import type { Field, Resource } from "../model.ts"
import { referenceName } from "./default-names.ts"

export interface LoggedMember {
  readonly name: string
  /** Former names that no other member has now. A member of an older version includes the newest name. */
  readonly was: readonly string[]
  /** None of a reference, such as `customerId`. */
  readonly field?: Field
}

/** @param own the resource as one caller sees it @param whole the whole resource, hidden members too */
export function loggedMembers(own: Resource, whole: Resource): readonly LoggedMember[] {
  const now = new Set([...whole.fields.keys(), ...referencesOf(whole).map(({ name }) => name)])
  const fields = [...own.fields.values()]
    .filter((field) => !isFormerField(field))
    .map((field): Named => ({ name: field.name, current: field.current, was: field.was ?? [], field }))
  return [...fields, ...referencesOf(own)].map(({ current, was, ...member }) => ({
    ...member,
    was: [...(current === undefined ? [] : [current]), ...was.filter((former) => !now.has(former))],
  }))
}

interface Named extends LoggedMember {
  /** The newest version's name, where it is another. */
  readonly current: string | undefined
}

/** The reference of a relation is named after it, and so was it before. */
const referencesOf = ({ relations }: Resource): readonly Named[] =>
  [...relations.values()].flatMap((relation): readonly Named[] =>
    relation.kind === "one" && relation.reference !== undefined && !relation.first
      ? [
          {
            name: relation.reference,
            current: relation.current === undefined ? undefined : referenceName(relation.current),
            was: (relation.was ?? []).map(referenceName),
          },
        ]
      : [],
  )
