// What the compiler checks of states: that a record can come to what is named, that what is set and asked is there.
import type { MachineDeclaration, TransitionDeclaration } from "./declaration.ts"
import type { Asked, NameMistake } from "./rule-types.ts"
import type { Described, End, Known, Listed, MachinesOf, Start, WithStates } from "./state-types.ts"
import type { Fields, LocalNames, Relations } from "./typed-declaration.ts"

type Text<Key> = Key & string

/** What a text cannot be, and so a mistake whose text is told where it stands. */
interface Mistake<Message extends string> {
  readonly mistake: Message
}

/** `unknown` where all is well; else what nothing is assignable to. */
type Checked<Wrong extends string> = [Wrong] extends [never] ? unknown : Mistake<Wrong>

/** The compiler does not look for members that are too many where it infers what is given. */
type Stray<Name, Known> = Name extends Known ? unknown : Mistake<`there is no member "${Text<Name>}" here`>

/** The form of `states`, with mistakes where they stand. */
export type CheckedStates<States, OwnFields extends Fields, OwnRelations extends Relations> = [
  keyof States,
] extends [never]
  ? unknown
  : CheckedMachines<States, WithStates<OwnFields, States>, OwnRelations, keyof MachinesOf<States>>

type CheckedMachines<States, All extends Fields, OwnRelations extends Relations, Held> = States extends {
  readonly initial: string
}
  ? CheckedMachine<States, All, OwnRelations, Held>
  : { readonly [Name in keyof States]: CheckedMachine<States[Name], All, OwnRelations, Held> }

type CheckedMachine<Machine, All extends Fields, OwnRelations extends Relations, Held> = {
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
              Held
            >
          }
        : Stray<Said, keyof MachineDeclaration>
}

type Unreached<Names, Machine> =
  Exclude<Listed<Names>, Known<Machine> | Described<Machine> | "any"> extends infer State
    ? State extends string
      ? `nothing leads to the state "${State}"`
      : never
    : never

type Unnamed<State, Machine> = State extends Known<Machine> | Start<Machine> | End<Machine>
  ? never
  : `no transition leads to the state "${Text<State>}", or from it`

type CheckedTransition<Transition, Machine, All extends Fields, OwnRelations extends Relations, Held> = {
  readonly [Said in keyof Transition]: Said extends "from"
    ? Checked<Unreached<Transition[Said], Machine>>
    : Said extends "when" | "allow"
      ? Checked<NameMistake<Transition[Said], Asked<All, OwnRelations>, never>>
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
        : `no input is called "${Name}"`
      : never
    : `no member "${Text<Member>}" can be set`

type InputsOf<Transition> = Transition extends { readonly input: infer Input } ? keyof Input : never
