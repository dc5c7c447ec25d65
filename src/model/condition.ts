// The condition language as the engine sees it: filters now, rules by the same type. Plain data; no condition is a
// function. docs/guide/reading.md says what each form means, nulls included.
import type { OperatorName } from "./operators.ts"

/** The subject of a comparison, an order or a group: a scalar member of the resource at hand. */
export type Subject =
  | { readonly kind: "id" }
  | { readonly kind: "field"; readonly field: string }
  /** The key of a to-one relation's target, as in `customerId`. */
  | { readonly kind: "reference"; readonly relation: string }

/** The first of the related records that the caller sees, by the names of the newest version. */
export interface FirstRelated {
  /** The to-many relation. */
  readonly relation: string
  /** Without the key, which makes it total. Missing values come last. */
  readonly order: readonly { readonly subject: Subject; readonly descending: boolean }[]
}

/** An index into a plan's values. */
export interface Slot {
  readonly slot: number
  /** In rules only: this member of the viewer's record is meant; the slot holds the record's key. */
  readonly viewer?: Subject
  /** For computed fields only: the value itself, which no plan binds. */
  readonly known?: unknown
}

/** `Operand` is where a comparison's value comes from; a plan binds it. */
export type Condition<Operand> =
  | { readonly kind: "and"; readonly of: readonly Condition<Operand>[] }
  | { readonly kind: "or"; readonly of: readonly Condition<Operand>[] }
  | { readonly kind: "not"; readonly of: Condition<Operand> }
  | {
      readonly kind: "compare"
      readonly subject: Subject
      readonly operator: Exclude<OperatorName, "isNull">
      readonly operand: Operand
    }
  | { readonly kind: "isNull"; readonly subject: Subject; readonly is: boolean }
  /** The to-one relation has a target, and it meets the condition. */
  | { readonly kind: "related"; readonly relation: string; readonly of: Condition<Operand> }
  | {
      readonly kind: "quantified"
      readonly relation: string
      readonly quantifier: Quantifier
      readonly of: Condition<Operand>
    }
  /** In rules of writes: the record that the to-one relation leads to is made in the same step. The guard decides it. */
  | { readonly kind: "together"; readonly relation: string }
  /** A condition that was decided before the step: it held where the slot has a value. Only the guard makes it. */
  | { readonly kind: "settled"; readonly slot: number }

export type Quantifier = "some" | "every" | "none"
