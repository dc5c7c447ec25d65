// What all requests to a REST face share.
import type { PlanContext } from "../../plan/draft/draft.ts"
import type { AnswerPlan } from "../exchange.ts"
import type { EntityTag } from "./entity-tag.ts"
import type { RestShapes } from "./plan.ts"
import type { Plans } from "./plans.ts"
import type { Addresses } from "./route.ts"

export interface Serving {
  readonly context: PlanContext
  readonly answer: AnswerPlan
  /** The path before the face's own; the empty one when there is none. */
  readonly base: string
  readonly description: () => Promise<string>
  readonly addresses: Addresses
  readonly plans: Plans
  readonly shapes: RestShapes
  readonly entityTag: EntityTag
}
