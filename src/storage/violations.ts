// Constraint violations as data: the rule, and its columns. The database's own words go no further.
import type { ConstraintViolation } from "../plan/write/problems.ts"

/** The table that the refused statement writes, of links the join table, and what it does there. */
export interface Attempt {
  readonly table: string
  readonly kind: "insert" | "update" | "delete"
}

/** A rule of which nothing else is known. */
export const violation = (rule: ConstraintViolation["rule"]): ConstraintViolation => ({ rule, columns: [] })
