// Descriptions of transitions for both faces: the part that is the same for all records.
import type { JsonText, JsonValue } from "../base/json.ts"
import type { Model, Resource, Transition } from "../model/model.ts"
import { listed } from "../plan/hints.ts"
import { transitionsOf } from "../plan/lookup.ts"
import { callInputSchema } from "./schemas/inputs.ts"
import { inPlace } from "./schemas/values.ts"

/** `open` or `working`, each as code. */
export const startsOf = ({ from }: Transition): string =>
  listed(
    from.map((state) => `\`${state}\``),
    "or",
  )

/** The description of a transition, for any record. */
export type Said = "name" | "to" | "machine" | "description" | "input"

const sayings: Readonly<Record<Said, (model: Model, transition: Transition) => JsonValue>> = {
  name: (_, { name }) => name,
  to: (_, { to }) => to,
  machine: (_, { machine }) => machine,
  description: (_, { description }) => description ?? null,
  input: (model, transition) => callInputSchema(inPlace(model), transition) ?? null,
}

export const isSaid = (name: string): name is Said => Object.hasOwn(sayings, name)

/** By the transition's name. */
export const saidOf = (model: Model, resource: Resource, said: Said): Readonly<Record<string, JsonText>> =>
  Object.fromEntries(
    transitionsOf(resource).map((it) => [it.name, JSON.stringify(sayings[said](model, it))] as const),
  )
