// A plan in the making: collects bound values and every mistake, so that a person sees all of them at once.
import { collectProblems, type Problems } from "../base/problem.ts"
import type { Model } from "../model/model.ts"
import type { Cursors } from "./cursor.ts"
import type { ReadPlan, Root, Slot, Value } from "./types.ts"

export interface PlanContext {
  readonly model: Model
  readonly cursors: Cursors
}

export interface Draft extends PlanContext {
  readonly problems: Problems
  /** What is bound so far. */
  readonly values: readonly Value[]
  bind(value: Value): Slot
  /** Throws a Refusal with every problem found, or gives the plan. */
  finish(roots: readonly Root[]): ReadPlan
}

export function startDraft(context: PlanContext): Draft {
  const values: Value[] = []
  const problems = collectProblems()
  return {
    model: context.model,
    cursors: context.cursors,
    problems,
    values,
    bind(value) {
      return { slot: values.push(value) - 1 }
    },
    finish(roots) {
      problems.settle()
      return { kind: "read", model: context.model, roots, values }
    },
  }
}
