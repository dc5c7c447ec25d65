// Puts a service together: storage, engine and both faces of one Model.

import { createSavedDocuments } from "../access/documents/saved-documents.ts"
import { type CacheBudget, perObject, RequestCache } from "../base/caches.ts"
import { refusal } from "../base/problem.ts"
import { startRequest } from "../base/request.ts"
import type { Drift, SchemaWatch } from "../engine/drift.ts"
import { createEngine, type Engine } from "../engine/engine.ts"
import type { Operate } from "../graphql/face.ts"
import { createLazyGraphqlFace } from "../graphql/lazy-face.ts"
import type { AnswerPlan, Face } from "../http/face.ts"
import type { Model, Resource } from "../model/model.ts"
import { type Actor, everybodyOf } from "../plan/access/actor.ts"
import { openModel } from "../plan/access/visible-model.ts"
import { createCursors } from "../plan/draft/cursor.ts"
import { type Fresh, type PlanContext, startDraft } from "../plan/draft/draft.ts"
import type { Plan } from "../plan/plan.ts"
import { readList } from "../plan/read/list.ts"
import type { ReadPlan } from "../plan/read-plan.ts"
import { restFace } from "../rest/face.ts"
import type { Storage } from "../storage/storage.ts"
import { createLazyFeed } from "./feed/lazy-feed.ts"

export interface ServiceOptions {
  /** The whole service, as it was declared, or opened to everybody. */
  readonly model: Model
  /** As it was declared, where `model` is opened. */
  readonly declared?: Model
  readonly storage: Storage
  /** Seals cursors and long entity tags: equal secrets accept each other's. */
  readonly secret: string
  /** Path before both faces: empty, or such as `/api`. */
  readonly base: string
  /** Whether equal reads that are under way share one execution; true by default. */
  readonly singleFlight?: boolean
  /** Milliseconds for which answers are kept that were given to writes with an Idempotency-Key; a day when absent. */
  readonly keepAnswers?: number
  /** Where new ids and the time come from: chance and the clock when absent. */
  readonly fresh?: Fresh
  /** Milliseconds between looks for events of other processes; a second when absent. */
  readonly look?: number
  /** For a database that others may change while it is served. */
  readonly drift?: Drift
  /** Bounds the request caches; the budget of the process when absent. */
  readonly budget?: CacheBudget
  /** Told of each plan of a client. */
  readonly used?: (plan: Plan, actor: Actor) => void
}

export interface Faces {
  readonly graphql: Face
  readonly rest: Face
  /** GraphQL by other transports than HTTP; absent where there are none. */
  readonly operate?: Operate
}

export interface Served {
  /** The faces as they are for those who may do the same as the actor. */
  readonly facesFor: (actor: Actor) => Faces
  /** The engine, for what Bifold asks itself. */
  readonly answer: AnswerPlan
  /** For what follows the log. */
  readonly handleFor: Engine["handleFor"]
  readonly watch: Engine["watch"]
  readonly schema?: SchemaWatch
  /** Rejects when the database does not answer, or has what no resource needs. */
  readonly health: () => Promise<Health>
  /** Bifold makes and migrates the tables. */
  readonly managed: boolean
  /** Ends answers that last, each with all that was written so far. */
  readonly endStreams: () => void
}

export interface Health {
  /** How many resources cannot be served, because the database lacks something that they need. */
  readonly unavailable: number
}

export function createFaces({
  model,
  declared = model,
  storage,
  secret,
  base,
  fresh,
  look,
  budget,
  used,
  ...engine
}: ServiceOptions): Served {
  const cursors = createCursors(secret)
  const asked = createEngine({ ...engine, cursors, storage, ...(fresh && { fresh }) })
  const { answer, probe, handleFor, watch } = asked
  const counted: AnswerPlan = used
    ? (plan, actor, request) => {
        used(plan, actor)
        return answer(plan, actor, request)
      }
    : answer
  const saved = createSavedDocuments({ model: declared, answer })
  const feed = createLazyFeed({
    model,
    storage,
    secret,
    answer: counted,
    watch,
    ...(look !== undefined && { look }),
  })
  const facesOf = perObject((own: Model): Faces => {
    const context: PlanContext = { model: own, cursors, ...(fresh && { fresh }) }
    const { follow, writes, events } = feed
    const cache = new RequestCache(budget)
    const graphql = createLazyGraphqlFace({
      ...context,
      answer: counted,
      cache,
      saved: saved(cache),
      ...(follow && { follow }),
      ...(writes && { writes }),
      ...(events && { events }),
    })
    const rest = restFace({ ...context, answer: counted, base, secret, cache })
    const beside = feed.facesOf(own, rest)
    return {
      graphql: graphql.face,
      operate: graphql.operate,
      rest: (request) => {
        const live = request.query.includes("live=") ? beside.live : undefined
        return (beside.events?.get(request.path) ?? live ?? rest)(request)
      },
    }
  })
  const prober = everybodyOf(openModel(model))
  const resources = [...prober.model.resources.values()]
  const health = async (): Promise<Health> => {
    asked.refreshDrift()
    const whole = resources.find(({ hurt }) => !hurt?.())
    if (!whole) throw refusal("resource_unavailable", "The database lacks what each resource needs.")
    try {
      await probe(probePlan({ model: prober.model, cursors }, whole), prober, startRequest("probe"))
    } catch (fault) {
      // The probe found this resource unavailable; other resources tell the state of the database.
      if (whole.hurt?.()) return health()
      throw fault
    }
    return { unavailable: resources.filter(({ hurt }) => hurt?.()).length }
  }
  return {
    answer,
    handleFor,
    watch,
    facesFor: (actor) => facesOf(actor.model),
    health,
    managed: model.managed,
    ...(asked.schema && { schema: asked.schema }),
    endStreams: feed.close,
  }
}

/** Asks the database for no rows of the resource. */
function probePlan(context: PlanContext, resource: Resource): ReadPlan {
  const draft = startDraft(context)
  const list = readList(draft, resource, { encoding: "json", first: 0 }, [])
  return draft.finish([
    { kind: "list", key: "probe", resource: resource.name, list: { ...list, members: [] } },
  ])
}
