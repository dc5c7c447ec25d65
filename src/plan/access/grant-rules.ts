// Rules of grants: who may have a record give a role, scope or tier to its user (docs/guide/identity.md).
import type { Place } from "../../base/problem.ts"
import { type CostLimits, costLimitNames } from "../../model/limits.ts"
import type { Limits, Resource } from "../../model/model.ts"
import { type Reading, readUnion } from "./parse-policy.ts"
import type { GrantRule } from "./policy-types.ts"

/** @param place of the resource */
export function readGrantRules(reading: Reading, resource: Resource, place: Place): readonly GrantRule[] {
  return (resource.grants ?? []).flatMap((declared): readonly GrantRule[] => {
    const at = [...place, "grants", declared.name ?? ""]
    const allow = declared.allow && readUnion(reading, resource, declared.allow, [...at, "allow"])
    const lacks = readUnion(reading, resource, declared.lacks, [...at, "lacks"])
    if (!lacks || (declared.allow && !allow)) return []
    const covering = declared.kind === "tier" && !allow && tiersCovering(reading.model.limits, declared.name)
    return [{ declared, lacks, ...(allow && { allow }), ...(covering && { covering }) }]
  })
}

/** Tiers, undefined for the service's own limits, that lack nothing of what the tier allows. */
function tiersCovering({ tiers, cost }: Limits, name: string | null): GrantRule["covering"] {
  const wanted = (name === null ? undefined : tiers.get(name)) ?? cost
  const all = [[undefined, cost] as const, ...tiers]
  return all.flatMap(([tier, limits]) => (isAtMost(wanted, limits) ? [tier] : []))
}

const isAtMost = (limits: CostLimits, others: CostLimits): boolean =>
  costLimitNames.every(
    (name) => (limits[name] ?? Number.POSITIVE_INFINITY) <= (others[name] ?? Number.POSITIVE_INFINITY),
  )
