// What the compiler checks of rules: names of the record's own members where its resource is written, roles and scopes
// where the whole service is known. What stands behind a relation, and of the viewer but the id, is left to load.
import type { AllowDeclaration } from "./allow.ts"
import type { Fields, Relations, TypedMany } from "./typed-declaration.ts"

type Text<Key> = Key & string

/** What a rule asks of credentials, and the connectives, whose own members are looked into. */
type Connective = "and" | "or" | "not"
type Named = "role" | "scope"
type Credential = Named | "signedIn" | "anyone"

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
export type NameMistake<
  Rule,
  Known extends string,
  Listed extends string,
> = Rule extends readonly (infer One)[]
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
    : `no field is called "${Name}"`

type MemberMistake<Name, Value, Known extends string, Listed extends string> = Name extends Connective
  ? NameMistake<Value, Known, Listed>
  : Name extends Credential
    ? Value extends string | true
      ? never
      : Unknown<Name, Known>
    : Unknown<Name, Known>

type Unknown<Name, Known extends string> = Name extends Known ? never : `no member is called "${Text<Name>}"`

/** `unknown` per action when all is well; else the mistakes, which nothing is assignable to. */
export type CheckedAllow<Allow, OwnFields extends Fields, OwnRelations extends Relations> = {
  readonly [Action in keyof Allow]: Action extends keyof AllowDeclaration
    ? [NameMistake<Allow[Action], Asked<OwnFields, OwnRelations>, Text<keyof OwnFields>>] extends [never]
      ? unknown
      : NameMistake<Allow[Action], Asked<OwnFields, OwnRelations>, Text<keyof OwnFields>>
    : `no action is called "${Text<Action>}"`
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
      : `no ${Text<Kind>} is called "${Name}"`
  : never
