// The guard: what stands between every plan and the database. A plan is made of its actor's model, which holds the rules
// that each statement carries (sql/read/row.ts); here it is made sure that it is theirs, and that they are who it says.
import { invariant } from "../../base/invariant.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import type { Actor } from "../access/actor.ts"
import type { Plan } from "../plan.ts"
import type { ReadPlan } from "../read-plan.ts"
import type { WritePlan } from "../write-plan.ts"
import { guardWrite } from "./guard-write.ts"
import { logWrites } from "./log-write.ts"
import { inNewestNames } from "./newest-names.ts"

/**
 * The plan as it may be run for the actor.
 * @param now the canonical timestamp of what is written; the clock's when absent
 */
export function guard(plan: Plan, actor: Actor, now = clock): Plan {
  return plan.kind === "write" ? guardChange(plan, actor, now) : guardRead(plan, actor)
}

/** The result follows from the plan and the actor alone. */
const guardRead = (plan: ReadPlan, actor: Actor): ReadPlan => ofActor(plan, actor)

const guardChange = (plan: WritePlan, actor: Actor, now = clock): WritePlan =>
  logWrites(guardWrite(inNewestNames(ofActor(plan, actor))), actor, now)

function ofActor<Own extends Plan>(plan: Own, actor: Actor): Own {
  invariant(plan.model === actor.model, "a plan is answered for whom it was made")
  return plan.model.audience ? { ...plan, values: plan.values.with(0, actor.key) } : plan
}

const clock = (): string => canonicalDateTime(Date.now())
