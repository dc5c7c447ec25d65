import type { ReadPlan } from "./read-plan.ts"
import type { WritePlan } from "./write-plan.ts"

/** A whole request. */
export type Plan = ReadPlan | WritePlan
