// Services with rules, their records, and who asks them: what the proofs of access are about.
import { seeded } from "../../examples/storefront/random.ts"
import storefrontDeclaration from "../../examples/storefront/service.ts"
import { present } from "../../src/base/invariant.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model, Resource } from "../../src/model/model.ts"
import type { Records, Row } from "../../src/sql/write/insert.ts"
import type { World } from "../properties/evaluate.ts"
import {
  type Declared,
  type Entry,
  type Interpreter,
  interpret,
  type Store,
  type Who,
} from "../support/naive-access.ts"
import { computedNames, withComputed } from "../support/naive-computed.ts"
import type { LogEntry } from "../support/naive-history.ts"
import { withStates } from "../support/naive-states.ts"
import { exampleRecords } from "../support/open-service.ts"
import { type Records as BareRecords, worldOf } from "../support/world.ts"
import { madeUpLog } from "./log.ts"

/** A service with its rules, and records in both the form that is stored and the form that is served. */
export interface Guarded {
  readonly name: string
  readonly declaration: ServiceDeclaration
  /** The same as the naive interpreters take it. */
  readonly declared: Declared
  readonly whole: Model
  readonly stored: Records
  readonly world: World
  readonly store: Store
  /** What is kept of how they came to be what they are. */
  readonly log: readonly LogEntry[]
  readonly people: readonly Person[]
}

export interface Person extends Who {
  readonly name: string
}

export function guarded(
  name: string,
  given: {
    readonly declaration: ServiceDeclaration
    readonly records: Records
    readonly people: readonly Person[]
  },
): Guarded {
  const whole = load(given.declaration)
  const declared = withStates(given.declaration as Declared)
  const { world, store } = servedRecords({ whole, declared }, given.records)
  return {
    name,
    whole,
    world,
    store,
    declared,
    stored: given.records,
    log: madeUpLog({ declared, store }, seeded(1)),
    ...given,
  }
}

export function resourceOf({ resources }: Model, name: string): Resource {
  const found = resources.get(name)
  if (!found) throw new Error(`no resource ${name}`)
  return found
}

/** The records with what is computed of them, as the naive evaluator and the naive interpreter take them. */
export function servedRecords(
  { whole, declared }: Pick<Guarded, "whole" | "declared">,
  records: Records,
): Pick<Guarded, "world" | "store"> {
  const bare = worldOf(whole, records as BareRecords)
  const { records: computed } = withComputed(declared, storeOf(whole, bare, records))
  const rows = [...records.records].map(([name, all]) => {
    const names = computedNames(declared, name)
    const valuesOf = (index: number) => names.map((one) => [one, computed[name]?.[index]?.[one]])
    return [name, all.map((row, index) => ({ ...row, ...Object.fromEntries(valuesOf(index)) }))] as const
  })
  const world = worldOf(whole, { ...records, records: new Map(rows) } as BareRecords)
  return { world, store: storeOf(whole, world, records) }
}

function storeOf(whole: Model, world: World, { links }: Records): Store {
  const idOf = (resource: string, bare: unknown): string => `${resourceOf(whole, resource).prefix}_${bare}`
  return {
    records: Object.fromEntries(world.rows),
    links: Object.fromEntries(
      links.map(({ resource, relation, pairs }): [string, Store["links"][string]] => {
        const to = resourceOf(whole, resource).relations.get(relation)
        if (to?.kind !== "many" || !to.through) throw new Error(`${relation} links nothing`)
        return [
          to.through.table.name,
          pairs.map(
            ([from, target]): Readonly<Record<string, string>> => ({
              [resource]: idOf(resource, from),
              [to.target]: idOf(to.target, target),
            }),
          ),
        ]
      }),
    ),
  }
}

export const interpreterOf = ({ declared, store }: Pick<Guarded, "declared" | "store">, who: Who) =>
  interpret(declared, store, who)

/** Those who may write and from whom a record is hidden, so that two worlds may differ for them. */
export const partlySeeing = ({ whole, declared, store, people }: Guarded): readonly Person[] =>
  people.filter((who) => {
    const rules = interpreterOf({ declared, store }, who)
    const isHidden = Object.entries(store.records).some(([name, rows]) =>
      rows.some((row) => !rules.sees(name, row)),
    )
    const writes = [...whole.resources.keys()].some((name) => rules.knows(name, "update"))
    return isHidden && writes
  })

/** The world as somebody sees it: unseen records are not there, unseen values are missing. */
export function seenWorld({ world }: Pick<Guarded, "world">, interpreter: Interpreter): World {
  const masks = new Map<Entry, Entry>()
  const rows = new Map(
    [...world.rows].map(([name, all]): [string, readonly Entry[]] => [
      name,
      all
        .filter((row) => interpreter.sees(name, row))
        .map((row) => {
          const mask = masked(interpreter, name, row)
          masks.set(row, mask)
          return mask
        }),
    ]),
  )
  const originals = new Map([...masks].map(([row, mask]) => [mask, row]))
  return {
    model: world.model,
    rows,
    related: (resource, relation, mask) =>
      world
        .related(resource, relation, present(originals.get(mask), "a row of this world"))
        .map((row) => masks.get(row))
        .filter((mask) => mask !== undefined),
  }
}

const masked = (interpreter: Interpreter, resource: string, row: Entry): Entry =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      interpreter.seesValue(resource, row, name) ? value : null,
    ]),
  )

export const person = (name: string, given: Partial<Who>): Person => ({
  name,
  signedIn: true,
  roles: [],
  scopes: [],
  ...given,
})

/** What own code computes is in no filter, order or rule: test/computed has proofs of its own. */
function withoutCodeComputed({ code, ...declaration }: ServiceDeclaration): ServiceDeclaration {
  const { computed: _, ...others } = code ?? {}
  return { ...declaration, code: others }
}

/** Some orders of the storefront with everything that belongs to them. */
export function guardedStorefront(): Guarded {
  const { stored } = exampleRecords("storefront")
  const all = (name: string): readonly Row[] => stored.records.get(name) ?? []
  const busy = [...new Set(all("order").map(({ customerId }) => customerId))].slice(0, 3)
  const others = all("order").filter((_, index) => index % 1_100 === 13)
  const orders = [
    ...new Set([
      ...busy.flatMap((id) =>
        all("order")
          .filter(({ customerId }) => customerId === id)
          .slice(0, 6),
      ),
      ...others,
    ]),
  ]
  const of = (name: string, member: string, owners: readonly Row[], key: string): readonly Row[] => {
    const wanted = new Set(owners.map((row) => row[key]))
    return all(name).filter((row) => wanted.has(row[member] ?? null))
  }
  const lines = of("orderLine", "orderId", orders, "id")
  const sold = new Set(of("product", "id", lines, "productId").slice(0, 25))
  const products = all("product").filter(
    (row, index) => sold.has(row) || (row["active"] === false && index % 5 === 0),
  )
  const known = new Set(products.map((row) => row["id"]))
  const customers = [...of("customer", "id", orders, "customerId"), ...all("customer").slice(-2)]
  const records: Records = {
    records: new Map([
      ["customer", customers],
      ["address", of("address", "customerId", customers, "id")],
      ["category", all("category")],
      ["product", products],
      ["tag", all("tag")],
      ["coupon", all("coupon")],
      ["order", orders],
      ["orderLine", lines.filter((row) => known.has(row["productId"] ?? null))],
      ["payment", of("payment", "orderId", orders, "id")],
      ["shipment", of("shipment", "orderId", orders, "id")],
    ]),
    links: stored.links.map((link) => ({ ...link, pairs: link.pairs.filter(([from]) => known.has(from)) })),
  }
  const [one, other] = busy.map((id) => `cus_${id}`) as [string, string]
  const people = [
    person("anonymous", { signedIn: false }),
    person("a customer", { viewer: one }),
    person("another customer", { viewer: other }),
    person("a customer of the warehouse", { viewer: one, roles: ["warehouse"] }),
    person("staff", { roles: ["staff"] }),
    person("warehouse", { roles: ["warehouse"] }),
    person("a key for the catalogue", { scopes: ["catalogue"] }),
    person("signed in", {}),
  ]
  return guarded("storefront", { declaration: withoutCodeComputed(storefrontDeclaration), records, people })
}
