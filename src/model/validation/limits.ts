// Limits that a service can be used under.
import { type CostDeclaration, costLimitNames, mostOf, sizeLimitNames, sizeLimits } from "../limits.ts"
import type { Rule } from "./context.ts"

/** Records of a page. */
const mostRows = 10_000

export const limits: Rule = ({ limits }, report) => {
  const { page, cost, tiers = {}, ...sizes } = limits ?? {}
  const check = (place: readonly string[], value: number | undefined, most: number) => {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= most))
      report(
        ["limits", ...place],
        `"${place.join(".")}" must be a whole number from 1 to ${most}, not ${value}.`,
      )
  }
  check(["page", "default"], page?.default, mostRows)
  check(["page", "max"], page?.max, mostRows)
  for (const name of sizeLimitNames) check([name], sizes[name], sizeLimits[name].most)
  const checkCost = (place: readonly string[], set: CostDeclaration) => {
    for (const name of costLimitNames) check([...place, name], set[name], mostOf(name))
    const { perRequest, perMinute } = { ...cost, ...set }
    if (perRequest !== undefined && perMinute !== undefined && perRequest > perMinute)
      report(
        ["limits", ...place, set.perRequest === undefined ? "perMinute" : "perRequest"],
        `"${place.join(".")}" allows requests of ${perRequest} points, and ${perMinute} points a minute: the dearest could never be sent.`,
      )
  }
  if (cost) checkCost(["cost"], cost)
  for (const [name, tier] of Object.entries(tiers)) {
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      report(["limits", "tiers", name], `"${name}" is not a name of a tier: use camelCase, such as "pro".`)
    checkCost(["tiers", name], tier)
  }
  const { tokens, characters } = sizes
  if (tokens !== undefined && characters !== undefined && tokens > characters)
    report(
      ["limits", "tokens"],
      `"tokens", ${tokens}, is greater than "characters", ${characters}: no document has that many.`,
    )
  if (page?.default !== undefined && page.max !== undefined && page.default > page.max)
    report(
      ["limits", "page", "default"],
      `"page.default", ${page.default}, is greater than "page.max", ${page.max}.`,
    )
}
