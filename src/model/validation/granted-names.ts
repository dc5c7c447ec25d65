// Names in `grant` are roles, scopes or tiers of the service, and some caller manages the keys or endpoints; `expires` is a
// length of time.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { anonymousTier } from "../limits.ts"
import { readDuration } from "../log.ts"
import type { GrantMap, RuleDeclaration } from "../policy-declaration.ts"
import type { Report, Rule } from "./context.ts"

export const grantedNames: Rule = ({ roles = [], scopes = [], limits, identity, webhooks }, report) => {
  const tiers = Object.keys(limits?.tiers ?? {}).filter((name) => name !== anonymousTier)
  const { keys } = identity ?? {}
  if (typeof keys === "object")
    check({ at: ["identity", "keys"], ...keys, known: [...roles, ...scopes, ...tiers] }, report)
  if (typeof webhooks === "object")
    check({ at: ["webhooks"], ...webhooks, known: [...roles, ...scopes] }, report)
}

interface Granting {
  readonly at: Place
  readonly manage?: RuleDeclaration
  readonly grant?: GrantMap
  readonly expires?: string
  readonly known: readonly string[]
}

function check({ at, manage, grant, expires, known }: Granting, report: Report): void {
  if (expires !== undefined && readDuration(expires) === undefined)
    report(
      [...at, "expires"],
      `${JSON.stringify(expires)} is no length of time.`,
      'Give hours, days, weeks or years, such as "90 days"; a century at the most.',
    )
  if (grant === undefined) return
  if (manage === undefined)
    report([...at, "grant"], "No caller may make one by the API, so none grants.", "Say who may: manage: ….")
  for (const name of Object.keys(grant))
    if (!known.includes(name))
      report(
        [...at, "grant", name],
        `The service declares no role, scope or tier ${JSON.stringify(name)}.`,
        suggest(name, known),
      )
}
