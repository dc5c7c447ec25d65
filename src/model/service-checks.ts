// What the compiler checks of a service: every relation's target and `by`, every shared enumeration. A mistake becomes
// a type whose text says what is wrong, at the member where it stands.
import type { EnumDeclaration } from "./declaration.ts"
import type { Asked, CredentialMistake, NameMistake } from "./rule-types.ts"
import type { ScalarName } from "./scalars.ts"
import type { TransitionsOf, WithStates } from "./state-types.ts"
import type {
  Enums,
  Fields,
  LocalNames,
  Relations,
  Resources,
  TypedField,
  TypedMany,
  TypedOne,
  TypedResource,
} from "./typed-declaration.ts"

type Text<Key> = Key & string

/** Names that keys, unique keys and indexes may list: fields, and to-one relations whose foreign key is here. */
export type Members<OwnFields extends Fields, OwnRelations extends Relations> =
  | Text<keyof OwnFields>
  | Text<LocalNames<OwnRelations>>

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
    : `no to-one relation "${Text<By>}" leads from "${Text<Target>}" to "${Text<Here>}"`

type RelationMistake<All extends Resources, Here, Relation> = Relation extends
  | TypedOne<infer Target, boolean, infer By, boolean>
  | TypedMany<infer Target, infer By>
  ? Target extends keyof All
    ? ByMistake<All, Here, Target, By>
    : `no resource is called "${Target}"`
  : never

type FieldMistake<Shared extends Enums, Field> =
  Field extends TypedField<"oneOf", boolean, infer Of, boolean, infer Given, unknown>
    ? Of extends string
      ? Of extends keyof Shared
        ? DefaultMistake<Shared[Of], Of, Given>
        : `no enumeration is called "${Of}"`
      : never
    : never

/** `string` is no value that was given, but what is inferred when the database fills it in. */
type DefaultMistake<Enum extends EnumDeclaration, Name extends string, Given> = string extends Given
  ? never
  : [Given] extends [Enum["values"][number]]
    ? never
    : `"${Text<Given>}" is no value of the enumeration "${Name}"`

/** A message per mistake, led by the member's name. */
type Mistakes<Checked> = {
  [Name in keyof Checked]: Checked[Name] extends never ? never : `${Text<Name>}: ${Text<Checked[Name]>}`
}[keyof Checked]

/** Of a field's rules; the commonest field has none. */
type FieldRuleMistake<Own, Field, Role extends string, Scope extends string> =
  Field extends TypedField<
    ScalarName,
    boolean,
    readonly [string, ...string[]] | string,
    boolean,
    unknown,
    infer Rules
  >
    ? [Rules] extends [never]
      ? never
      :
          | CredentialMistake<Rules, Role, Scope>
          | (Own extends TypedResource<infer OwnFields, infer OwnRelations, unknown, unknown, infer States>
              ? NameMistake<Rules, Asked<WithStates<OwnFields, States>, OwnRelations>, never>
              : never)
    : never

type AllowOf<Resource> =
  Resource extends TypedResource<Fields, Relations, unknown, infer Allow> ? Allow : never

type AllowMistake<Allow, Role extends string, Scope extends string> = {
  [Action in keyof Allow]: CredentialMistake<Allow[Action], Role, Scope>
}

export type StatesOf<Resource> = Resource extends { readonly "~type"?: { readonly states: infer States } }
  ? States
  : never

/** Most resources have none. */
type TransitionMistakes<States, Role extends string, Scope extends string> = [keyof States] extends [never]
  ? never
  : Mistakes<TransitionMistake<TransitionsOf<States>, Role, Scope>>

/** By the names of transitions. */
type TransitionMistake<Transitions, Role extends string, Scope extends string> = {
  [Name in keyof Transitions]: Transitions[Name] extends { readonly allow: infer Rule }
    ? CredentialMistake<Rule, Role, Scope>
    : never
}

type ResourceMistakes<
  All extends Resources,
  Shared extends Enums,
  Role extends string,
  Scope extends string,
  Here extends keyof All,
> =
  | Mistakes<{
      [Name in keyof RelationsOf<All[Here]>]: RelationMistake<All, Here, RelationsOf<All[Here]>[Name]>
    }>
  | Mistakes<{
      [Name in keyof All[Here]["fields"]]:
        | FieldMistake<Shared, All[Here]["fields"][Name]>
        | FieldRuleMistake<All[Here], All[Here]["fields"][Name], Role, Scope>
    }>
  | Mistakes<AllowMistake<AllowOf<All[Here]>, Role, Scope>>
  | TransitionMistakes<StatesOf<All[Here]>, Role, Scope>

/** `unknown` per resource when all is well; else members that it lacks, whose names are the mistakes. */
export type CheckedResources<
  All extends Resources,
  Shared extends Enums,
  Role extends string,
  Scope extends string,
> = {
  readonly [Here in keyof All]: [ResourceMistakes<All, Shared, Role, Scope, Here>] extends [never]
    ? unknown
    : { readonly [Message in ResourceMistakes<All, Shared, Role, Scope, Here>]: never }
}
