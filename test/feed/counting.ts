// Limits of callers over time for a server of the notes, and who was charged.
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { type Budget, memoryBudget } from "../../src/access/limits/budget.ts"
import type { MeterOptions } from "../../src/access/limits/meters.ts"
import { type CostDeclaration, withDefaultCosts } from "../../src/model/limits.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { notes } from "./notes.ts"

type CountingOptions = Omit<MeterOptions, "failed">

/** @param now milliseconds since 1970 */
export const countingOf = (
  model: Model,
  cost: CostDeclaration,
  now: () => number = Date.now,
): CountingOptions => ({
  limits: { ...model.limits, cost: withDefaultCosts(cost) },
  budget: memoryBudget(now),
  whenDown: "closed",
  now,
})

/** Notes down who takes points. */
export function watchedBudget(takers: string[], budget: Budget = memoryBudget()): Budget {
  return {
    ...budget,
    take(caller, points, perMinute) {
      takers.push(caller)
      return budget.take(caller, points, perMinute)
    },
  }
}

const known = load(notes)

/** The name under which an actor is charged. */
export const callerOf = (actor: string): string => `actor ${actorFromText(known, actor).name}`
