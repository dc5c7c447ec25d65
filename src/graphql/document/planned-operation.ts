// A planned operation: its plan, and the field of each answer. The operation holds no value of its first request, so that it
// is good for every request of the same shape.
import type { JsonText } from "../../base/json.ts"
import type { EventsQuestion } from "../../http/changes.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import type { Plan } from "../../plan/plan.ts"
import type { Root } from "../../plan/read-plan.ts"
import type { Step } from "../../plan/write-plan.ts"
import type { FieldGroup } from "./operation.ts"
import type { VariableRequest } from "./variables.ts"

export type PlannedOperation = {
  /** One per response key, in the order of the answer. */
  readonly outputs: readonly Output[]
} & (
  | { readonly kind: "read"; readonly roots: readonly Root[] }
  | { readonly kind: "write"; readonly steps: readonly Step[] }
)

/** Where the value of a root field comes from. */
export type Output = {
  readonly group: FieldGroup
  /** The response key as the answer has it: `"orders":`. */
  readonly label: JsonText
} & (
  | { readonly kind: "typename"; readonly json: JsonText }
  | { readonly kind: "introspection" }
  | {
      readonly kind: "data"
      /** Index into the answer's roots. */
      readonly root: number
      /** For `node` and `nodes`: the type of each record that there may be. */
      readonly types: readonly (string | undefined)[]
    }
  /** A page of events; the plan has a root for its price only. */
  | { readonly kind: "events"; readonly events: PlannedEvents }
)

export interface PlannedEvents {
  /** Events that the page may have. */
  readonly limit: number
  /** The question of a request. */
  read(asked: VariableRequest): Omit<EventsQuestion, "actor" | "request">
  readonly parts: readonly SelectedPart[] | undefined
}

/** A member of a page in the answer. */
export interface SelectedPart {
  /** Response key. */
  readonly key: string
  readonly name: string
  /** Members of an object, or of the objects of a list; absent for a value. */
  readonly of?: readonly SelectedPart[]
  /** A constant value: nothing is read for it. */
  readonly json?: JsonText
}

/** The plan, with the values that the draft holds. @throws Refusal with the draft's problems */
export function finishPlan(draft: Draft, planned: PlannedOperation): Plan {
  return planned.kind === "read" ? draft.finish(planned.roots) : draft.finishWrite(planned.steps)
}
