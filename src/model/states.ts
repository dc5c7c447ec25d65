// What a declaration says of states: data, of which machine.ts is what is left when names are settled.
import type { JsonValue } from "../base/json.ts"
import type { RuleDeclaration } from "./allow.ts"
import type { FieldDeclaration, FormerNames } from "./declaration.ts"

/** One machine, called `state`, or several by the names of the fields that hold their states. */
export type StatesDeclaration = MachineDeclaration | Readonly<Record<string, MachineDeclaration>>

export interface MachineDeclaration {
  /** The state of a record that is new. */
  readonly initial: string
  /** States that nothing leads out of. */
  readonly final?: string | readonly string[]
  /** What there is to say of single states. */
  readonly states?: Readonly<Record<string, StateDeclaration>>
  readonly transitions: Readonly<Record<string, TransitionDeclaration>>
}

export interface StateDeclaration {
  readonly description?: string
  /** Names that it had: records in it are brought along. */
  readonly was?: FormerNames
}

export interface TransitionDeclaration {
  /** States, or `"any"`: every state that is not final, but the one it leads to. */
  readonly from: string | readonly string[]
  readonly to: string
  readonly description?: string
  /** What the record must meet, whoever asks. */
  readonly when?: RuleDeclaration
  /** What is said where it does not. */
  readonly reason?: string
  /** What has to be given with it, by name. */
  readonly input?: Readonly<Record<string, FieldDeclaration>>
  /** What members of the record become. */
  readonly set?: Readonly<Record<string, SetDeclaration>>
  /** Who may, and for which records; whoever may update the record, when absent. */
  readonly allow?: RuleDeclaration
}

/** A constant, `"now"` for moments, what `given` names of the input, or `viewer.id` for a reference to who asks. */
export type SetDeclaration = JsonValue | { readonly given: string } | { readonly viewer: "id" }

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

const isMachine = (states: StatesDeclaration): states is MachineDeclaration =>
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
