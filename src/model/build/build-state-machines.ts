// From a resource's states to its machines.

import { omitUndefined } from "../../base/compact.ts"
import type { JsonValue } from "../../base/json.ts"
import { buildField, formerNames } from "../declaration/build-field.ts"
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  SetDeclaration,
  TransitionDeclaration,
} from "../declaration/declaration.ts"
import { own } from "../declaration/keys.ts"
import { listed, machinesIn, startsOf, statesIn } from "../declaration/states.ts"
import type { Machine, State, Transition, TransitionSet } from "../model.ts"
import { pascalCase } from "../names.ts"
import { scalars } from "../scalars.ts"

/** By the names of the fields that hold their states. */
export function buildMachines(resource: string, declared: ResourceDeclaration): ReadonlyMap<string, Machine> {
  return new Map(
    Object.entries(machinesIn(declared.states)).map(([name, it]) => [
      name,
      buildMachine(resource, declared, name, it),
    ]),
  )
}

function buildMachine(
  resource: string,
  declared: ResourceDeclaration,
  name: string,
  machine: MachineDeclaration,
): Machine {
  return {
    name,
    initial: machine.initial,
    final: listed(machine.final),
    states: new Map(statesIn(machine).map((state) => [state, buildState(machine, state)])),
    transitions: new Map(
      Object.entries(machine.transitions).map(([called, it]) => [
        called,
        buildTransition(resource, declared, { name: called, machine: name, from: startsOf(machine, it) }, it),
      ]),
    ),
  }
}

function buildState({ states }: MachineDeclaration, name: string): State {
  const { description, was } = own(states, name) ?? {}
  return omitUndefined<State>({ name, description, was: formerNames(was) })
}

function buildTransition(
  resource: string,
  { fields }: ResourceDeclaration,
  named: Pick<Transition, "name" | "machine" | "from">,
  { to, description, when, reason, input, set, allow }: TransitionDeclaration,
): Transition {
  const called = inputOwner(resource, named.name)
  return omitUndefined<Transition>({
    ...named,
    to,
    description,
    input: new Map(Object.entries(input ?? {}).map(([name, it]) => [name, buildField(called, {}, name, it)])),
    sets: Object.entries(set ?? {}).map(([member, value]) => ({
      member,
      value: setFrom(own(fields, member), value),
    })),
    reason,
    when,
    allow,
    access: undefined,
  })
}

/** The owner of a transition's input fields, as a resource is of its fields. */
export const inputOwner = (resource: string, transition: string): string =>
  `${resource}${pascalCase(transition)}`

/** @param field none for a reference */
export function setFrom(field: FieldDeclaration | undefined, value: SetDeclaration): TransitionSet["value"] {
  const isMoment = field !== undefined && !field.list && scalars[field.scalar].family === "moment"
  if (value === "now" && isMoment) return { kind: "now" }
  const [[name, of] = [], ...others] = isObject(value) ? Object.entries(value) : []
  if (others.length === 0 && name === "given" && typeof of === "string") return { kind: "input", name: of }
  if (others.length === 0 && name === "viewer" && of === "id") return { kind: "viewer" }
  return { kind: "constant", json: value as JsonValue }
}

const isObject = (value: SetDeclaration): value is Exclude<SetDeclaration & object, readonly unknown[]> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
