// Checks of rules by the compiler: members of the record where its resource is written, roles and scopes in the whole service.
// The load checks members behind relations, and members of the viewer other than the id.

import type { Checked, Mistake, Spread } from "../mistake.ts"
import type { AllowDeclaration } from "../policy-declaration.ts"
import type { Fields, Relations, ServiceNames, TypedMany } from "./typed-declaration.ts"

type Text<Key> = Key & string

/** Members of a rule about credentials, and the connectives, whose own members are looked into. */
type Connective = "and" | "or" | "not"
type Named = "role" | "scope"
type Credential = Named | "signedIn" | "anyone" | "together"

/** Members that a condition may begin with: `id`, fields, relations, and references such as `customerId`. */
export type Asked<OwnFields extends Fields, OwnRelations extends Relations> =
  | "id"
  | Text<keyof OwnFields>
  | Text<keyof OwnRelations>
  | `${Text<Exclude<keyof OwnRelations, ManyNames<OwnRelations>>>}Id`

type ManyNames<OwnRelations extends Relations> = {
  [Name in keyof OwnRelations]: OwnRelations[Name] extends TypedMany ? Name : never
}[keyof OwnRelations]

/** A message per name that the record lacks. */
type NameMistake<Rule, Known extends string, Listed extends string> = Rule extends readonly (infer One)[]
  ? NameMistake<One, Known, Listed>
  : Rule extends { readonly fields: readonly (infer Name extends string)[]; readonly when: infer When }
    ? Unlisted<Name, Listed> | NameMistake<When, Known, Listed>
    : string extends keyof Rule
      ? never
      : { [Name in keyof Rule]: MemberMistake<Name, Rule[Name], Known, Listed> }[keyof Rule]

type Unlisted<Name extends string, Listed extends string> = string extends Name
  ? never
  : Name extends Listed
    ? never
    : Mistake<`no field is called "${Name}"`, Spread<Listed>[0]>

type MemberMistake<Name, Value, Known extends string, Listed extends string> = Name extends Connective
  ? NameMistake<Value, Known, Listed>
  : Name extends Credential
    ? Value extends string | true
      ? never
      : Unknown<Name, Known>
    : Unknown<Name, Known>

type Unknown<Name, Known extends string> = Name extends Known
  ? never
  : Mistake<`no member is called "${Text<Name>}"`, Spread<Known>[0]>

/** `unknown` per action when all is well; else mistakes where they stand. */
export type CheckedAllow<Allow, OwnFields extends Fields, OwnRelations extends Relations, Names> = {
  readonly [Action in keyof Allow]: Action extends keyof AllowDeclaration
    ? CheckedRule<Allow[Action], Asked<OwnFields, OwnRelations>, Text<keyof OwnFields>, Names>
    : Mistake<`no action is called "${Text<Action>}"`, Spread<keyof AllowDeclaration>[0]>
}

/** A rule that is right is walked for its mistakes only, and not for their places. */
export type CheckedRule<Rule, Known extends string, Listed extends string, Names> = [
  RuleMistake<Rule, Known, Listed, Names>,
] extends [never]
  ? unknown
  : PlacedMistake<Rule, Known, Listed, Names>

/** Roles and scopes are checked where the service is known. */
export type RuleMistake<Rule, Known extends string, Listed extends string, Names> =
  | NameMistake<Rule, Known, Listed>
  | (Names extends ServiceNames ? CredentialMistake<Rule, Names["role"], Names["scope"]> : never)

/** The form of a rule, with each mistake at its place. */
type PlacedMistake<Rule, Known extends string, Listed extends string, Names> = Rule extends readonly unknown[]
  ? { readonly [Index in keyof Rule]: PlacedMistake<Rule[Index], Known, Listed, Names> }
  : Rule extends { readonly fields: readonly string[]; readonly when: unknown }
    ? Checked<RuleMistake<Rule, Known, Listed, Names>>
    : {
        readonly [Name in keyof Rule]: Name extends Connective
          ? PlacedMistake<Rule[Name], Known, Listed, Names>
          : Checked<RuleMistake<Pick<Rule, Name>, Known, Listed, Names>>
      }

/** A message per role and scope that the service does not declare. */
export type CredentialMistake<
  Rule,
  Role extends string,
  Scope extends string,
> = Rule extends readonly (infer One)[]
  ? CredentialMistake<One, Role, Scope>
  : Rule extends { readonly fields: readonly string[]; readonly when: infer When }
    ? CredentialMistake<When, Role, Scope>
    : string extends keyof Rule
      ? never
      : {
          [Name in keyof Rule & (Connective | Named)]: Name extends Connective
            ? CredentialMistake<Rule[Name], Role, Scope>
            : Undeclared<Name, Rule[Name], Name extends "role" ? Role : Scope>
        }[keyof Rule & (Connective | Named)]

type Undeclared<Kind, Name, Declared extends string> = Name extends string
  ? string extends Name
    ? never
    : Name extends Declared
      ? never
      : Mistake<`no ${Text<Kind>} is called "${Name}"`, Declared>
  : never
