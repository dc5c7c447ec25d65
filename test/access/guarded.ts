// Services with rules, their records, and who asks them: what the proofs of access are about.
import storefrontDeclaration from "../../examples/storefront/service.ts"
import { present } from "../../src/base/invariant.ts"
import type { ServiceDeclaration } from "../../src/model/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import type { Records, Row } from "../../src/sql/insert.ts"
import type { World } from "../properties/evaluate.ts"
import { type Declared, type Entry, type Interpreter, interpret, type Store, type Who } from "../support/naive-access.ts"
import { exampleRecords } from "../support/open-service.ts"
import { type Records as BareRecords, worldOf } from "../support/world.ts"

/** A service with its rules, and records in both the form that is stored and the form that is served. */
export interface Guarded {
  readonly name: string
  readonly declaration: ServiceDeclaration
  readonly whole: Model
  readonly stored: Records
  readonly world: World
  readonly store: Store
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
  const world = worldOf(whole, given.records as BareRecords)
  return { name, whole, world, store: storeOf(whole, world, given.records), stored: given.records, ...given }
}

/** The records as the naive interpreter takes them. */
export function storeOf(whole: Model, world: World, { links }: Records): Store {
  const idOf = (resource: string, bare: unknown): string =>
    `${present(whole.resources.get(resource)).prefix}_${bare}`
  return {
    records: Object.fromEntries(world.rows),
    links: Object.fromEntries(
      links.map(({ resource, relation, pairs }) => {
        const to = present(whole.resources.get(resource)?.relations.get(relation))
        const through = to.kind === "many" ? present(to.through).table.name : ""
        return [
          through,
          pairs.map(([from, target]) => ({
            [resource]: idOf(resource, from),
            [to.target]: idOf(to.target, target),
          })),
        ]
      }),
    ),
  }
}

export const interpreterOf = ({ declaration, store }: Pick<Guarded, "declaration" | "store">, who: Who) =>
  interpret(declaration as Declared, store, who)

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
        .related(resource, relation, present(originals.get(mask)))
        .flatMap((row) => masks.get(row) ?? []),
  }
}

const masked = (interpreter: Interpreter, resource: string, row: Entry): Entry =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      interpreter.seesValue(resource, row, name) ? value : null,
    ]),
  )

/** Some orders of the storefront with everything that belongs to them. */
export function guardedStorefront(): Guarded {
  const { stored } = exampleRecords("storefront")
  const all = (name: string): readonly Row[] => stored.records.get(name) ?? []
  const busy = ["0", "1", "2"].flatMap((_, index) => present(all("order")[index * 7])["customerId"])
  const own = all("order").filter(({ customerId }) => busy.includes(customerId ?? null))
  const others = all("order").filter((_, index) => index % 900 === 13)
  const orders = [...new Set([...own.filter((_, index) => index % 3 === 0), ...others])].slice(0, 30)
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
      ["order", orders],
      ["orderLine", lines.filter((row) => known.has(row["productId"] ?? null))],
      ["payment", of("payment", "orderId", orders, "id")],
      ["shipment", of("shipment", "orderId", orders, "id")],
    ]),
    links: stored.links.map((link) => ({ ...link, pairs: link.pairs.filter(([from]) => known.has(from)) })),
  }
  const [one, other] = busy.map((id) => `cus_${id}`) as [string, string]
  const person = (name: string, given: Partial<Who>): Person => ({
    name,
    signedIn: true,
    roles: [],
    scopes: [],
    ...given,
  })
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
  return guarded("storefront", { declaration: storefrontDeclaration, records, people })
}
