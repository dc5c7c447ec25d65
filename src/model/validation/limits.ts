// Limits that a service can be used under.
import { sizeLimitNames, sizeLimits } from "../limits.ts"
import type { Rule } from "./context.ts"

/** Records of a page. */
const mostRows = 10_000

export const limits: Rule = ({ limits }, report) => {
  const { page, ...sizes } = limits ?? {}
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
