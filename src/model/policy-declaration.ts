// Permissions in a declaration: data, which plan/access/parse-policy.ts reads.

import type { Condition, Slot } from "./condition.ts"

/**
 * Callers, or conditions on records: data, in the form of a condition. One rule of a list is enough; all members of an
 * object must hold. Besides the record's own members an object takes `role`, `scope`, `signedIn`, `anyone` and `together`.
 * These hold a text or `true`, and members hold neither. A comparison may be with `{ viewer: "id" }`.
 */
export type RuleDeclaration = RuleObject | readonly RuleObject[]
export type RuleObject = Readonly<Record<string, unknown>>

export const actions = ["read", "create", "update", "delete"] as const

export type WriteAction = Exclude<(typeof actions)[number], "read">

/** A rule whose own roles and scopes are among these; conditions on members may hold anything. */
export type CallerRule<Role extends string, Scope extends string> =
  | CallerRuleObject<Role, Scope>
  | readonly CallerRuleObject<Role, Scope>[]
interface CallerRuleObject<Role extends string, Scope extends string> {
  readonly role?: Role
  readonly scope?: Scope
  readonly and?: readonly CallerRuleObject<Role, Scope>[]
  readonly or?: readonly CallerRuleObject<Role, Scope>[]
  readonly not?: CallerRuleObject<Role, Scope>
  readonly [member: string]: unknown
}

/** A role, scope or tier that a record may give to its user: `name` is null for the limits of no tier. */
export interface GrantDeclaration {
  readonly kind: GrantKind
  readonly name: string | null
  /** The condition of records that do not give it. */
  readonly lacks: RuleObject
  /** Callers that may grant it, in place of those that have it. */
  readonly allow?: RuleDeclaration
}

export const grantKinds = ["role", "scope", "tier"] as const
type GrantKind = (typeof grantKinds)[number]

/** An absent action is denied to every caller. */
export type AllowDeclaration = { readonly [Action in (typeof actions)[number]]?: RuleDeclaration }

/** Rules of callers that may grant a role, scope or tier, by its name. */
export type GrantMap = Readonly<Record<string, RuleDeclaration | undefined>>

/** Grants of one caller, in its visible model. */
export interface Granting {
  /** Records whose grants the caller may give: `access` has this condition for create and update. */
  readonly within: Condition<Slot>
  /** Each of `grants`, and the records that the caller may have give it; false for none. */
  readonly each: readonly Granted[]
}

export interface Granted extends GrantDeclaration {
  readonly may: Condition<Slot> | false
}
