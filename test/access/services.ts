// The services of the proofs: the storefront, and small ones with random rules, three in the proof and two in the tests. `npm run proof` draws other rules
// each time; BIFOLD_ACCESS_SEEDS=7,8 asks for those of these seeds, as a failure names them.
import { type Guarded, guardedStorefront } from "./guarded.ts"
import { smallModel } from "./small-models.ts"

export const full = process.env["BIFOLD_PROOF"] === "full"

const asked = process.env["BIFOLD_ACCESS_SEEDS"]
const drawn = (): number => Math.floor(Math.random() * 2 ** 31)
export const seeds = asked ? asked.split(",").map(Number) : full ? [drawn(), drawn(), drawn()] : [1, 3]

/** Drawn at the first call: they take a second. */
let services: readonly Guarded[] | undefined

export function guardedServices(): readonly Guarded[] {
  services ??= [guardedStorefront(), ...seeds.map(smallModel)]
  return services
}
