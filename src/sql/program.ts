// A compiled WritePlan: commands that run in one transaction, one after the other, and which of them gives what.
import type { Slot } from "../plan/read-plan.ts"
import type { Bind } from "./statement.ts"

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
