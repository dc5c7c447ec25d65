// The shared context of all requests to a REST face.

import type { RequestCache } from "../../base/caches.ts"
import type { AnswerPlan } from "../../http/face.ts"
import type { Detail } from "../../http/schemas/values.ts"
import type { PlanContext } from "../../plan/draft/draft.ts"
import type { EntityTag } from "../http/respond.ts"
import type { Addresses } from "../http/route.ts"
import type { RestShapes } from "../read/plan.ts"
import type { Plans } from "../read/plan-cache.ts"

export interface Serving {
  readonly context: PlanContext
  readonly answer: AnswerPlan
  /** The path before the face's own, such as `/api`; may be empty. */
  readonly base: string
  readonly descriptions: Readonly<Record<"openapi" | "asyncapi", (detail: Detail) => Promise<string>>>
  readonly addresses: Addresses
  readonly cache: RequestCache
  readonly plans: Plans
  readonly shapes: RestShapes
  readonly entityTag: EntityTag
}
