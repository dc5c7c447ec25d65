import type { Model } from "../model/model.ts"
import type { ReadPlan } from "./read-plan.ts"
import type { WritePlan } from "./write-plan.ts"

/** A whole request. */
export type Plan = ReadPlan | WritePlan

/** The model whose names its answers have, and conditions that find records. */
export const answersModel = (plan: Plan | Pick<WritePlan, "kind" | "model" | "answers">): Model =>
  plan.kind === "write" ? (plan.answers ?? plan.model) : plan.model
