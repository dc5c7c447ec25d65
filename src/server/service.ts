// Puts a service together: storage, engine and both faces of one Model.

import { createEngine } from "../engine/engine.ts"
import type { Face } from "../faces/exchange.ts"
import { graphqlFace } from "../faces/graphql/face.ts"
import { restFace } from "../faces/rest/face.ts"
import type { Model } from "../model/model.ts"
import { createCursors } from "../plan/cursor.ts"
import { type PlanContext, startDraft } from "../plan/draft.ts"
import { readList } from "../plan/list.ts"
import type { ReadPlan } from "../plan/types.ts"
import type { Storage } from "../storage/storage.ts"

export interface ServiceOptions {
  readonly model: Model
  readonly storage: Storage
  /** Seals cursors: equal secrets accept each other's. */
  readonly secret: string
  /** Path before both faces: empty, or such as `/api`. */
  readonly base: string
  /** Whether equal reads that are under way share one execution; true by default. */
  readonly singleFlight?: boolean
  /** Milliseconds for which answers are kept that were given to writes with an Idempotency-Key; a day when absent. */
  readonly keepAnswers?: number
}

export interface Served {
  readonly graphql: Face
  readonly rest: Face
  /** Rejects when the database does not answer. */
  readonly health: () => Promise<void>
}

export function createFaces({ model, storage, secret, base, ...engine }: ServiceOptions): Served {
  const context: PlanContext = { model, cursors: createCursors(secret) }
  const { answer } = createEngine({ ...context, ...engine, storage })
  const probe = probePlan(context)
  return {
    graphql: graphqlFace({ ...context, answer }),
    rest: restFace({ ...context, answer, base }),
    health: async () => void (await answer(probe)),
  }
}

/** Asks the database for no rows of the first resource. */
function probePlan(context: PlanContext): ReadPlan {
  const draft = startDraft(context)
  const [resource] = context.model.resources.values()
  if (!resource) return draft.finish([])
  const list = readList(draft, resource, { encoding: "json", first: 0 }, [])
  return draft.finish([
    { kind: "list", key: "probe", resource: resource.name, list: { ...list, members: [] } },
  ])
}
