// Services with keys and endpoints whose rules of managing and granting are random, and the naive interpreter of who grants
// what, written from docs/guide/sign-in.md and docs/guide/webhooks.md: what is granted is at most the granter's own, unless a
// rule says who may grant it.
import { anyone, f, load, one, resource, service, signedIn } from "bifold"
import { type Random, seeded } from "../../examples/storefront/random.ts"
import type { Model } from "../../src/model/model.ts"
import type { RuleObject } from "../../src/model/policy-declaration.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { type Declared, type Entry, interpret, type Store, type Who } from "../support/naive-access.ts"
import type { Change, Outcome } from "./changes.ts"
import { transact } from "./naive-writes.ts"
import { draw } from "./small-service.ts"

export const roles = ["admin", "support", "staff", "warehouse"] as const
export const scopes = ["reports", "orders"] as const
/** What each allows in a minute; without a tier there are the limits of the service. */
const limits = { none: 100_000, trial: 1_000, pro: 1_000_000 } as const
export const tiers = ["trial", "pro"] as const

export interface Granter extends Who {
  readonly tier?: (typeof tiers)[number]
}

type Rules = Readonly<Record<string, readonly RuleObject[]>>

export interface Granting {
  readonly model: Model
  readonly declared: Declared
  /** Who may grant what, by resource and name. */
  readonly grants: Readonly<Record<string, Rules>>
}

const mine = { id: { eq: { viewer: "id" } } }
const own: RuleObject = { owner: mine }
const credentials: readonly RuleObject[] = [
  { role: "support" },
  { role: "staff" },
  { scope: "orders" },
  { and: [{ role: "warehouse" }, { not: { role: "support" } }] },
]
const all: readonly RuleObject[] = [
  ...credentials,
  own,
  { owner: { boss: mine } },
  { role: "staff", owner: { boss: mine } },
  { ownerId: { isNull: true } },
]

const drawRules = (random: Random, pool: readonly RuleObject[]): readonly RuleObject[] =>
  Array.from({ length: random.between(1, 2) }, () => draw(random, pool))

const drawGrants = (random: Random, names: readonly string[]): Rules =>
  Object.fromEntries(names.filter(() => random.oneIn(3)).map((name) => [name, drawRules(random, all)]))

export function grantingService(seed: number): Granting {
  const random = seeded(seed)
  // Somebody sees all.
  const managers = (pool: readonly RuleObject[]): readonly RuleObject[] => [
    { role: "admin" },
    ...drawRules(random, pool),
  ]
  const keys = { manage: managers(all), grant: drawGrants(random, [...roles, ...scopes, ...tiers]) }
  const webhooks = { manage: managers(credentials), grant: drawGrants(random, [...roles, ...scopes]) }
  const written = service({
    name: `granting-${seed}`,
    roles,
    scopes,
    viewer: "person",
    limits: {
      cost: { perMinute: limits.none },
      tiers: { trial: { perMinute: limits.trial }, pro: { perMinute: limits.pro } },
    },
    identity: { keys },
    webhooks,
    resources: {
      person: resource({
        id: "per",
        fields: { name: f.text() },
        relations: { boss: one("person", { optional: true }) },
        allow: { read: signedIn, create: anyone },
      }),
    },
  } as never)
  return {
    model: load(withSystem(written)),
    declared: declaredOf(keys.manage, webhooks.manage),
    grants: { apiKey: keys.grant, webhookEndpoint: webhooks.grant },
  }
}

/** The resources of keys and endpoints as the pages describe them. */
function declaredOf(keys: readonly RuleObject[], webhooks: readonly RuleObject[]): Declared {
  const granted = { scalar: "text", optional: true }
  const relations = { owner: { kind: "one", target: "person", optional: true } }
  const whose = [...webhooks, own]
  return {
    viewer: "person",
    resources: {
      person: {
        fields: { name: { scalar: "text" } },
        relations: { boss: relations.owner },
        allow: { read: { signedIn: true } },
      },
      apiKey: {
        fields: { name: { scalar: "text" }, roles: granted, scopes: granted, tier: granted },
        relations,
        allow: { read: [...keys, own], create: keys, update: keys, delete: [...keys, own] },
      },
      webhookEndpoint: {
        fields: {
          url: { scalar: "text" },
          payload: { scalar: "text", optional: true, default: "full" },
          roles: { ...granted, write: webhooks },
          scopes: { ...granted, write: webhooks },
        },
        relations,
        allow: { read: whose, create: whose, update: whose, delete: whose },
      },
    },
  } as unknown as Declared
}

const listed = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : [])

interface Asked {
  readonly store: Store
  readonly who: Granter
  readonly resource: string
  readonly row: Entry
}

/** What of a key or an endpoint somebody may not grant. */
function exceeding({ declared, grants }: Granting, { store, who, resource, row }: Asked): readonly string[] {
  const holds = (rules: readonly RuleObject[]): boolean => {
    const asked = { ...declared.resources[resource], allow: { update: rules } }
    const asking = { ...declared, resources: { ...declared.resources, [resource]: asked } } as Declared
    return interpret(asking, store, who).allows("update", resource, row)
  }
  const may = (name: string, has: boolean): boolean => {
    const rules = grants[resource]?.[name]
    return rules === undefined ? has : holds(rules)
  }
  const tier = (row["tier"] ?? "none") as keyof typeof limits
  return [
    ...listed(row["roles"]).filter((name) => !may(name, who.roles.includes(name))),
    ...listed(row["scopes"]).filter((name) => !may(name, who.scopes.includes(name))),
    ...(resource === "apiKey" && !may(tier, limits[who.tier ?? "none"] >= limits[tier]) ? [tier] : []),
  ]
}

/** What becomes of a change of a key or an endpoint. */
export function granting(service: Granting, store: Store, who: Granter, change: Change): Outcome {
  const outcome = transact(service.declared, store, who, [change])
  if (change.kind !== "create" && change.kind !== "update") return outcome
  const { resource, id } = change
  const was = store.records[resource]?.find((row) => row["id"] === id)
  const excess = [...(was ? [was] : []), { ...was, ...change.given }].flatMap((row) =>
    exceeding(service, { store, who, resource, row }),
  )
  if (excess.length === 0) return outcome
  return { ...outcome, reasons: new Set([...outcome.reasons, "forbidden"]), store }
}
