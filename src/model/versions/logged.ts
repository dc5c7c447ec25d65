// Values that the log holds of a former field: from before the change, under the names that it had.
import type { Condition, Slot } from "../condition.ts"
import { type Expression, followedIn, sourcesIn } from "../expression.ts"
import { isFormerField } from "../former-fields.ts"
import type { Field, Resource } from "../model.ts"
import { pathNames } from "./undoing.ts"

interface Former {
  readonly declared: Field
  /** Members that stand in its place since; those that its value comes from when absent. */
  readonly now?: readonly string[]
  readonly reads?: Expression
  /** Conditions of the members that its value comes from. */
  readonly seen: readonly Condition<Slot>[]
}

/**
 * Shown to those who see each member in its place: the former value may hold more than `reads` shows. Undefined where one is hidden,
 * and without members, which leave unsaid who saw it.
 */
export function loggedValues(resource: Resource, { declared, now, reads, seen }: Former): Field["logged"] {
  const members = now ?? (reads ? membersIn(reads) : [])
  const { name, was = [] } = declared
  const names = [name, ...was].filter((one) => !resource.fields.has(one))
  if (members.length === 0 || names.length === 0) return undefined
  const conditions = [...seen]
  // A field that may be set is not one that is seen.
  const { settable: _, ...shown } = resource
  const known = pathNames(shown)
  for (const member of members) {
    const field = resource.fields.get(member)
    if (field ? isFormerField(field) && !field.logged : !known.includes(member)) return undefined
    conditions.push(...(field?.seen ? [field.seen] : []), ...(field?.logged?.seen ? [field.logged.seen] : []))
  }
  return { names, ...(conditions.length > 0 && { seen: { kind: "and", of: conditions } }) }
}

const membersIn = (reads: Expression): readonly string[] => [
  ...sourcesIn(reads),
  ...followedIn(reads).map(({ relation }) => relation),
]
