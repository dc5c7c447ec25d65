// Callers and conditions of a transition, in the words of a declaration: for pictures of a service.
import { present } from "../../base/invariant.ts"
import type { Model, Resource, Transition } from "../../model/model.ts"
import { rulesOf } from "../access/policies.ts"
import { printCondition, printGrant, type Wording } from "./print-policy.ts"

export interface TransitionWords {
  /** Rules of which one suffices: `role:agent`; empty for the rule of update. */
  readonly who: readonly string[]
  /** `some notes` */
  readonly when?: string
}

/** Throws a Refusal when the service's rules have mistakes. */
export function transitionWords(
  model: Model,
  resource: Resource,
  { name, when }: Pick<Transition, "name" | "when">,
): TransitionWords {
  const { resources, seats } = rulesOf(model)
  const rules = present(resources.get(resource.name)?.transitions.get(name), `there is no transition ${name}`)
  const wording: Wording = { model, seats }
  const who = rules.allow?.kind === "or" ? rules.allow.of : rules.allow ? [rules.allow] : []
  return {
    who: who.map((rule) => printGrant(wording, resource, { rule })),
    ...(when !== undefined && { when: printCondition(wording, resource, rules.when) }),
  }
}
