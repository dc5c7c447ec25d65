// States of records and what leads from one to another, as the Model has them.
import type { JsonValue } from "../base/json.ts"
import type { RuleDeclaration } from "./allow.ts"
import type { Condition, Slot } from "./condition.ts"
import type { Field } from "./model.ts"

/** A state machine of a resource; the state of a record is the value of a field that only transitions change. */
export interface Machine {
  /** The field that holds the state. */
  readonly name: string
  readonly initial: string
  /** Names of states that nothing leads out of, as declared. */
  readonly final: readonly string[]
  /** By name, the initial one first. */
  readonly states: ReadonlyMap<string, State>
  readonly transitions: ReadonlyMap<string, Transition>
}

export interface State {
  readonly name: string
  readonly description?: string
  /** Names that it had. */
  readonly was?: readonly string[]
}

export interface Transition {
  /** No other transition of the resource has it. */
  readonly name: string
  /** The field that holds the state. */
  readonly machine: string
  readonly from: readonly string[]
  readonly to: string
  readonly description?: string
  /** By name: fields without columns. */
  readonly input: ReadonlyMap<string, Field>
  readonly sets: readonly TransitionSet[]
  /** What is said where `when` does not hold. */
  readonly reason?: string
  /** As declared; plan/rules.ts reads them. */
  readonly when?: RuleDeclaration
  readonly allow?: RuleDeclaration
  /** Of an audience's model, which has no transitions but those that it may do with some record. */
  readonly access?: TransitionAccess
}

/** Conditions over the whole service, in which no further rules apply. */
export interface TransitionAccess {
  readonly allow: Condition<Slot>
  readonly when: Condition<Slot>
}

export interface TransitionSet {
  /** A field, or the reference of a to-one relation (`paidById`). */
  readonly member: string
  readonly value:
    | { readonly kind: "constant"; readonly json: JsonValue }
    | { readonly kind: "now" }
    | { readonly kind: "input"; readonly name: string }
    /** The key of the viewer's record. */
    | { readonly kind: "viewer" }
}
