// The type of a record's JSON, inferred from the declaration of its resource.
import type { ScalarName, WireType } from "../scalars.ts"
import type { RelationsOf } from "./service-checks.ts"
import type { FieldsOf } from "./state-types.ts"
import type {
  Enums,
  Fields,
  Relations,
  Resources,
  TypedField,
  TypedOne,
  TypedResource,
  TypedService,
} from "./typed-declaration.ts"

type Wire<Shared extends Enums, Scalar extends ScalarName, Of> = Scalar extends "oneOf"
  ? Of extends readonly string[]
    ? Of[number]
    : Of extends keyof Shared
      ? Shared[Of]["values"][number]
      : string
  : WireType<Scalar>

type Nullable<Optional, Value> = Optional extends true ? Value | null : Value

type FieldValue<Shared extends Enums, Field> =
  Field extends TypedField<infer Scalar, infer Optional, infer Of, infer List, unknown>
    ? Nullable<Optional, List extends true ? readonly Wire<Shared, Scalar, Of>[] : Wire<Shared, Scalar, Of>>
    : never

type FieldMembers<Shared extends Enums, Own extends Fields> = {
  readonly [Name in keyof Own]: FieldValue<Shared, Own[Name]>
}

/** Whether the relation's reference scalar is there: `true`, `boolean` when only the load can tell, or never. */
type Reference<Relation> = Relation extends TypedOne<string, boolean, string, infer Has> ? Has : false
type IsOptional<Relation> =
  Relation extends TypedOne<string, infer Optional, string, boolean> ? Optional : false

type ReferenceMembers<Own> = {
  readonly [Name in keyof Own as [Reference<Own[Name]>] extends [true]
    ? `${Name & string}Id`
    : never]: Nullable<IsOptional<Own[Name]>, string>
} & {
  readonly [Name in keyof Own as boolean extends Reference<Own[Name]>
    ? `${Name & string}Id`
    : never]?: Nullable<IsOptional<Own[Name]>, string>
}

type IdMember<Resource> =
  Resource extends TypedResource<Fields, Relations, infer Key>
    ? [Key] extends [false]
      ? unknown
      : { readonly id: string }
    : never

/** The relations' names. */
export type ReferencesOf<Service, Name extends keyof ResourcesOf<Service>> = keyof RelationsOf<
  ResourcesOf<Service>[Name]
> &
  string

type OptionalNames<Own extends Fields> = {
  [Name in keyof Own]: Own[Name] extends TypedField<infer _, infer Optional, infer _2, infer _3, unknown>
    ? true extends Optional
      ? Name
      : never
    : never
}[keyof Own]

/** Values of own fields: `read` has each of them, of `given` those that are optional may be absent. */
export type ValuesOf<Service, Own extends Fields, Use extends "read" | "given"> = Use extends "read"
  ? Flat<FieldMembers<EnumsOf<Service>, Own>>
  : Flat<
      Omit<FieldMembers<EnumsOf<Service>, Own>, OptionalNames<Own>> &
        Partial<Pick<FieldMembers<EnumsOf<Service>, Own>, OptionalNames<Own>>>
    >

/** The record without members that only Bifold makes. */
export type WritableOf<Service, Name extends keyof ResourcesOf<Service>> = Omit<RecordOf<Service, Name>, "id">

/** The id of a new record whose key its creator gives. */
export type NewIdOf<Service, Name extends keyof ResourcesOf<Service>> =
  ResourcesOf<Service>[Name] extends TypedResource<Fields, Relations, infer Key>
    ? Key extends { readonly given: true }
      ? { readonly id: string }
      : unknown
    : unknown

type Flat<Members> = { [Name in keyof Members]: Members[Name] }

/** The JSON of a record, the same in both faces: `RecordOf<typeof service, "order">`. */
export type RecordOf<Service, Name extends keyof ResourcesOf<Service>> =
  Service extends TypedService<infer All, infer Shared>
    ? Name extends keyof All
      ? Flat<
          IdMember<All[Name]> &
            FieldMembers<Shared, FieldsOf<All[Name]>> &
            ReferenceMembers<RelationsOf<All[Name]>>
        >
      : never
    : never

export type ResourcesOf<Service> = Service extends TypedService<infer All, Enums> ? All : Resources
type EnumsOf<Service> = Service extends TypedService<Resources, infer Shared> ? Shared : Enums
