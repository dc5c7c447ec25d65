// Small services with random rules: roles, scopes, conditions over the record and over relations of one and two hops,
// `only`, rules of single fields, several grants, and, or and not; with fields that are computed. Equal seeds give equal
// services.
import { type Random, seeded, typeidSuffix } from "../../examples/storefront/random.ts"
import { Refusal } from "../../src/base/problem.ts"
import type {
  FieldDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  TransitionDeclaration,
} from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { AllowDeclaration, RuleDeclaration, RuleObject } from "../../src/model/policy-declaration.ts"
import { rulesOf } from "../../src/plan/access/policies.ts"
import type { Records } from "../../src/sql/write/insert.ts"
import { type Guarded, guarded, person } from "./guarded.ts"
import { computed, draw, resources, smallRecords } from "./small-service.ts"
import {
  founders,
  pointedRules,
  tenantComputed,
  tenantConditions,
  tenantRecords,
  tenantResources,
  tenantRules,
} from "./tenants.ts"

/** What a random service is about. */
interface Kit {
  readonly name: string
  readonly viewer: string
  readonly resources: Readonly<Record<string, ResourceDeclaration>>
  readonly computed: Readonly<Record<string, readonly (readonly [string, FieldDeclaration])[]>>
  readonly records: (random: Random) => Records
  /** More rules to create, by resource. */
  readonly founders: typeof founders
  /** Other rules, in place of those of any kind. */
  readonly allow?: (random: Random) => Readonly<Record<string, AllowDeclaration>>
  /** Only people who are records ask. */
  readonly members?: true
  /** No `only` is drawn where it has no meaning: with many resources hardly any service would be accepted. */
  readonly wholly: boolean
  /** The states of some, by resource. */
  readonly lives: Readonly<
    Record<string, (random: Random, resource: ResourceDeclaration) => ResourceDeclaration>
  >
}

export const smallModel = (seed: number): Guarded =>
  randomModel(seed, {
    name: "small",
    viewer: "person",
    resources,
    computed,
    records: smallRecords,
    founders: {},
    wholly: false,
    lives: { item: withLife },
  })

const tenants: Omit<Kit, "name"> = {
  viewer: "account",
  resources: tenantResources,
  computed: tenantComputed,
  records: tenantRecords,
  founders: founders,
  wholly: true,
  lives: { ticket: withDesk },
}

/** Its rules lead back to what is written. */
export const tenantModel = (seed: number): Guarded => randomModel(seed, { ...tenants, name: "tenants" })

/** The same with the rules that an author would give it, and other records. */
export const ruledTenants = (seed: number): Guarded =>
  randomModel(seed, { ...tenants, name: "ruled-tenants", allow: () => tenantRules })

/** With rules that only lead back, for people of whom each is a member of something. */
export const pointedTenants = (seed: number): Guarded =>
  randomModel(seed, { ...tenants, name: "pointed-tenants", allow: pointedRules, members: true })

function randomModel(seed: number, kit: Kit): Guarded {
  const random = seeded(seed)
  const declaration = loadable(random, seed, kit)
  const records = kit.records(random)
  const prefix = kit.resources[kit.viewer]?.id ?? ""
  const known = (records.records.get(kit.viewer) ?? []).map(({ id }) => `${prefix}_${id}`)
  const [one, other, third] = known
  if (!one || !other || !third) throw new Error("there are people")
  const everybody = [
    person("anonymous", { signedIn: false }),
    person("signed in", {}),
    person("a viewer", { viewer: one }),
    person("another viewer", { viewer: other }),
    person("a viewer who is a clerk", { viewer: third, roles: ["clerk"] }),
    person("a viewer whose record is gone", { viewer: `${prefix}_${typeidSuffix(0, random)}` }),
    person("chief", { roles: ["chief"] }),
    person("clerk", { roles: ["clerk"] }),
    person("a key for reports", { scopes: ["reports"] }),
  ]
  const members = known.map((viewer, index) => person(`member ${index}`, { viewer }))
  const people = kit.members ? members : everybody
  return guarded(`${kit.name} service ${seed}`, { declaration, records, people })
}

/** Rules that the language refuses are drawn again. */
function loadable(random: Random, seed: number, kit: Kit): ServiceDeclaration {
  let cause: unknown
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const declaration = randomDeclaration(random, seed, kit)
    try {
      rulesOf(load(declaration))
      return declaration
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      cause = error
    }
  }
  throw new Error("no rules were accepted", { cause })
}

const me = { viewer: "id" }
const mine = { id: { eq: me } }

/** Conditions of each resource; `firm` ones may stand under `not`. */
const conditions: typeof tenantConditions = {
  ...tenantConditions,
  person: {
    firm: [
      mine,
      { boss: mine },
      { boss: { boss: mine } },
      { active: { eq: true } },
      { level: { gte: 3 } },
      { team: { open: { eq: true } } },
      { secret: { isNull: true } },
      { items: { none: { status: { eq: "draft" } } } },
      { team: { members: { some: mine } } },
      { holds: { gte: "50.00" } },
    ],
    loose: [
      { teamId: { eq: { viewer: "teamId" } } },
      { level: { lt: { viewer: "level" } } },
      { holds: { lt: { viewer: "holds" } } },
    ],
  },
  team: {
    firm: [
      { open: { eq: true } },
      { members: { some: mine } },
      { items: { some: { owner: mine } } },
      { code: { in: ["red", "blue"] } },
      { rank: { gte: 3 } },
      { size: { gt: 1 } },
    ],
    loose: [{ members: { some: { level: { gt: { viewer: "level" } } } } }],
  },
  item: {
    firm: [
      { owner: mine },
      { ownerId: { eq: me } },
      { owner: { boss: mine } },
      { owner: mine, status: { eq: "draft" } },
      { status: { in: ["sent", "done"] } },
      { amount: { gte: "10.00" } },
      { team: { open: { eq: true } } },
      { team: { members: { some: mine } } },
      { labels: { some: { featured: { eq: true } } } },
      { parts: { every: { size: { gt: 1 } } } },
      { note: { isNull: true } },
      { worth: { lt: "20.00" } },
      { team: { size: { gte: 2 } } },
    ],
    loose: [{ team: { members: { some: { level: { gte: { viewer: "level" } } } } } }],
  },
  part: {
    firm: [
      { item: { owner: mine } },
      { item: { status: { in: ["sent", "done"] } } },
      { item: { team: { open: { eq: true } } } },
      { size: { gte: 2 } },
      { remark: { isNull: true } },
      { item: { worth: { gt: "10.00" } } },
    ],
    loose: [{ item: { ownerId: { eq: me } }, size: { lt: { viewer: "level" } } }],
  },
  label: {
    firm: [
      { featured: { eq: true } },
      { items: { some: { owner: mine } } },
      { name: { startsWith: "b" } },
      { items: { every: { status: { ne: "draft" } } } },
      { used: { gte: 5 } },
    ],
    loose: [],
  },
}

export function drawRule(random: Random, resource: string, depth: number, firm: boolean): RuleObject {
  const own = conditions[resource] ?? { firm: [], loose: [] }
  const kind = random.between(0, depth > 0 ? 11 : 7)
  if (kind <= 1) return { role: draw(random, ["chief", "clerk"]) }
  if (kind === 2) return random.oneIn(2) ? { scope: "reports" } : { signedIn: true }
  if (kind <= 7) return draw(random, firm ? own.firm : [...own.firm, ...own.loose])
  if (kind === 8) return { not: drawRule(random, resource, depth - 1, true) }
  const several = [drawRule(random, resource, depth - 1, firm), drawRule(random, resource, depth - 1, firm)]
  if (kind === 9) return { or: several }
  return kind === 10 ? { and: several } : { ...several[0], and: [several[1]] }
}

const withoutOnly = (rule: RuleObject): RuleObject => (rule.when as RuleObject | undefined) ?? rule

function drawGrants(random: Random, resource: string, fields: readonly string[]): RuleDeclaration {
  const count = random.between(1, 3)
  const grants = Array.from({ length: count }, (): RuleObject => {
    const when = drawRule(random, resource, 2, false)
    if (!random.oneIn(4)) return when
    const some = random.shuffle(fields).slice(0, random.between(1, Math.max(1, fields.length - 1)))
    return { fields: some, when }
  })
  return random.oneIn(2) ? [...grants, { role: "chief" }] : random.oneIn(8) ? [{ anyone: true }] : grants
}

/** The first always, the other now and then, with random rules of who sees them. */
function drawComputed(
  random: Random,
  name: string,
  kit: Kit,
): readonly (readonly [string, FieldDeclaration])[] {
  return (kit.computed[name] ?? []).flatMap(([field, own], index) => {
    if (index > 0 && random.oneIn(2)) return []
    const read: RuleDeclaration = [drawRule(random, name, 1, false), { role: "chief" }]
    return [[field, { ...own, ...(random.oneIn(2) && { read }) }] as const]
  })
}

function withRules(
  random: Random,
  name: string,
  kit: Kit,
  resource: ResourceDeclaration,
): ResourceDeclaration {
  const keys: readonly string[] = Array.isArray(resource.key) ? resource.key : []
  const added = drawComputed(random, name, kit)
  const names = Object.keys(resource.fields)
  const fields = Object.entries(resource.fields).map(([field, own]): [string, FieldDeclaration] => {
    const rule = (): RuleDeclaration => [drawRule(random, name, 1, false), { role: "chief" }]
    if (keys.includes(field)) return [field, own]
    return [
      field,
      { ...own, ...(random.oneIn(3) && { read: rule() }), ...(random.oneIn(3) && { write: rule() }) },
    ]
  })
  const grants = (): RuleDeclaration => drawGrants(random, name, names)
  const shown = [...names, ...added.map(([field]) => field)]
  const along = kit.founders[name] ?? []
  const read = drawGrants(random, name, shown)
  const create = [grants()].flat()
  return {
    ...resource,
    fields: Object.fromEntries([...fields, ...added]),
    allow: {
      read,
      create: along.length > 0 && random.oneIn(2) ? [...create, draw(random, along)] : create,
      update: grants(),
      delete: kit.wholly ? [grants()].flat().map(withoutOnly) : grants(),
    },
  }
}

const withComputed = (
  { fields }: ResourceDeclaration,
  name: string,
  kit: Kit,
): ResourceDeclaration["fields"] => ({
  ...fields,
  ...Object.fromEntries(kit.computed[name] ?? []),
})

function randomDeclaration(random: Random, seed: number, kit: Kit): ServiceDeclaration {
  const allow = kit.allow?.(random)
  return {
    name: `${kit.name}-${seed}`,
    roles: ["chief", "clerk"],
    scopes: ["reports"],
    viewer: kit.viewer,
    resources: Object.fromEntries(
      Object.entries(kit.resources).map(([name, resource]) => {
        const ruled = allow
          ? { ...resource, fields: withComputed(resource, name, kit), allow: allow[name] ?? {} }
          : withRules(random, name, kit, resource)
        return [name, kit.lives[name]?.(random, ruled) ?? ruled]
      }),
    ),
  }
}

/** Items are sent and done; who may do that, and where, is drawn too. */
function withLife(random: Random, item: ResourceDeclaration): ResourceDeclaration {
  const { status, ...fields } = item.fields
  const { write: _, ...state } = status as FieldDeclaration
  const lawful = conditions["item"]?.firm.filter((one) => !/viewer|status/.test(JSON.stringify(one))) ?? []
  const law = (): Partial<TransitionDeclaration> => ({
    ...(!random.oneIn(4) && {
      allow: random.oneIn(2)
        ? [drawRule(random, "item", 1, false), drawRule(random, "item", 1, false), { role: "clerk" }]
        : [drawRule(random, "item", 2, false), { role: "chief" }],
    }),
    ...(random.oneIn(2) && { when: draw(random, lawful), reason: "Not like this." }),
  })
  const note = { scalar: "text", optional: true } as const
  return {
    ...item,
    fields: { ...fields, status: state },
    states: {
      status: {
        initial: "draft",
        transitions: {
          send: { from: "draft", to: "sent", ...law(), input: { note }, set: { note: { given: "note" } } },
          finish: { from: "any", to: "done", ...law(), input: { hint: note }, set: { weight: null } },
          reopen: { from: ["sent", "done"], to: "draft", ...law() },
          claim: { from: ["draft", "sent"], to: "sent", ...law(), set: { ownerId: { viewer: "id" } } },
        },
      },
    },
  }
}

/** Tickets are taken by whom the request names. */
function withDesk(random: Random, ticket: ResourceDeclaration): ResourceDeclaration {
  const { status, ...fields } = ticket.fields
  const { write: _, ...state } = status as FieldDeclaration
  const law = (): Partial<TransitionDeclaration> => ({
    ...(!random.oneIn(4) && {
      allow: [drawRule(random, "ticket", 1, false), drawRule(random, "ticket", 1, false), { role: "clerk" }],
    }),
  })
  const account = { scalar: "text" } as const
  return {
    ...ticket,
    fields: { ...fields, status: state },
    states: {
      status: {
        initial: "open",
        transitions: {
          take: {
            ...{ from: "any", to: "taken", ...law() },
            ...{ input: { by: account }, set: { assigneeId: { given: "by" } } },
          },
          close: { from: ["open", "taken"], to: "closed", ...law() },
          drop: { from: ["taken", "closed"], to: "open", ...law(), set: { assigneeId: null } },
        },
      },
    },
  }
}
