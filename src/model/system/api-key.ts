// API keys: a resource of Bifold's own, in Bifold's own language. A secret is shown once; the table keeps its digest,
// which no caller reads.

import type { FieldDeclaration, ResourceDeclaration } from "../declaration/declaration.ts"
import { f, one, only, resource, viewer } from "../declaration/service.ts"
import type { GrantMap, RuleDeclaration, RuleObject } from "../policy-declaration.ts"
import { endingWithin } from "./ends.ts"
import { grantsOf } from "./granted.ts"

export const apiKey = "apiKey"
export const apiKeyOwner = "owner"

/** Any of none. */
const nobody: readonly RuleObject[] = []

/** The keys of a service. */
interface Keys {
  /** The resource whose records may have keys: the records that sign in, if their key is a single column. */
  readonly owners: string | undefined
  readonly roles: readonly string[] | undefined
  readonly scopes: readonly string[] | undefined
  /** Tiers of the service's limits; a key names one where there are any. */
  readonly tiers?: readonly string[]
  /** Versions of the API, which a key may be pinned to. */
  readonly versions?: readonly string[]
  /** Callers that may do everything with all keys, except give grants beyond their own. */
  readonly manage?: RuleDeclaration | undefined
  readonly grant?: GrantMap | undefined
  /** The longest lifetime of a key, such as `90 days`, and the lifetime of a key made without an end. */
  readonly expires?: string | undefined
  /** Whether its changes are kept. */
  readonly history?: boolean
}

export function apiKeyResource({
  owners,
  roles,
  scopes,
  tiers = [],
  versions = [],
  manage = nobody,
  grant,
  expires,
  history = false,
}: Keys): ResourceDeclaration {
  const ending = endingWithin(expires, "End of validity")
  const managers = [manage].flat() as readonly RuleObject[]
  const own: readonly RuleObject[] =
    owners === undefined ? nobody : [{ [apiKeyOwner]: { id: { eq: viewer.id } } }]
  // A version grants nothing.
  const moving = versions.length > 0 ? own.map((rule) => only(["version"], rule) as RuleObject) : nobody
  const declared = resource({
    id: "key",
    description: "A key that a program signs in with.",
    fields: {
      name: f.text({ max: 200, description: "Purpose of the key." }),
      hint: f.text({ readonly: true, description: "How the key begins." }),
      digest: f.text({ unique: true, readonly: true, read: nobody, description: "SHA-256 of the key." }),
      roles: namesAmong(roles, "The record that the key signs in as."),
      scopes: namesAmong(scopes, "Purpose of the key."),
      ...ending.fields,
      lastUsedAt: f.timestamp({ optional: true, readonly: true, description: "Up to a minute behind." }),
      version: {
        ...f.text({ optional: true, max: 40, description: "The version of the API that it asks for." }),
        declared: versions,
      },
      ...(tiers.length > 0 && {
        tier: {
          ...f.text({ optional: true, max: 40, description: "The tier whose limits hold for it." }),
          declared: tiers,
        },
      }),
      createdAt: f.timestamp({ readonly: true, default: "now" }),
    },
    relations: owners === undefined ? {} : { [apiKeyOwner]: one(owners, { optional: true }) },
    allow: {
      read: [...managers, ...own],
      create: managers,
      update: [...managers, ...moving],
      delete: [...managers, ...own],
    },
  })
  return {
    ...declared,
    ...(history && { history, unlogged: ["lastUsedAt"] }),
    secret: { digest: "digest", hint: "hint" },
    ends: ending.ends,
    grants: grantsOf({ roles, scopes, tiers }, grant),
  }
}

/** Not an enumeration: a key keeps its roles when the service declares others, and the old ones have no effect then. */
const namesAmong = (declared: readonly string[] = [], description: string): FieldDeclaration => ({
  ...f.list(f.text({ max: 100 }), { default: [], description }),
  items: { max: 100, declared },
})
