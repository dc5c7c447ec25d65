// Checks of states by the compiler: named states can be reached, and members that are set and asked exist.

import type { Checked, Mistake, Spread } from "../mistake.ts"
import type { MachineDeclaration, TransitionDeclaration } from "./declaration.ts"
import type { Asked, CheckedRule } from "./policy-types.ts"
import type { Described, End, Known, Listed, MachinesOf, Start, WithStates } from "./state-types.ts"
import type { Fields, LocalNames, Relations } from "./typed-declaration.ts"

type Text<Key> = Key & string

/** The compiler does not look for members that are too many where it infers what is given. */
type Stray<Name, Known> = Name extends Known
  ? unknown
  : Mistake<`there is no member "${Text<Name>}" here`, Spread<Known>[0]>

/** The form of `states`, with mistakes where they stand. */
export type CheckedStates<States, OwnFields extends Fields, OwnRelations extends Relations, Names> = [
  keyof States,
] extends [never]
  ? unknown
  : CheckedMachines<States, WithStates<OwnFields, States>, OwnRelations, keyof MachinesOf<States>, Names>

type CheckedMachines<
  States,
  All extends Fields,
  OwnRelations extends Relations,
  Held,
  Names,
> = States extends { readonly initial: string }
  ? CheckedMachine<States, All, OwnRelations, Held, Names>
  : { readonly [Name in keyof States]: CheckedMachine<States[Name], All, OwnRelations, Held, Names> }

type CheckedMachine<Machine, All extends Fields, OwnRelations extends Relations, Held, Names> = {
  readonly [Said in keyof Machine]: Said extends "final"
    ? Checked<Unreached<Machine[Said], Machine>>
    : Said extends "states"
      ? { readonly [State in keyof Machine[Said]]: Checked<Unnamed<State, Machine>> }
      : Said extends "transitions"
        ? {
            readonly [Name in keyof Machine[Said]]: CheckedTransition<
              Machine[Said][Name],
              Machine,
              All,
              OwnRelations,
              Held,
              Names
            >
          }
        : Stray<Said, keyof MachineDeclaration>
}

type Unreached<Names, Machine> =
  Exclude<Listed<Names>, Known<Machine> | Described<Machine> | "any"> extends infer State
    ? State extends string
      ? Mistake<`nothing leads to the state "${State}"`, Spread<Known<Machine>>[0]>
      : never
    : never

type Unnamed<State, Machine> = State extends Known<Machine> | Start<Machine> | End<Machine>
  ? never
  : Mistake<`no transition leads to the state "${Text<State>}", or from it`, Spread<Known<Machine>>[0]>

type CheckedTransition<
  Transition,
  Machine,
  All extends Fields,
  OwnRelations extends Relations,
  Held,
  Names,
> = {
  readonly [Said in keyof Transition]: Said extends "from"
    ? Checked<Unreached<Transition[Said], Machine>>
    : Said extends "when" | "allow"
      ? CheckedRule<Transition[Said], Asked<All, OwnRelations>, never, Names>
      : Said extends "set"
        ? {
            readonly [Member in keyof Transition[Said]]: Checked<
              SetMistake<Member, Transition[Said][Member], Transition, All, OwnRelations, Held>
            >
          }
        : Stray<Said, keyof TransitionDeclaration>
}

/** Fields, and references such as `customerId`. */
type Settable<All extends Fields, OwnRelations extends Relations, Held> =
  | Exclude<keyof All, Held>
  | `${Text<LocalNames<OwnRelations>>}Id`

type SetMistake<Member, Value, Transition, All extends Fields, OwnRelations extends Relations, Held> =
  Member extends Settable<All, OwnRelations, Held>
    ? Value extends { readonly given: infer Name extends string }
      ? Name extends InputsOf<Transition>
        ? never
        : Mistake<`no input is called "${Name}"`, Spread<InputsOf<Transition>>[0]>
      : never
    : Mistake<`no member "${Text<Member>}" can be set`, Spread<Settable<All, OwnRelations, Held>>[0]>

type InputsOf<Transition> = Transition extends { readonly input: infer Input } ? keyof Input : never
