// A subscription: each change of a record that the subscriber sees becomes a result.

import { perObject } from "../base/caches.ts"
import { invariant, present } from "../base/invariant.ts"
import { type JsonText, joinObject, textOf } from "../base/json.ts"
import { Refusal } from "../base/problem.ts"
import type { Request } from "../base/request.ts"
import type { Change, FollowChanges, Followed, ReadEvents } from "../http/changes.ts"
import { type AnswerPlan, faultIn, type Lasting } from "../http/face.ts"
import { payFor } from "../http/pay.ts"
import { apiName } from "../model/names.ts"
import type { Actor } from "../plan/access/actor.ts"
import { explainCharge, prices } from "../plan/cost/points.ts"
import type { PlanContext } from "../plan/draft/draft.ts"
import { answersUserCode } from "../plan/read/uses-user-code.ts"
import type { Answer } from "../plan/read-plan.ts"
import type { DocumentCache } from "./document/document-cache.ts"
import { formatError, type RequestError, refuse } from "./document/errors.ts"
import type { PreparedOperation } from "./document/prepare.ts"
import type { Executable } from "./document/query-cache.ts"
import type { VariableRequest } from "./document/variables.ts"
import { completeRoots } from "./planning/null-propagation.ts"
import { planOperation } from "./planning/plan.ts"
import { type PlannedSubscription, planSubscription, recordVariable } from "./planning/subscription-plan.ts"

export interface Subscribing {
  readonly context: PlanContext
  readonly answer: AnswerPlan
  readonly documents: DocumentCache
  readonly introspection: boolean
  readonly follow: FollowChanges | undefined
  readonly events: ReadEvents | undefined
}

export interface Subscriber {
  readonly actor: Actor
  /** The request that subscribes. */
  readonly inner?: Request | undefined
  readonly requestId: string
  /** Ends the subscription. */
  readonly signal: AbortSignal
  /** Ends its connection, whatever the subscriber has not taken. */
  readonly cut?: () => void
  /** Counts each result as a request. */
  readonly run?: Lasting["run"]
  readonly report?: Lasting["report"]
}

/** Results as JSON. Rejects with a Refusal for what cannot be followed. */
export async function subscribe(
  service: Subscribing,
  { prepared, variables }: { readonly prepared: PreparedOperation; readonly variables: VariableRequest },
  subscriber: Subscriber,
): Promise<AsyncGenerator<JsonText, void>> {
  const planned = planSubscription(service.context, prepared, variables)
  const records = readerOf(service, planned, variables)
  const points = records?.points ?? prices.request
  const { resource, where, after, places } = planned
  const follow = present(service.follow, "a service that can be followed has subscriptions")
  const followed = await follow({
    actor: subscriber.actor,
    request: subscriber.inner,
    signal: subscriber.signal,
    cut: subscriber.cut,
    pay: (points) => payFor(subscriber, points),
    resource: apiName(resource),
    places,
    ...(where !== undefined && { where }),
    ...(after !== undefined && { after }),
  })
  return results(service, { planned, records, followed, subscriber, points })
}

interface Subscription {
  readonly planned: PlannedSubscription
  readonly records: RecordReader | undefined
  readonly followed: Followed
  readonly subscriber: Subscriber
  /** Price of a result: the price of a request for the record. */
  readonly points: number
}

async function* results(
  service: Subscribing,
  { planned, records, followed, subscriber, points }: Subscription,
): AsyncGenerator<JsonText, void> {
  const { actor, requestId } = subscriber
  const told = (errors: readonly RequestError[]): JsonText =>
    JSON.stringify(errors.map((error) => formatError(error, requestId, service.introspection)))
  const resultOf = async (change: Change): Promise<JsonText> => {
    const found = await records?.read(change, actor)
    const errors = (found?.errors ?? []).map((error) => ({
      ...error,
      path: [planned.key, ...(error.path ?? [])],
    }))
    const data = joinObject([[planned.key, changeText(planned, change, found?.texts ?? none)]])
    return errors.length === 0 ? `{"data":${data}}` : `{"data":${data},"errors":${told(errors)}}`
  }
  try {
    for await (const change of followed.changes) {
      await payFor(subscriber, points)
      if (subscriber.signal.aborted) return
      yield* followed.frame(() => resultOf(change))
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (subscriber.signal.aborted) return
    subscriber.report?.(faultIn(error))
    yield `{"errors":${told(error.problems)}}`
  }
}

type Texts = ReadonlyMap<string, JsonText>

const none: Texts = new Map()

const changeText = ({ members }: PlannedSubscription, change: Change, records: Texts): JsonText =>
  joinObject(
    members.map(({ key, of, typeName }) => [
      key,
      of === "record"
        ? (records.get(key) ?? "null")
        : JSON.stringify(of === "__typename" ? typeName : change[of]),
    ]),
  )

// The record of a change, as its subscriber sees it

interface RecordReader {
  readonly points: number
  read(change: Change, actor: Actor): Promise<Found>
}

interface Found {
  /** By response key. */
  readonly texts: Texts
  readonly errors: readonly RequestError[]
}

/** Undefined where nothing of the record is asked for. @throws Refusal with every mistake in the selection */
function readerOf(
  { context, answer, documents }: Subscribing,
  planned: PlannedSubscription,
  { input }: VariableRequest,
): RecordReader | undefined {
  const { query } = planned
  if (query === undefined) return undefined
  const { document, errors, operation } = documents.readOwn(query)
  if (!document || errors.length > 0) return refuse(errors.map(withoutLocations))
  const prepared = operation(undefined)
  const own = Object.fromEntries(
    planned.variables.filter((name) => Object.hasOwn(input, name)).map((name) => [name, input[name]]),
  )
  const plan = (id: string) => {
    try {
      const asked = prepared.readVariables({ ...own, [recordVariable]: id })
      const made = planOperation(context, prepared, asked)
      return { ...made, asked }
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.problems.map(withoutLocations))
      throw error
    }
  }
  const find = async (id: string, actor: Actor): Promise<Found> => {
    const { plan: made, outputs, asked } = plan(id)
    // Subscribers share the result: no request of theirs pays for it.
    return foundIn({ operation: prepared.operation, asked, outputs }, await answer(made, actor))
  }
  const first = plan("").plan
  const asksUserCode = answersUserCode(first)
  return {
    points: explainCharge(first).points,
    read(change, actor) {
      if (change.kind === "LEFT" || change.kind === "DELETED") return nothingFound
      const known = shared(change)
      // Callers with one model and one key have equal rights. User code receives the name as well, and limits follow the tier.
      const key = JSON.stringify([own, query, actor.tier, asksUserCode && actor.name])
      const found = known.get(key) ?? find(change.recordId, actor)
      known.set(key, found)
      return found
    },
  }
}

/** Subscribers of equal shape and rights share the results for a change. */
const shared = perObject((_: Change) => new Map<string, Promise<Found>>())

const nothingFound: Promise<Found> = Promise.resolve({ texts: none, errors: [] })

function foundIn({ operation, asked, outputs }: Executable, answer: Answer): Found {
  const roots = outputs.map((output) => {
    invariant(output.kind === "data", "a change's query asks for its record")
    return {
      group: output.group,
      types: output.types,
      text: textOf(answer.roots[output.root] ?? "null"),
    }
  })
  if (!answer.flawed) return { texts: new Map(roots.map(({ group, text }) => [group.key, text])), errors: [] }
  const { texts = none, errors } = completeRoots(operation, asked, roots, answer.failures)
  return { texts, errors: errors.map(withoutLocations) }
}

/** They are places in a text that the client has not sent. */
const withoutLocations = ({ locations: _, ...error }: RequestError): RequestError => error
