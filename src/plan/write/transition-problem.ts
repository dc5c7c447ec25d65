// Why a transition is not fired, in words: the same in an error and in the list of what is possible.
import { type Place, type Refusal, refusal } from "../../base/problem.ts"
import type { Resource, Transition } from "../../model/model.ts"
import { listed } from "../hints.ts"

/** @param resource of an audience's model: states are named to those only who can see the field that holds them */
export const illegalText = (resource: Resource, transition: Transition): string =>
  `${illegalClause(resource, transition)}.`

const illegalClause = ({ name, fields }: Resource, { name: called, machine, from }: Transition): string =>
  fields.has(machine)
    ? `\`${called}\` is possible only where \`${machine}\` is ${listed(from, "or")}`
    : `\`${called}\` is not possible with this ${name} as it is`

export const unmetText = ({ name }: Resource, { name: called, reason }: Transition): string =>
  reason ?? `This ${name} does not meet what \`${called}\` asks of it.`

interface Which {
  readonly place: Place
  /** For one record among several. */
  readonly id?: string | undefined
}

/** @param state the record's state, if the caller may see it */
export function illegal(
  resource: Resource,
  transition: Transition,
  { place, id, state }: Which & { readonly state?: string | undefined },
): Refusal {
  const where = id === undefined ? "here" : `of ${id}`
  const now =
    state === undefined ? (id === undefined ? "" : `, which ${id} is not`) : `; ${where} it is ${state}`
  // The state of an older version in whose place newer ones have several.
  const beside = state !== undefined && transition.from.includes(state) ? ", with others beside it since" : ""
  return refusal("illegal_transition", `${illegalClause(resource, transition)}${now}${beside}.`, {
    place,
    hint: "Ask for its transitions: they say what is possible now.",
  })
}

export function unmet(resource: Resource, transition: Transition, { place, id }: Which): Refusal {
  const text = unmetText(resource, transition)
  return refusal("condition_not_met", id === undefined ? text : `${id}: ${text}`, { place })
}
