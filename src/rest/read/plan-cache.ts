// A cache of the plans of reads by address, for repeated addresses.
import { perObject, type RequestCache } from "../../base/caches.ts"
import type { PlanContext } from "../../plan/draft/draft.ts"
import { weigh } from "../../plan/draft/plan-cache.ts"
import type { ReadPlan } from "../../plan/read-plan.ts"
import { pageAddress } from "../http/respond.ts"
import type { ReadRoute } from "../http/route.ts"
import type { ReadContext } from "../question/request-context.ts"
import { type PlannedRequest, planRoute, type RestShapes } from "./plan.ts"
import { createQuestions } from "./query-cache.ts"

export interface PlannedRead {
  readonly route: ReadRoute
  readonly plan: ReadPlan
  /** The beginning of the addresses of a list's other pages: `pageAddress`. */
  readonly pages: string
}

export interface Plans {
  /** The cache entry of an address, when it was asked for lately and not for the count of its rows. */
  find(request: PlannedRequest): PlannedRead | undefined
  /**
   * For one model a plan follows from the method, the address, the body and whether all rows are to be counted. Call it when
   * nothing was found.
   * @throws Refusal with every mistake, or when there can be no such record
   */
  plan(route: ReadRoute, request: PlannedRequest, counted: boolean): PlannedRead
}

const bytesPerCharacter = 20

interface PlansOptions {
  readonly shapes: RestShapes
  /** The path before the face's own, such as `/api`; may be empty. */
  readonly base: string
  readonly cache: RequestCache
}

export function createPlans(context: PlanContext, { shapes, base, cache }: PlansOptions): Plans {
  const questions = createQuestions(cache)
  const known = cache.open<string, PlannedRead>()
  /** Each counts as if no other had its shape. */
  const weightOf = perObject(weigh)
  const planNow: Plans["plan"] = (route, request, counted) => {
    const asked = questions(route, request)
    return {
      route,
      plan: planRoute(context, shapes, counted ? withTotal(asked) : asked),
      pages: pageAddress(base + request.path, request.query),
    }
  }
  return {
    find: (request) => (request.method === "POST" ? undefined : known.get(addressOf(request))),
    plan(route, request, counted) {
      if (request.method === "POST") return planNow(route, request, counted)
      // No path begins so.
      const address = `${counted ? "counted" : ""}${addressOf(request)}`
      const kept = counted ? known.get(address) : undefined
      if (kept) return kept
      const planned = planNow(route, request, counted)
      if (!cache.seen(address)) return planned
      const lasting: PlannedRead = { ...planned, plan: { ...planned.plan, kept: {} } }
      known.set(address, lasting, weightOf(planned.plan.roots) + bytesPerCharacter * address.length)
      return lasting
    },
  }
}

const addressOf = ({ path, query }: PlannedRequest): string => `${path}?${query}`

function withTotal({ route, question, structure }: ReadContext): ReadContext {
  return { route, question: { ...question, total: true }, structure: `${structure}, counted` }
}
