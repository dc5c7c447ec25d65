// Who may do a transition and when, in the words of a declaration: for pictures of a service.
import type { Place } from "../base/problem.ts"
import type { Model, Resource, Transition } from "../model/model.ts"
import { printGrant } from "./print-rule.ts"
import { readUnion } from "./rule-reader.ts"
import type { Rule } from "./rule-types.ts"
import { startReading } from "./rules.ts"

export interface TransitionWords {
  /** Rules of which one is enough: `role:agent`; none where it is for whoever may update the record. */
  readonly who: readonly string[]
  /** `some notes` */
  readonly when?: string
}

/** Throws a Refusal when the rules have mistakes. */
export function transitionWords(
  model: Model,
  resource: Resource,
  { name, machine, allow, when }: Transition,
): TransitionWords {
  const reading = startReading(model)
  const place: Place = ["resources", resource.name, "states", machine, "transitions", name]
  const allowed = allow && readUnion(reading, resource, allow, [...place, "allow"])
  const condition = when && readUnion(reading, resource, when, [...place, "when"])
  reading.draft.problems.settle()
  const print = (rule: Rule): string => printGrant({ model, seats: reading.draft.values }, resource, { rule })
  const alternatives = allowed?.kind === "or" ? allowed.of : allowed ? [allowed] : []
  return { who: alternatives.map(print), ...(condition && { when: print(condition) }) }
}
