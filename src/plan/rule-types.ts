// Rules as they are read: what plan/rules.ts makes of a declaration, and plan/audience.ts takes apart again.
import type { Filter, Value } from "./types.ts"

export type Rule =
  | { readonly kind: "and" | "or"; readonly of: readonly Rule[] }
  | { readonly kind: "not"; readonly of: Rule }
  | { readonly kind: "signedIn" }
  | { readonly kind: "role" | "scope"; readonly name: string }
  /** `viewer`: it compares with the record that whoever asks is. */
  | { readonly kind: "records"; readonly where: Filter; readonly viewer: boolean }

/** One of several rules, any of which is enough. */
export interface Grant {
  readonly rule: Rule
  /** It is about these fields only; about all when absent. */
  readonly fields?: ReadonlySet<string>
}

export const actions = ["read", "create", "update", "delete"] as const
export type ActionName = (typeof actions)[number]

export interface ResourceRules {
  /** None: allowed to nobody. */
  readonly actions: Readonly<Record<ActionName, readonly Grant[]>>
  readonly fields: ReadonlyMap<string, FieldRules>
}

export interface FieldRules {
  readonly read?: Rule
  readonly write?: Rule
}

export interface Rules {
  readonly resources: ReadonlyMap<string, ResourceRules>
  /** What slots of the rules hold; the first is for the key of the viewer's record. */
  readonly seats: readonly Value[]
}
