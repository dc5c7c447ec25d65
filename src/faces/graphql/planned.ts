// What an operation becomes: the plan's roots, and which of them answers which of its fields. It holds no value of the
// request it was first planned for, so that it is good for every request of the same shape.
import type { JsonText } from "../../base/json.ts"
import type { Root } from "../../plan/types.ts"
import type { FieldGroup } from "./operation.ts"

export interface PlannedRoots {
  readonly roots: readonly Root[]
  /** One per response key, in the order of the answer. */
  readonly outputs: readonly Output[]
}

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
      /** Index into the plan's roots. */
      readonly root: number
      /** For `node` and `nodes`: the type of each record that there may be. */
      readonly types: readonly (string | undefined)[]
    }
)

/**
 * Bytes that are kept for it, as a rule of thumb: the plan, and the statement that the engine keeps with it, take about
 * so many for each character of the plan's JSON.
 */
export function weigh({ roots }: PlannedRoots): number {
  return 2_000 + 20 * JSON.stringify(roots).length
}
