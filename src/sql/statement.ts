// A compiled plan: text that depends on the model and the plan's shape only, and where each bound value comes from.
import type { Slot, Value } from "../plan/read-plan.ts"

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

// A compiled WritePlan: commands that run in one transaction, one after the other, and which of them gives what.
export interface Program {
  readonly commands: readonly ProgramCommand[]
  /** Slots that the commands fill, in an order in which each depends on those before only. */
  readonly filled: readonly Filled[]
  /** By step. */
  readonly answers: readonly StepAnswer[]
  /** As in a Statement. */
  readonly cursors: readonly string[]
}

export interface ProgramCommand {
  readonly text: string
  readonly binds: readonly Bind[]
  /** Whose failure a failure is. */
  readonly step: number
  /** Index into the step's writes; undefined for what only reads its answer. */
  readonly write?: number
  /** The first column of its first row must be there: otherwise nothing may be done. */
  readonly present?: true
  /** Holds how many rows it may give at most. */
  readonly most?: Slot
  /** The text in its first column may hold `unrepresentable` marks (plan/placeholders.ts). */
  readonly flaws?: true
  /** The command writes a table with triggers, which may do something where it returns nothing. */
  readonly triggered?: true
}

export type Filled = Slot &
  /** The first row of a command, part by part from a column on. */
  (
    | { readonly kind: "key"; readonly command: number; readonly column: number; readonly parts: number }
    | { readonly kind: "keys"; readonly command: number }
    /** A column of a command's only row, null where a condition did not hold. */
    | { readonly kind: "verdict"; readonly command: number; readonly column: number }
    /** A column of a command's only row; the next one is its JSON. */
    | { readonly kind: "number"; readonly command: number; readonly column: number }
    /** Parts of a natural key, from the values that are written. */
    | { readonly kind: "parts"; readonly of: readonly { readonly slot: number; readonly part?: number }[] }
    | { readonly kind: "collected"; readonly of: readonly Slot[] }
  )

export interface StepAnswer {
  /** Undefined for a constant. */
  readonly command?: number
  /** The sign that an upsert made the record: a column of a command, or that a command returned nothing. */
  readonly created?: { readonly command: number; readonly column?: number }
}
