import type { Model } from "../model/model.ts"
import type { ReadPlan, Root } from "./read-plan.ts"
import type { WritePlan } from "./write-plan.ts"

/** A whole request. */
export type Plan = ReadPlan | WritePlan

/** The model whose names its answers have, and conditions that find records. */
export const answersModel = (plan: Plan | Pick<WritePlan, "kind" | "model" | "answers">): Model =>
  plan.kind === "write" ? (plan.answers ?? plan.model) : plan.model

/** The roots of its answer; records that user code gives come behind the answer of their step. */
export const answersOf = (plan: Plan): readonly Root[] =>
  plan.kind === "read"
    ? plan.roots
    : plan.steps.flatMap(({ answer, call }) => [
        answer,
        ...(call?.gives ?? []).filter((given) => given.kind !== "output"),
      ])
