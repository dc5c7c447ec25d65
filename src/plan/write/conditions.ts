// Conditions that a record keeps on records of other resources, by the names of these: who writes them must be able to ask them.

import type { Place } from "../../base/problem.ts"
import { showsHistory } from "../../model/build/history.ts"
import { apiName } from "../../model/names.ts"
import { type Draft, startDraft } from "../draft/draft.ts"
import { hintFor } from "../hints.ts"
import { isObject } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import { readWhere } from "../read/list.ts"

/** Adds a problem for each that cannot be asked. */
export function checkConditions({ model, cursors, problems }: Draft, input: unknown, place: Place): void {
  if (!isObject(input)) {
    problems.add("invalid_value", place, `Conditions are an object by resource, not ${quoteInput(input)}.`)
    return
  }
  for (const [name, condition] of Object.entries(input)) {
    const resource = [...model.resources.values()].find((one) => apiName(one) === name)
    if (!resource || !showsHistory(resource)) {
      const names = [...model.resources.values()].filter(showsHistory).map(apiName)
      const hint = hintFor(name, names)
      problems.add("invalid_value", [...place, name], `There are no events of ${quoteInput(name)}.`, hint)
      continue
    }
    const trial = startDraft({ model, cursors })
    readWhere(trial, resource, { input: condition, encoding: "json", place: [...place, name] })
    for (const { code, place: at = place, message, hint } of trial.problems.found)
      problems.add(code, at, message, hint)
  }
}
