// A record without a key consists of its members, so it has at least one.
import type { ResourceDeclaration } from "../declaration/declaration.ts"
import { type Rule, resourcesOf } from "./context.ts"

export const listableResources: Rule = (service, report) => {
  for (const { name, resource, place } of resourcesOf(service)) {
    if (resource.key === false && isEmpty(resource))
      report(
        [...place, "fields"],
        `"${name}" has neither a key nor fields, so there is nothing to show of it.`,
      )
    if (resource.key === false && resource.history === true && resource.states === undefined)
      report(
        [...place, "key"],
        `History is kept by id, and "${name}" has no key.`,
        "Name the columns that tell its records apart, or leave out its history.",
      )
    if (resource.key !== false && resource.rows !== undefined)
      report(
        [...place, "rows"],
        `"${name}" has a key, which tells its records apart; \`rows\` is for a resource without one.`,
      )
  }
}

const isEmpty = ({ fields, relations }: ResourceDeclaration): boolean =>
  Object.keys(fields).length === 0 && !Object.values(relations ?? {}).some(({ kind }) => kind === "one")
