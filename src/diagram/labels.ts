// Lines of a transition in a picture: its name with its input, callers, and conditions.
import type { Model, Resource, Transition } from "../model/model.ts"
import { transitionWords } from "../plan/analysis/transition-words.ts"

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
