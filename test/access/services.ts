// The services of the proofs: the storefront, and small ones with random rules, three in the proof and one in the tests.
// `npm run proof` draws other rules each time; BIFOLD_ACCESS_SEEDS=7,8 asks for those of these seeds, as a failure names them.
import { type Guarded, guardedStorefront } from "./guarded.ts"
import { pointedTenants, ruledTenants, smallModel, tenantModel } from "./small-models.ts"

export const full = process.env["BIFOLD_PROOF"] === "full"

const asked = process.env["BIFOLD_ACCESS_SEEDS"]
const drawn = (): number => Math.floor(Math.random() * 2 ** 31)
export const seeds = asked ? asked.split(",").map(Number) : full ? [drawn(), drawn(), drawn()] : [1]
/** With more that is written, and more of former versions that is hidden. */
export const otherSeeds = asked || full ? seeds : [3]

/** Databases that each person asks. */
export const databasesEach = full ? 2 : 1

/** Both in the proof; in the tests people take turns. */
export function housesFor<Of>(
  houses: ReadonlyMap<string, Of>,
  index: number,
): readonly (readonly [string, Of])[] {
  const all = [...houses]
  return full ? all : all.slice(index % all.length).slice(0, 1)
}

/** Drawn at the first call: they take a second. */
let services: readonly Guarded[] | undefined

export function guardedServices(): readonly Guarded[] {
  services ??= [guardedStorefront(), ...seeds.map(smallModel)]
  return services
}

const pointed = (seed: number): readonly Guarded[] => [pointedTenants(seed), pointedTenants(seed + 1)]

let tenants: readonly Guarded[] | undefined

/** Services whose rules lead back to the resource that is written. */
export function tenantServices(): readonly Guarded[] {
  tenants ??= [...seeds.slice(0, 1).map(ruledTenants), ...seeds.map(tenantModel), ...seeds.flatMap(pointed)]
  return tenants
}
