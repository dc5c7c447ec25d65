// Types of states: their names, and the fields that hold them.
import type { MachineDeclaration } from "./declaration.ts"
import type { Fields, Relations, TypedField, TypedResource } from "./typed-declaration.ts"

type Text<Key> = Key & string

/** By name, as `machinesIn` gives them. */
export type MachinesOf<States> = States extends MachineDeclaration ? { readonly state: States } : States

/** States of all machines, by name. */
export type TransitionsOf<States> = MachineTransitions<MachinesOf<States>[keyof MachinesOf<States>]>
type MachineTransitions<Machine> = Machine extends { readonly transitions: infer All } ? All : never

export type Listed<Names> = Names extends readonly (infer Name)[] ? Name : Names

type Way<Machine> = Machine extends { readonly transitions: infer All } ? All[keyof All] : never
export type Target<Machine> = Way<Machine> extends { readonly to: infer State } ? State : never
type Initial<Machine> = Machine extends { readonly initial: infer State } ? State : never
export type Start<Machine> =
  Way<Machine> extends { readonly from: infer From } ? Exclude<Listed<From>, "any"> : never
export type End<Machine> = Machine extends { readonly final: infer Final } ? Listed<Final> : never

/** States that a record can come to, and those that are said to be there. */
export type Known<Machine> = Initial<Machine> | Target<Machine>
export type Described<Machine> = Machine extends { readonly states: infer All } ? keyof All : never

type StateOf<Machine> = Text<Known<Machine> | Described<Machine>>

/** One that is declared as one of some values keeps them. */
type StateField<Declared, Machine> = [Declared] extends [never]
  ? HeldStates<Machine>
  : Declared extends TypedField<"oneOf">
    ? Declared
    : HeldStates<Machine>
type HeldStates<Machine> = TypedField<
  "oneOf",
  false,
  readonly [StateOf<Machine>, ...StateOf<Machine>[]],
  false,
  never,
  never
>

/** Fields, and those that hold states. */
export type WithStates<OwnFields extends Fields, States> = [keyof States] extends [never]
  ? OwnFields
  : Omit<OwnFields, keyof MachinesOf<States>> & {
      readonly [Name in keyof MachinesOf<States>]: StateField<
        Name extends keyof OwnFields ? OwnFields[Name] : never,
        MachinesOf<States>[Name]
      >
    }

export type FieldsOf<Resource> =
  Resource extends TypedResource<infer Own, Relations, unknown, unknown, infer States>
    ? WithStates<Own, States>
    : never
