// Services without rules, as most tests ask them: everybody may do everything.

import { type Idempotency, startRequest } from "../../src/base/request.ts"
import type { Engine } from "../../src/engine/engine.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import type { Plan } from "../../src/plan/plan.ts"
import type { Answer } from "../../src/plan/read-plan.ts"

export const loadOpen = (declaration: ServiceDeclaration): Model => openModel(load(declaration))

export const answerAnyone = (
  { answer }: Pick<Engine, "answer">,
  plan: Plan,
  once?: Idempotency,
): Promise<Answer> => answer(plan, everybodyOf(plan.model), once && { ...startRequest(""), once })
