// The form of a refused write: the statement, what the database makes of it, and the Problem.
import type { Problem } from "../../src/base/problem.ts"
import type { ConstraintViolation } from "../../src/plan/write/problems.ts"
import type { Attempt } from "../../src/storage/storage.ts"
import type { Database } from "../support/open-service.ts"

export interface Case {
  readonly on: string
  readonly kind: Attempt["kind"]
  readonly sql: string
  readonly rule: ConstraintViolation["rule"]
  readonly columns: readonly string[]
  readonly problem: Problem
  /** Where the two databases do not know the same. */
  readonly sqlite?: Partial<Pick<Case, "rule" | "columns" | "problem">>
  readonly only?: Database
}

/** Where the record stands in the request. */
export const place = ["input", "lines", 0] as const

export const at = (...members: string[]): readonly (string | number)[] => [...place, ...members]
