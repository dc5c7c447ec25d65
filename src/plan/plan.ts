import type { ReadPlan } from "./types.ts"
import type { WritePlan } from "./write-types.ts"

/** A whole request. */
export type Plan = ReadPlan | WritePlan
