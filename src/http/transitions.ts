// What both faces say of transitions: whether records tell of them, and of each what is the same for all records.
import type { JsonText, JsonValue } from "../base/json.ts"
import type { Field, Model, Resource, Transition } from "../model/model.ts"
import { listed } from "../plan/hints.ts"
import { transitionsOf } from "../plan/lookup.ts"
import { described, inPlace, inputValue, type Json, objectSchema, type Schemas } from "./json-schema.ts"

/** The member of a record that tells which there are; no other member of a resource with states is called so. */
export const transitions = "transitions"

/** Whether records have the member: also where none of their transitions is left for whoever asks. */
export const hasTransitions = ({ key, machines }: Resource): boolean => key !== undefined && machines.size > 0

/** `open` or `working`, each as code. */
export const startsOf = ({ from }: Transition): string =>
  listed(
    from.map((state) => `\`${state}\``),
    "or",
  )

/** Whether it must be given with the transition. */
export const isRequired = ({ optional, default: given }: Field): boolean => !optional && given === undefined

/** Whether the transition can be fired without giving anything. */
export const needsNothing = ({ input }: Pick<Transition, "input">): boolean =>
  ![...input.values()].some(isRequired)

/** What is given with the transition, or an own operation; undefined when it takes nothing. */
export function givenSchema(schemas: Schemas, { input }: Pick<Transition, "input">): Json | undefined {
  const fields = [...input.values()]
  if (fields.length === 0) return undefined
  const required = fields.filter(isRequired).map(({ name }) => name)
  return objectSchema(
    fields.map((field) => [field.name, described(inputValue(schemas, field), field.description)] as const),
    { additionalProperties: false, ...(required.length > 0 ? { required } : {}) },
  )
}

/** What there is to say of a transition whatever the record is. */
export type Said = "name" | "to" | "machine" | "description" | "input"

const sayings: Readonly<Record<Said, (model: Model, transition: Transition) => JsonValue>> = {
  name: (_, { name }) => name,
  to: (_, { to }) => to,
  machine: (_, { machine }) => machine,
  description: (_, { description }) => description ?? null,
  input: (model, transition) => givenSchema(inPlace(model), transition) ?? null,
}

export const isSaid = (name: string): name is Said => Object.hasOwn(sayings, name)

/** By the transition's name. */
export const saidOf = (model: Model, resource: Resource, said: Said): Readonly<Record<string, JsonText>> =>
  Object.fromEntries(
    transitionsOf(resource).map((it) => [it.name, JSON.stringify(sayings[said](model, it))] as const),
  )
