// Limits that a service can be used under.
import type { Rule } from "./context.ts"

const bounds = { rows: 10_000, depth: 50 } as const

export const limits: Rule = ({ limits }, report) => {
  const { page, depth } = limits ?? {}
  const check = (place: readonly string[], value: number | undefined, most: number) => {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= most))
      report(
        ["limits", ...place],
        `"${place.join(".")}" must be a whole number from 1 to ${most}, not ${value}.`,
      )
  }
  check(["page", "default"], page?.default, bounds.rows)
  check(["page", "max"], page?.max, bounds.rows)
  check(["depth"], depth, bounds.depth)
  if (page?.default !== undefined && page.max !== undefined && page.default > page.max)
    report(
      ["limits", "page", "default"],
      `"page.default", ${page.default}, is greater than "page.max", ${page.max}.`,
    )
}
