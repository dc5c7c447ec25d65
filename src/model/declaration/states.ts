// The states that a declaration names, and the transitions between them.
import type { MachineDeclaration, StatesDeclaration, TransitionDeclaration } from "./declaration.ts"

/** The name of the machine of a resource that has one. */
export const onlyMachine = "state"
export const anyState = "any"

/** By name; none for a resource without states. */
export function machinesIn(
  states: StatesDeclaration | undefined,
): Readonly<Record<string, MachineDeclaration>> {
  if (states === undefined) return {}
  return isMachine(states) ? { [onlyMachine]: states } : states
}

/** One machine, and not several by name. */
export const isMachine = (states: StatesDeclaration): states is MachineDeclaration =>
  typeof states["initial"] === "string"

/** Every state that the machine names, the initial one first. */
export function statesIn({
  initial,
  final,
  states,
  transitions,
}: MachineDeclaration): readonly [string, ...string[]] {
  const named = Object.values(transitions).flatMap(({ from, to }) => [...listed(from), to])
  const others = [...named, ...Object.keys(states ?? {}), ...listed(final)]
  const known = new Set(others.filter((name) => name !== initial && name !== anyState))
  return [initial, ...known]
}

/** The states that a transition starts from. */
export function startsOf(
  machine: MachineDeclaration,
  { from, to }: TransitionDeclaration,
): readonly string[] {
  if (from !== anyState) return [...new Set(listed(from))]
  const final = new Set(listed(machine.final))
  return statesIn(machine).filter((state) => state !== to && !final.has(state))
}

export const listed = (names: string | readonly string[] | undefined): readonly string[] =>
  names === undefined ? [] : typeof names === "string" ? [names] : names
