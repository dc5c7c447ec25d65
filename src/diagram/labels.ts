// Lines of a transition in a picture: its name with its input, callers, and conditions.

import { present } from "../base/invariant.ts"
import type { Model, Resource, Transition } from "../model/model.ts"
import { rulesOf } from "../plan/access/policies.ts"
import { printCondition, printGrant, type Wording } from "../plan/analysis/print-policy.ts"

export interface Label {
  /** `solve(answer, effort?)` */
  readonly name: string
  /** `by role:agent`, `or reporter.id = viewer.id`: one for each rule that is enough. */
  readonly who: readonly string[]
  /** `when some notes` */
  readonly when?: string
}

/** Throws a Refusal when the rules have mistakes. */
export function labelOf(model: Model, resource: Resource, transition: Transition): Label {
  const { who, when } = transitionWords(model, resource, transition)
  const taken = [...transition.input.values()].map(({ name, optional }) => (optional ? `${name}?` : name))
  return {
    name: taken.length === 0 ? transition.name : `${transition.name}(${taken.join(", ")})`,
    who:
      who.length === 0
        ? ["by actors that may update"]
        : who.map((rule, index) => `${index === 0 ? "by" : "or"} ${rule}`),
    ...(when !== undefined && { when: `when ${when}` }),
  }
}

// Callers and conditions of a transition, in the words of a declaration: for pictures of a service.
interface TransitionWords {
  /** Rules of which one suffices: `role:agent`; empty for the rule of update. */
  readonly who: readonly string[]
  /** `some notes` */
  readonly when?: string
}

/** Throws a Refusal when the service's rules have mistakes. */
function transitionWords(
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
