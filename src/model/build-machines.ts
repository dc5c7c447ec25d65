// From a resource's states to its machines.
import type { JsonValue } from "../base/json.ts"
import { buildField, formerNames } from "./build-field.ts"
import type {
  MachineDeclaration,
  ResourceDeclaration,
  SetDeclaration,
  TransitionDeclaration,
} from "./declaration.ts"
import { given } from "./given.ts"
import { own } from "./keys.ts"
import type { Machine, State, Transition, TransitionSet } from "./model.ts"
import { pascalCase } from "./names.ts"
import { listed, machinesIn, startsOf, statesIn } from "./states.ts"

/** By the names of the fields that hold their states. */
export function buildMachines(resource: string, declared: ResourceDeclaration): ReadonlyMap<string, Machine> {
  return new Map(
    Object.entries(machinesIn(declared.states)).map(([name, it]) => [name, buildMachine(resource, name, it)]),
  )
}

function buildMachine(resource: string, name: string, machine: MachineDeclaration): Machine {
  return {
    name,
    initial: machine.initial,
    final: listed(machine.final),
    states: new Map(statesIn(machine).map((state) => [state, buildState(machine, state)])),
    transitions: new Map(
      Object.entries(machine.transitions).map(([called, it]) => [
        called,
        buildTransition(resource, { name: called, machine: name, from: startsOf(machine, it) }, it),
      ]),
    ),
  }
}

function buildState({ states }: MachineDeclaration, name: string): State {
  const { description, was } = own(states, name) ?? {}
  return given<State>({ name, description, was: formerNames(was) })
}

function buildTransition(
  resource: string,
  named: Pick<Transition, "name" | "machine" | "from">,
  { to, description, when, reason, input, set, allow }: TransitionDeclaration,
): Transition {
  const called = inputOwner(resource, named.name)
  return given<Transition>({
    ...named,
    to,
    description,
    input: new Map(Object.entries(input ?? {}).map(([name, it]) => [name, buildField(called, {}, name, it)])),
    sets: Object.entries(set ?? {}).map(([member, value]) => ({ member, value: setFrom(value) })),
    reason,
    when,
    allow,
    access: undefined,
  })
}

/** What the fields of a transition's input belong to, as other fields do to resources. */
export const inputOwner = (resource: string, transition: string): string =>
  `${resource}${pascalCase(transition)}`

function setFrom(value: SetDeclaration): TransitionSet["value"] {
  if (value === "now") return { kind: "now" }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { kind: "constant", json: value as JsonValue }
  if ("given" in value && typeof value.given === "string") return { kind: "input", name: value.given }
  return "viewer" in value && value.viewer === "id"
    ? { kind: "viewer" }
    : { kind: "constant", json: value as JsonValue }
}
