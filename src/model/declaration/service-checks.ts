// Checks of a service by the compiler: every relation's target and `by`, every shared enumeration. A mistake becomes
// a type whose text describes it, at the member where it stands.

import type { Checked, Mistake, Spread } from "../mistake.ts"
import type { ScalarName } from "../scalars.ts"
import type { EnumDeclaration, ResourceDeclaration } from "./declaration.ts"
import type { Asked, CredentialMistake, RuleMistake } from "./policy-types.ts"
import type { TransitionsOf, WithStates } from "./state-types.ts"
import type {
  Enums,
  Fields,
  LocalNames,
  NamesOf,
  Relations,
  Resources,
  ServiceNames,
  TypedField,
  TypedMany,
  TypedOne,
  TypedResource,
} from "./typed-declaration.ts"

type Text<Key> = Key & string

/**
 * Names that keys, unique keys and indexes may list: fields, and to-one relations whose foreign key is here. A member of
 * an interface, because the compiler shows a union that has a name of its own by that name.
 */
export interface Members<OwnFields extends Fields, OwnRelations extends Relations> {
  readonly names: (keyof OwnFields & string) | (LocalNames<OwnRelations> & string)
}

export type RelationsOf<Resource> = Resource extends TypedResource<Fields, infer Own, unknown> ? Own : never

/** To-one relations of the target that lead to the resource called `Here`. */
type LeadingTo<Target, Here> =
  RelationsOf<Target> extends infer Own extends Relations
    ? Text<{ [Name in LocalNames<Own>]: Own[Name]["target"] extends Here ? Name : never }[LocalNames<Own>]>
    : never

type ByMistake<All extends Resources, Here, Target extends keyof All, By> = [By] extends [never]
  ? never
  : By extends LeadingTo<All[Target], Here>
    ? never
    : Mistake<
        `no to-one relation "${Text<By>}" leads from "${Text<Target>}" to "${Text<Here>}"`,
        Spread<LeadingTo<All[Target], Here>>[0]
      >

type FarMistake<All extends Resources, Here, Relation> = Relation extends
  | TypedOne<infer Target, boolean, infer By, boolean>
  | TypedMany<infer Target, infer By>
  ? Target extends keyof All
    ? ByMistake<All, Here, Target, By>
    : never
  : never

type TargetMistake<Target extends string, Known> = Target extends Known
  ? never
  : Mistake<`no resource is called "${Target}"`, Spread<Known>[0]>

type EnumMistake<Shared extends Enums, Field> =
  Field extends TypedField<"oneOf", boolean, infer Of, boolean, infer Given, unknown>
    ? Of extends string
      ? Of extends keyof Shared
        ? DefaultMistake<Shared[Of], Of, Given>
        : Mistake<`no enumeration is called "${Of}"`, Spread<keyof Shared>[0]>
      : never
    : never

/** `string` is the inferred type of a default that the database fills in, and no value. */
type DefaultMistake<Enum extends EnumDeclaration, Name extends string, Given> = string extends Given
  ? never
  : [Given] extends [Enum["values"][number]]
    ? never
    : Mistake<`"${Text<Given>}" is no value of the enumeration "${Name}"`, Spread<Enum["values"][number]>[0]>

type RulesOf<Field> =
  Field extends TypedField<
    ScalarName,
    boolean,
    readonly [string, ...string[]] | string,
    boolean,
    unknown,
    infer Rules
  >
    ? Rules
    : never

/** The commonest field has no rules. */
type FieldMistake<Field, Known extends string, Names> =
  | (Names extends ServiceNames ? EnumMistake<Names["enums"], Field> : never)
  | ([RulesOf<Field>] extends [never] ? never : RuleMistake<RulesOf<Field>, Known, never, Names>)

/** `unknown` when all is well, which is looked up for all fields at once; else mistakes by field. */
export type CheckedFields<OwnFields extends Fields, OwnRelations extends Relations, States, Names> =
  FieldMistake<
    OwnFields[keyof OwnFields],
    Asked<WithStates<OwnFields, States>, OwnRelations>,
    Names
  > extends never
    ? unknown
    : {
        readonly [Name in keyof OwnFields]: Checked<
          FieldMistake<OwnFields[Name], Asked<WithStates<OwnFields, States>, OwnRelations>, Names>
        >
      }

/** Targets; whether a `by` leads back is known to `service` only, where all resources are. */
export type CheckedRelations<OwnRelations extends Relations, Names> = Names extends ServiceNames
  ? OwnRelations[keyof OwnRelations]["target"] extends Names["resource"]
    ? unknown
    : {
        readonly [Name in keyof OwnRelations]: Checked<
          TargetMistake<OwnRelations[Name]["target"], Names["resource"]>
        >
      }
  : unknown

/** A message per mistake, led by the member's name. */
type Messages<Wrong> = {
  [Name in keyof Wrong]: Wrong[Name] extends never
    ? never
    : Wrong[Name] extends { readonly mistake: infer Message extends string }
      ? `${Text<Name>}: ${Message}`
      : never
}[keyof Wrong]

type AllowOf<Resource> =
  Resource extends TypedResource<Fields, Relations, unknown, infer Allow> ? Allow : never

export type StatesOf<Resource> = Resource extends { readonly "~type"?: { readonly states: infer States } }
  ? States
  : never

/** By the names of transitions. */
type TransitionMistake<Transitions, Role extends string, Scope extends string> = {
  [Name in keyof Transitions]: Transitions[Name] extends { readonly allow: infer Rule }
    ? CredentialMistake<Rule, Role, Scope>
    : never
}

type FarMessages<All extends Resources, Here extends keyof All> = Messages<{
  [Name in keyof RelationsOf<All[Here]>]: FarMistake<All, Here, RelationsOf<All[Here]>[Name]>
}>

/** For a resource that is written elsewhere, where the service was unknown. */
type ElsewhereMessages<Resource extends ResourceDeclaration, Names extends ServiceNames> =
  | Messages<{
      [Name in keyof RelationsOf<Resource>]: TargetMistake<
        RelationsOf<Resource>[Name]["target"],
        Names["resource"]
      >
    }>
  | Messages<{
      [Name in keyof Resource["fields"]]:
        | EnumMistake<Names["enums"], Resource["fields"][Name]>
        | CredentialMistake<RulesOf<Resource["fields"][Name]>, Names["role"], Names["scope"]>
    }>
  | Messages<{
      [Action in keyof AllowOf<Resource>]: CredentialMistake<
        AllowOf<Resource>[Action],
        Names["role"],
        Names["scope"]
      >
    }>
  | TransitionMessages<StatesOf<Resource>, Names>

/** Most resources have none. */
type TransitionMessages<States, Names extends ServiceNames> = [keyof States] extends [never]
  ? never
  : Messages<TransitionMistake<TransitionsOf<States>, Names["role"], Names["scope"]>>

type ResourceMessages<All extends Resources, Names extends ServiceNames, Here extends keyof All> =
  | FarMessages<All, Here>
  | (NamesOf<All[Here]> extends Names ? never : ElsewhereMessages<All[Here], Names>)

/** `unknown` per resource when all is well. The compiler asks first when names are inferred and resources are not yet. */
export type CheckedResources<All extends Resources, Names extends ServiceNames> = string extends keyof All
  ? unknown
  : {
      readonly [Here in keyof All]: [ResourceMessages<All, Names, Here>] extends [never]
        ? unknown
        : Mistake<Spread<ResourceMessages<All, Names, Here>>[0]>
    }
