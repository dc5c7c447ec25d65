// A dry run: the price of a request that does not run.
import type { ExplainedCharge } from "../plan/cost/points.ts"

/** Thrown in place of an answer: the request is read and planned, and no further. */
export class DryRun extends Error {
  override readonly name = "DryRun"
  readonly charge: ExplainedCharge

  constructor(charge: ExplainedCharge) {
    super("A dry run has no answer.")
    this.charge = charge
  }
}

/** JSON of a price, the same by both faces. */
export const chargeText = ({ points, records, bytes, parts }: ExplainedCharge): string =>
  JSON.stringify({
    requested: points,
    records,
    bytes,
    parts: parts.map(({ place, ...charge }) => ({ part: place.join("."), ...charge })),
  })
