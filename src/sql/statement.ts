// A compiled plan: text that depends on the model and the plan's shape only, and where each bound value comes from.
import type { Value } from "../plan/read-plan.ts"

/** A parameter for the driver. */
export type Parameter = null | number | bigint | string | Uint8Array

export interface Statement {
  readonly text: string
  /** In the order of the placeholders. */
  readonly binds: readonly Bind[]
  /** For each plan root the result column it is in; undefined for a constant root. */
  readonly columns: readonly (number | undefined)[]
  /** The scope of each cursor mark, by its index (plan/draft/cursor.ts, `cursorScope`). */
  readonly cursors: readonly string[]
  /** The result may hold `unrepresentable` marks. */
  readonly flaws: boolean
  /** The statement reads the log, which may have to be made first. */
  readonly readsLog?: true
}

export interface Bind {
  /** `noSlot` (plan/read/computed.ts) where the value is the service's own. */
  readonly slot: number
  readonly encode: (value: Value) => Parameter
}
