// How wide text is and where it breaks, so that it fits wherever it is shown: fonts differ from machine to machine.
import { present } from "../../base/invariant.ts"
import type { Model, Resource, Transition } from "../../model/model.ts"
import { rulesOf } from "../../plan/access/policies.ts"
import { printCondition, printGrant, type Wording } from "../../plan/analysis/print-policy.ts"

/** Hundredths of an em, from the space to `~`: DejaVu Sans, the widest of the fonts that the pictures ask for. */
const widths = [
  32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34,
  34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73,
  68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63,
  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
]

export interface Font {
  /** Pixels. */
  readonly size: number
  readonly bold?: true
}

/** Pixels, at the most. */
export function widthOf(text: string, { size, bold }: Font): number {
  const hundredths = [...text].reduce(
    (sum, character) => sum + (widths[(character.codePointAt(0) ?? 0) - 32] ?? 100),
    0,
  )
  return Math.ceil((hundredths / 100) * size * (bold ? 1.12 : 1))
}

/** Lines no wider than that, as far as its words are not; rather before `and` and `or` than elsewhere. */
export function wrap(text: string, font: Font, most: number): readonly string[] {
  const lines: string[] = []
  const add = (part: string, parts: readonly string[]): void => {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} ${part}`
    if (widthOf(longer, font) <= most) lines.splice(-1, 1, longer)
    else if (parts.length === 1 || widthOf(part, font) <= most) lines.push(part)
    else for (const word of parts) add(word, [word])
  }
  for (const part of text.split(/ (?=(?:and|or) )/)) add(part, part.split(" "))
  return lines
}

// Lines of a transition in a picture: its name with its input, callers, and conditions.
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
  /** Rules, one of them enough: `role:agent`; empty for the rule of update. */
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
