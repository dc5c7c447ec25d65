// A service without limits of cost: tests of other things ask it for more than any service would answer.
import type { Model } from "../../src/model/model.ts"

export const unlimited = (model: Model): Model => ({
  ...model,
  limits: { ...model.limits, cost: { perRequest: 1e15, records: 1e15, bytes: 1e15 }, tiers: new Map() },
})
