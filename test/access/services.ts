// The services of the proofs: the storefront, and three small ones with random rules.
import { type Guarded, guardedStorefront } from "./guarded.ts"
import { smallModel } from "./small-models.ts"

export const full = process.env["BIFOLD_PROOF"] === "full"

export const guardedServices = (): readonly Guarded[] => [
  guardedStorefront(),
  ...[1, 3, 8].map((seed) => smallModel(seed)),
]
