// Roles, scopes and tiers that keys and endpoints give to their users, in Bifold's own language.
import type { GrantDeclaration, GrantMap, RuleObject } from "../policy-declaration.ts"

interface Names {
  readonly roles?: readonly string[] | undefined
  readonly scopes?: readonly string[] | undefined
  readonly tiers?: readonly string[]
}

/** @param grant callers that may grant a name; a name of several kinds is granted as each of them */
export function grantsOf(
  { roles = [], scopes = [], tiers = [] }: Names,
  grant: GrantMap = {},
): readonly GrantDeclaration[] {
  const granted = (kind: GrantDeclaration["kind"], name: string, lacks: RuleObject): GrantDeclaration => {
    const allow = Object.hasOwn(grant, name) ? grant[name] : undefined
    return { kind, name, lacks, ...(allow !== undefined && { allow }) }
  }
  return [
    ...roles.map((name) => granted("role", name, { not: { roles: { has: name } } })),
    ...scopes.map((name) => granted("scope", name, { not: { scopes: { has: name } } })),
    ...tiers.map((name) => granted("tier", name, { not: { tier: { eq: name } } })),
    // A tier that the service does not declare has the limits of none.
    ...(tiers.length > 0 ? [{ kind: "tier", name: null, lacks: { tier: { in: tiers } } } as const] : []),
  ]
}
