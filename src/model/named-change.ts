// Changes of an API that names say: of resources, members and values.
import type { JsonValue } from "../base/json.ts"

export type NamedChange =
  | RenamedMember
  | RenamedResource
  | RenamedValue
  | AddedValue
  | AddedMember
  | AddedResource
  | WidenedRelation
  | BreakingChange

interface RenamedMember {
  readonly kind: "renamed"
  readonly resource: string
  readonly before: string
  readonly now: string
}

interface RenamedResource {
  readonly kind: "renamedResource"
  readonly before: string
  /** The name since. */
  readonly resource: string
}

/** A state, or a value of a field's enumeration, in all fields that have it. */
interface RenamedValue {
  readonly kind: "renamedValue"
  readonly resource: string
  readonly field: string
  readonly before: string
  readonly now: string
}

/** A state, or a value of a field's enumeration, in all fields that have it. */
interface AddedValue {
  readonly kind: "addedValue"
  readonly resource: string
  readonly field: string
  readonly now: string
  /** The value that older versions have in its place; undefined where they have none. */
  readonly as?: string
}

/** Older versions are changed, too. */
interface BreakingChange {
  readonly kind: "breaking"
  readonly resource: string
  /** Undefined for the resource as a whole. */
  readonly member?: string
}

interface AddedMember {
  readonly kind: "added"
  readonly resource: string
  readonly now: string
  /** Its value in records that writers of older versions make. */
  readonly writes?: JsonValue
}

interface AddedResource {
  readonly kind: "addedResource"
  readonly resource: string
}

/** A to-one relation that became a to-many one. */
interface WidenedRelation {
  readonly kind: "widened"
  readonly resource: string
  readonly before: string
  readonly now: string
  /** The order of the related records, as members of the target; the older version has the first record. */
  readonly first: readonly { readonly member: string; readonly descending: boolean }[]
  readonly required: boolean
}
