// Rules as they are read: policies.ts makes them of a declaration, and visible-model.ts takes them apart again.
import type { Place } from "../../base/problem.ts"
import type { AllowDeclaration, GrantDeclaration } from "../../model/policy-declaration.ts"
import type { Filter, Value } from "../read-plan.ts"

/** A role, scope or tier, and who may give it to a record of the resource. */
export interface GrantRule {
  readonly declared: GrantDeclaration
  /** Callers that may; those that have it when absent. */
  readonly allow?: Rule
  /** For a tier without `allow`: tiers whose limits are at least as high; undefined for the service's own. */
  readonly covering?: readonly (string | undefined)[]
  /** The record does not give it. */
  readonly lacks: Rule
}

export type Rule =
  | { readonly kind: "and" | "or"; readonly of: readonly Rule[] }
  | { readonly kind: "not"; readonly of: Rule }
  | { readonly kind: "signedIn" }
  | { readonly kind: "role" | "scope"; readonly name: string }
  /** `viewer`: it compares with the caller's record. */
  | { readonly kind: "records"; readonly where: Filter; readonly viewer: boolean }

/** One of several rules; a record needs to meet only one of them. */
export interface Grant {
  readonly rule: Rule
  /** The fields that the rule is about; all when absent. */
  readonly fields?: ReadonlySet<string>
}

/** With its place in the declaration. */
export interface PlacedGrant extends Grant {
  readonly place: Place
}

export type ActionName = keyof AllowDeclaration

export interface ResourceRules {
  /** Empty: denied to every actor. */
  readonly actions: Readonly<Record<ActionName, readonly PlacedGrant[]>>
  readonly fields: ReadonlyMap<string, FieldRules>
  /** Roles, scopes and tiers that its records give to their users; empty for most. */
  readonly grants: readonly GrantRule[]
  /** Rules of the members of payloads, by event and member; those without one are absent. */
  readonly payloads: ReadonlyMap<string, ReadonlyMap<string, Rule>>
  /** By name, of all machines. */
  readonly transitions: ReadonlyMap<string, TransitionRules>
  /** Rules of actions on its records; absent: denied. */
  readonly own: ReadonlyMap<string, Rule>
}

export interface FieldRules {
  readonly read?: Rule
  readonly write?: Rule
}

export interface TransitionRules {
  /** Absent: the rule of update. */
  readonly allow?: Rule
  /** The record is in a state that it starts from. */
  readonly from: Filter
  /** A condition on the record, for every caller. */
  readonly when: Filter
}

export interface Rules {
  readonly resources: ReadonlyMap<string, ResourceRules>
  /** Rules of the service's operations, which are about no record. */
  readonly operations: ReadonlyMap<string, Rule>
  /** Values of the rules' slots; the first is for the key of the viewer's record. */
  readonly seats: readonly Value[]
}
