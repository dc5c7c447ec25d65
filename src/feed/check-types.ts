// Types of events that a request names: a misspelt one would be a stream without events.

import { type Place, refusal } from "../base/problem.ts"
import { eventTypesOf } from "../model/event-types.ts"
import type { Model } from "../model/model.ts"
import { apiName } from "../model/names.ts"
import { hintFor } from "../plan/hints.ts"
import { quoteInput } from "../plan/quote-input.ts"

/** Throws a Refusal for a type that the resources, all of the visible model when absent, have no events of. */
export function checkTypes(
  model: Model,
  types: readonly string[],
  { place, resources = [...model.resources.keys()] }: { place: Place; resources?: Iterable<string> },
): void {
  const known = [...resources].flatMap((name) => {
    const resource = model.resources.get(name)
    const all = resource ? eventTypesOf(resource) : []
    return resource && all.length > 0 ? [`${apiName(resource)}.*`, ...all] : []
  })
  const wrong = types.find((type) => !known.includes(type))
  if (wrong === undefined) return
  const hint = hintFor(wrong, known)
  throw refusal("invalid_value", `There are no events of the type ${quoteInput(wrong)}.`, {
    place,
    ...(hint !== undefined && { hint }),
  })
}
