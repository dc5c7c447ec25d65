// Types of the builders' results: a declaration with type arguments that names and record types are inferred from.
// `~type` is a phantom: only the compiler reads it, no value has it.

import type { ScalarName } from "../scalars.ts"
import type {
  EnumDeclaration,
  FieldDeclaration,
  ManyDeclaration,
  OneDeclaration,
  RelationDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "./declaration.ts"

export interface TypedField<
  Scalar extends ScalarName = ScalarName,
  Optional extends boolean = boolean,
  Of extends readonly [string, ...string[]] | string = readonly [string, ...string[]] | string,
  List extends boolean = boolean,
  Given = unknown,
  Rules = unknown,
> extends FieldDeclaration {
  readonly scalar: Scalar
  readonly "~type"?: {
    readonly optional: Optional
    readonly of: Of
    readonly list: List
    readonly given: Given
    readonly rules: Rules
  }
}

export interface TypedOne<
  Target extends string = string,
  Optional extends boolean = boolean,
  By extends string = string,
  Reference extends boolean = boolean,
> extends OneDeclaration {
  readonly target: Target
  readonly "~type"?: { readonly optional: Optional; readonly by: By; readonly reference: Reference }
}

export interface TypedMany<Target extends string = string, By extends string = string>
  extends ManyDeclaration {
  readonly target: Target
  readonly "~type"?: { readonly by: By }
}

export type Fields = Readonly<Record<string, FieldDeclaration>>
export type Relations = Readonly<Record<string, RelationDeclaration>>

/** Names of the to-one relations whose foreign key is in the resource's own table. */
export type LocalNames<OwnRelations extends Relations> = {
  [Name in keyof OwnRelations]: OwnRelations[Name] extends TypedOne<string, boolean, infer By, boolean>
    ? [By] extends [never]
      ? Name
      : never
    : never
}[keyof OwnRelations]

export interface TypedResource<
  OwnFields extends Fields = Fields,
  OwnRelations extends Relations = Relations,
  Key = unknown,
  Allow = unknown,
  States = unknown,
  Names = unknown,
  Events = unknown,
> extends ResourceDeclaration {
  readonly fields: OwnFields
  readonly "~type"?: {
    readonly relations: OwnRelations
    readonly key: Key
    readonly allow: Allow
    /** As declared: `states`. */
    readonly states: States
    /** As declared: `events`. */
    readonly events: Events
    readonly within: Within<Names>
  }
}

/** Names that a service declares, which the compiler hands to each `resource(…)` that is written within it. */
export interface ServiceNames<
  Resource extends string = string,
  OwnEnums extends Enums = Enums,
  Role extends string = string,
  Scope extends string = string,
> {
  readonly resource: Resource
  readonly enums: OwnEnums
  readonly role: Role
  readonly scope: Scope
}

/** Names are inferred from this, and do not matter otherwise: a resource may be put into another service. */
interface Within<_Names> {
  readonly within?: never
}

/** Requirements of `service` on a resource, from which `resource` infers the names that it may use. */
export interface WrittenWithin<Names> {
  readonly "~type"?: { readonly within: Within<Names> }
}

/** The names that a resource was checked against; `unknown` where it is written outside of any service. */
export type NamesOf<Resource> = Resource extends WrittenWithin<infer Names> ? Names : unknown

/**
 * The type of `resource`'s result. No code calls its call signature. The compiler defers generic calls that return a
 * function until it knows their context, and the context has the names of the service.
 */
export interface BuiltResource<
  OwnFields extends Fields,
  OwnRelations extends Relations,
  Key,
  Allow,
  States,
  Names,
  Events,
> extends TypedResource<OwnFields, OwnRelations, Key, Allow, States, Names, Events> {
  (never: never): never
}

export type Resources = Readonly<Record<string, ResourceDeclaration>>
export type Enums = Readonly<Record<string, EnumDeclaration>>

export interface TypedService<
  OwnResources extends Resources = Resources,
  OwnEnums extends Enums = Enums,
  Role extends string = string,
  Scope extends string = string,
  OwnVersions = unknown,
> extends ServiceDeclaration {
  readonly resources: OwnResources
  readonly "~type"?: {
    readonly enums: OwnEnums
    readonly role: Role
    readonly scope: Scope
    /** As declared, for the types of their code. */
    readonly versions: OwnVersions
  }
}
