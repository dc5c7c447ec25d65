// The plans of what is asked for by address, kept of addresses that are asked for again and again.
import { cacheBudget, createRecent, createSeen, perObject } from "../../base/caches.ts"
import type { PlanContext } from "../../plan/draft/draft.ts"
import type { ReadPlan } from "../../plan/read-plan.ts"
import { pageAddress } from "../http/respond.ts"
import type { ReadRoute } from "../http/route.ts"
import type { ReadContext } from "../question/request-context.ts"
import { type PlannedRequest, planRoute, type RestShapes, weigh } from "./plan.ts"
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
   * For one model a plan follows from the method, the address, the body and whether all rows are to be counted. It is asked
   * for when nothing was found.
   * @throws Refusal with every mistake, or when there can be no such record
   */
  plan(route: ReadRoute, request: PlannedRequest, counted: boolean): PlannedRead
  /** Addresses kept, and their weight together. */
  size(): { readonly count: number; readonly weight: number }
}

/** The weight is in bytes. */
const bounds = { count: 5_000, weight: 20_000_000 }

const bytesPerCharacter = 20

/** @param base the path before the face's own; the empty one when there is none */
export function createPlans(context: PlanContext, shapes: RestShapes, base: string): Plans {
  const questions = createQuestions()
  const known = createRecent<string, PlannedRead>(bounds, cacheBudget)
  const seen = createSeen()
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
      if (!seen(address)) return planned
      const lasting: PlannedRead = { ...planned, plan: { ...planned.plan, kept: true } }
      known.set(address, lasting, weightOf(planned.plan.roots) + bytesPerCharacter * address.length)
      return lasting
    },
    size: () => ({ count: known.count, weight: known.weight }),
  }
}

const addressOf = ({ path, query }: PlannedRequest): string => `${path}?${query}`

function withTotal({ route, question, structure }: ReadContext): ReadContext {
  return { route, question: { ...question, total: true }, structure: `${structure}, counted` }
}
