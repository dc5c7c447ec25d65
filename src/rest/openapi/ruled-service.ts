// Whether callers of the OpenAPI document's service have credentials.
import type { Model } from "../../model/model.ts"
import { hasRules } from "../../plan/access/policies.ts"

/** The service by whose rules the model is served; undefined where everybody may do everything. */
export function ruledService(model: Model): Model | undefined {
  if (model.audience) return model.audience.whole
  // The newest version's rules apply.
  const whole = model.newest ?? model
  const isOpen = [...whole.resources.values()].some(({ access }) => access !== undefined)
  return !isOpen && hasRules(whole) ? whole : undefined
}
