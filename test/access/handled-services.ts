// Services whose events are handled: every resource is logged, some records are gone, and in the small ones a resource whose
// ids people choose has states too, with random rules.
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { Refusal } from "../../src/base/problem.ts"
import type { ResourceDeclaration, ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { rulesOf } from "../../src/plan/access/policies.ts"
import type { Records } from "../../src/sql/write/insert.ts"
import type { Declared, Entry } from "../support/naive-access.ts"
import { handlerOf } from "../support/naive-handlers.ts"
import type { LogEntry } from "../support/naive-history.ts"
import { type Guarded, guarded, guardedStorefront, type Person } from "./guarded.ts"
import { madeUpLog } from "./log.ts"
import { drawRule, smallModel } from "./small-models.ts"
import { draw } from "./small-service.ts"

/** Somebody as whom a handler runs: `people` of these services are such. */
export interface Lent extends Person {
  readonly as: { readonly roles?: readonly string[]; readonly scopes?: readonly string[] }
}

export interface Handled extends Guarded {
  readonly people: readonly Lent[]
}

export const handledServices = (seeds: readonly number[]): readonly Handled[] => [
  handled(guardedStorefront(), 1),
  ...seeds.map((seed) => handled(withPhases(smallModel(seed), seed), seed)),
]

function handled(service: Guarded, seed: number): Handled {
  const { name, stored } = service
  const { code: _, ...declaration } = service.declaration
  const people = lentOf(declaration)
  const random = seeded(seed)
  const all = guarded(name, { declaration, records: stored, people })
  const log = withGone(madeUpLog({ ...all, declared: allKept(all.declared) }, random), all.declared, random)
  return { ...all, people, log }
}

/** Nothing, each role, each scope, all roles, and a role with a scope. */
function lentOf({ roles = [], scopes = [] }: ServiceDeclaration): readonly Lent[] {
  const lent = (as: Lent["as"]): Lent => ({
    ...handlerOf(as),
    as,
    name: [...(as.roles ?? []), ...(as.scopes ?? [])].join("+") || "nobody",
  })
  return [
    {},
    ...roles.map((role) => ({ roles: [role] })),
    ...scopes.map((scope) => ({ scopes: [scope] })),
    { roles },
    { roles: roles.slice(-1), scopes },
  ].map(lent)
}

/** What is handled is logged, whether its history is shown or not. */
function allKept(declared: Declared): Declared {
  const resources = Object.entries(declared.resources).map(([name, own]) => [name, { ...own, history: true }])
  return { ...declared, resources: Object.fromEntries(resources) }
}

/**
 * The log, before it what became of others that had the ids which people chose, and within it of records that are gone: the
 * same as of some that are there, and then their end.
 */
function withGone(log: readonly LogEntry[], declared: Declared, random: Random): readonly LogEntry[] {
  const records = [...new Set(log.map(({ record }) => record))]
  const some = (from: readonly string[], of: number): readonly string[] =>
    random.shuffle(from).slice(0, Math.ceil(from.length / of))
  const lifeOf = (record: string): readonly LogEntry[] => log.filter((entry) => entry.record === record)
  const chosen = records.filter((record) => {
    const [first] = lifeOf(record)
    return Array.isArray(declared.resources[first?.resource ?? ""]?.key)
  })
  const former = some(chosen, 2).flatMap((record) => withEnd(declared, lifeOf(record)))
  const gone = new Map(
    some(records, 6)
      .map((record) => [record, `${record.slice(0, -1)}${record.endsWith("0") ? "1" : "0"}`] as const)
      .filter(([, other]) => !records.includes(other)),
  )
  const lives = log.flatMap((entry) => {
    const record = gone.get(entry.record)
    return record === undefined ? [entry] : [entry, { ...entry, record }]
  })
  const ends = [...gone.values()].flatMap((record) =>
    withEnd(
      declared,
      lives.filter((entry) => entry.record === record),
    ).slice(-1),
  )
  return [...former, ...lives, ...ends]
}

/** What became of a record, with its end. */
function withEnd(declared: Declared, life: readonly LogEntry[]): readonly LogEntry[] {
  const last = life.at(-1)
  if (!last) return []
  const names = Object.keys(declared.resources[last.resource]?.fields ?? {})
  const old: Entry = { ...Object.fromEntries(names.map((name) => [name, null])), ...last.new }
  const { resource, number } = last
  const none = { transition: null, from: null, to: null, input: null }
  return [...life, { ...last, ...none, number: number + 1, type: `${resource}.deleted`, old, new: null }]
}

/** Labels, which are known by names that come again, with a state that not everybody sees. */
function withPhases(service: Guarded, seed: number): Guarded {
  const random = seeded(seed)
  const { label } = service.declaration.resources
  if (!label) throw new Error("there are labels")
  const rows = service.stored.records.get("label") ?? []
  const phased = rows.map((row) => ({ ...row, phase: draw(random, ["new", "used", "worn"]) }))
  const records: Records = {
    ...service.stored,
    records: new Map(service.stored.records).set("label", phased),
  }
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const { resources } = service.declaration
    const declaration = {
      ...service.declaration,
      resources: { ...resources, label: drawPhases(random, label) },
    }
    try {
      rulesOf(load(declaration))
      return guarded(service.name, { declaration, records, people: service.people })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  throw new Error("no rules were accepted")
}

/** Half of the time everybody sees all of them, but not what state they are in. */
function drawPhases(random: Random, label: ResourceDeclaration): ResourceDeclaration {
  const rule = () => [drawRule(random, "label", 1, false), { role: "chief" }]
  const open = random.oneIn(2)
  const memo = { scalar: "text", optional: true } as const
  const given = { scalar: "boolean" } as const
  return {
    ...label,
    ...(open && { allow: { ...label.allow, read: { signedIn: true } } }),
    fields: {
      ...label.fields,
      phase: {
        scalar: "oneOf",
        of: ["new", "used", "worn"],
        default: "new",
        ...(open ? { read: drawRule(random, "label", 0, false) } : !random.oneIn(3) && { read: rule() }),
      },
    },
    states: {
      phase: {
        initial: "new",
        transitions: {
          use: { from: "new", to: "used", input: { memo }, allow: rule() },
          wear: {
            from: "used",
            to: "worn",
            input: { featured: given },
            set: { featured: { given: "featured" } },
          },
          renew: { from: "any", to: "new", ...(random.oneIn(2) && { allow: rule() }), input: { memo } },
        },
      },
    },
  }
}
