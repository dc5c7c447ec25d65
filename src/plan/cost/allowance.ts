// The cost that a caller's requests may have: the limits of its tier, and the refusal of a request beyond them.
import { type Refusal, refusal } from "../../base/problem.ts"
import {
  anonymousTier,
  type Charge,
  type CostLimits,
  type RequestLimitName,
  requestLimitNames,
} from "../../model/limits.ts"
import type { Limits } from "../../model/model.ts"
import type { Actor } from "../access/actor.ts"
import type { Plan } from "../plan.ts"
import type { Statistics } from "./access-paths.ts"
import { adviseIndexes, type IndexAdvice } from "./index-advice.ts"
import { explainCharge, type PricedPart } from "./points.ts"

/** The limits of a caller, and the name of its tier; undefined for the limits of the service. */
interface Allowance {
  readonly tier: string | undefined
  readonly limits: CostLimits
}

export function allowanceOf(
  { tiers, cost }: Limits,
  { name, tier }: Pick<Actor, "name" | "tier">,
): Allowance {
  const wanted = tier ?? (name === "" ? anonymousTier : undefined)
  const limits = wanted === undefined ? undefined : tiers.get(wanted)
  return limits ? { tier: wanted, limits } : { tier: undefined, limits: cost }
}

/** Members of a charge that the limits hold for. */
const measured = { perRequest: "points", records: "records", bytes: "bytes" } as const satisfies Readonly<
  Record<RequestLimitName, keyof Charge>
>

const worded: Readonly<Record<RequestLimitName, (size: string) => string>> = {
  perRequest: (size) => `The request costs ${size} points`,
  records: (size) => `The answer may have ${size} records`,
  bytes: (size) => `The answer may have ${size} bytes`,
}

/** Undefined when the plan is within the limits of one request. */
export function tooExpensive(plan: Plan, charge: Charge, allowance: Allowance): Refusal | undefined {
  const { limits } = allowance
  for (const name of requestLimitNames) {
    const size = charge[measured[name]]
    if (size <= limits[name]) continue
    return refusal(
      "too_expensive",
      `${worded[name](figure(size))}; at most ${figure(limits[name])} are allowed (limit \`${declaredLimit(plan, allowance, name)}\`).`,
      { hint: hintFor(plan, measured[name]) },
    )
  }
  return undefined
}

/** Where the limit is declared: of the tier or of the service. A request is within the points of a minute without a limit of its own. */
function declaredLimit(
  { model }: Plan,
  { tier, limits }: Allowance,
  name: RequestLimitName | "scanned",
): string {
  const { perRequest, perMinute } = limits
  const declared = name === "perRequest" && perRequest === perMinute ? "perMinute" : name
  const isOfTier = tier !== undefined && limits[declared] !== model.limits.cost[declared]
  return `${isOfTier ? `tiers.${tier}` : "cost"}.${declared}`
}

/** Undefined when the database looks at no more rows than the limits allow, for all that is known of its tables. */
export function tooManyRows(
  plan: Plan,
  rows: number,
  allowance: Allowance,
  statistics: Statistics,
): Refusal | undefined {
  const { scanned } = allowance.limits
  if (scanned === undefined || rows <= scanned) return undefined
  const message = `The database would look at more than ${figure(scanned)} rows for the request (limit \`${declaredLimit(plan, allowance, "scanned")}\`).`
  return refusal("too_expensive", message, { hint: indexHint(adviseIndexes(plan, statistics)) })
}

function indexHint([missing]: readonly IndexAdvice[]): string {
  if (!missing) return "Ask with a filter or an order that an index serves, or for fewer related records."
  return `The service has no index of ${missing.resource} on ${missing.members.join(", ")}: ask with another filter or order.`
}

/** Names the dearest part. */
function hintFor(plan: Plan, measure: keyof Charge): string {
  const dearest = explainCharge(plan).parts.reduce(
    (most: PricedPart | undefined, part) => (most && most[measure] >= part[measure] ? most : part),
    undefined,
  )
  const place = dearest?.place.join(".")
  return place ? `Ask for smaller pages: most of it is for ${place}.` : "Ask for less at a time."
}

/** `1,010,101`; a number too large to be exact is rounded. */
export const figure = (value: number): string =>
  value < 1e15 ? value.toLocaleString("en-US") : `more than ${(1e15).toLocaleString("en-US")}`
