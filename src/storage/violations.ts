// What a database refused in a write, as data: which rule, and the columns that it is about. Its own words go no further.
import type { ConstraintViolation } from "../plan/write/constraint-problem.ts"

/** The table that the refused statement writes, of links the join table, and what it does there. */
export interface Attempt {
  readonly table: string
  readonly kind: "insert" | "update" | "delete"
}

/** A rule of which nothing else is known. */
export const violation = (rule: ConstraintViolation["rule"]): ConstraintViolation => ({ rule, columns: [] })
